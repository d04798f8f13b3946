/* SPDX-License-Identifier: Apache-2.0
 *
 * User-defined conversions of compounds with variable-length members. All memory is freed, except for the
 * results of the program. */
#include "show.h"

static long blocks; /* in use */

static void* allocate(size_t bytes, void* info) {
  (void)info;
  ++blocks;
  return malloc(bytes);
}

static void release(void* block, void* info) {
  (void)info;
  --blocks;
  free(block);
}

typedef struct {
  int kind;
  char *first, *second;
  hvl_t numbers;
} Row;

typedef struct {
  int kind;
  char* second;
  hvl_t numbers; /* of long long */
} Narrow;

/* Between integers and enumerations, in both directions. */
static herr_t tenfold(hid_t from, hid_t to, H5T_cdata_t* data, size_t count, size_t stride,
                      size_t background_stride, void* buffer, void* background, hid_t list) {
  size_t i;
  (void)background_stride, (void)background, (void)list;
  if (data->command == H5T_CONV_INIT) {
    data->need_bkg = H5T_BKG_NO;
    return H5Tget_size(from) == 4 && H5Tget_size(to) == 4 ? 0 : -1;
  }
  if (data->command != H5T_CONV_CONV) return 0;
  for (i = 0; i < count; ++i) {
    int* value = (int*)((char*)buffer + i * (stride ? stride : sizeof(int)));
    if (H5Tget_class(to) == H5T_ENUM)
      *value *= 10;
    else
      *value /= 10;
  }
  return 0;
}

static hid_t text_type(void) {
  hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, H5T_VARIABLE);
  return type;
}

static hid_t row_type(hid_t kind) {
  hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(Row));
  H5Tinsert(type, "kind", HOFFSET(Row, kind), kind);
  H5Tinsert(type, "first", HOFFSET(Row, first), text_type());
  H5Tinsert(type, "second", HOFFSET(Row, second), text_type());
  H5Tinsert(type, "numbers", HOFFSET(Row, numbers), H5Tvlen_create(H5T_NATIVE_INT));
  return type;
}

static hid_t narrow_type(hid_t kind) {
  hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(Narrow));
  H5Tinsert(type, "kind", HOFFSET(Narrow, kind), kind);
  H5Tinsert(type, "second", HOFFSET(Narrow, second), text_type());
  H5Tinsert(type, "numbers", HOFFSET(Narrow, numbers), H5Tvlen_create(H5T_NATIVE_LLONG));
  return type;
}

static void read_narrow(hid_t set, hid_t space, hid_t list) {
  Narrow rows[3];
  hid_t type = narrow_type(H5T_NATIVE_INT);
  int i;
  memset(rows, 0, sizeof rows);
  CALL(H5Dread(set, type, H5S_ALL, H5S_ALL, list, rows));
  for (i = 0; i < 3; ++i)
    printf("%d '%s' %lu numbers, the last %lld\n", rows[i].kind, rows[i].second,
           (unsigned long)rows[i].numbers.len,
           rows[i].numbers.len ? ((long long*)rows[i].numbers.p)[rows[i].numbers.len - 1] : -1LL);
  printf("%ld blocks are the program's\n", blocks);
  CALL(H5Dvlen_reclaim(type, space, list, rows));
  VALUE(blocks);
  H5Tclose(type);
}

static void read_rows(hid_t set, hid_t space, hid_t list) {
  Row rows[3];
  hid_t type = row_type(H5T_NATIVE_INT);
  int i;
  memset(rows, 0, sizeof rows);
  CALL(H5Dread(set, type, H5S_ALL, H5S_ALL, list, rows));
  for (i = 0; i < 3; ++i)
    printf("%d '%s' '%s' %lu numbers\n", rows[i].kind, rows[i].first, rows[i].second,
           (unsigned long)rows[i].numbers.len);
  printf("%ld blocks are the program's\n", blocks);
  CALL(H5Dvlen_reclaim(type, space, list, rows));
  VALUE(blocks);
  H5Tclose(type);
}

int main(void) {
  const hsize_t dims[1] = {3};
  int numbers[3] = {7, 8, 9}, value, kinds[3] = {2, 1, 2};
  long long more[2] = {70, 80};
  Row rows[3] = {{1, "a", "b", {3, 0}}, {2, "c", "", {0, 0}}, {1, "long enough", "text", {1, 0}}};
  Narrow narrow[3] = {{2, "B", {2, 0}}, {1, "C", {1, 0}}, {2, "D", {0, 0}}};
  hid_t file, kind, space, set, list, type, only;
  quiet();
  rows[0].numbers.p = rows[2].numbers.p = numbers;
  narrow[0].numbers.p = narrow[1].numbers.p = more;
  file = new_file("conversions_memory.h5");
  kind = H5Tenum_create(H5T_NATIVE_INT);
  value = 10;
  H5Tenum_insert(kind, "TEN", &value);
  value = 20;
  H5Tenum_insert(kind, "TWENTY", &value);
  space = H5Screate_simple(1, dims, NULL);
  list = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_vlen_mem_manager(list, allocate, NULL, release, NULL);
  set = H5Dcreate2(file, "rows", row_type(kind), space, NONE, NONE, NONE);
  CALL(H5Tregister(H5T_PERS_SOFT, "number to kind", H5T_NATIVE_INT, kind, tenfold));
  CALL(H5Tregister(H5T_PERS_SOFT, "kind to number", kind, H5T_NATIVE_INT, tenfold));
  CALL(H5Dwrite(set, type = row_type(H5T_NATIVE_INT), H5S_ALL, H5S_ALL, list, rows));
  VALUE(blocks);
  read_narrow(set, space, list);
  read_rows(set, space, list);
  /* Members that are not written keep their values in the dataset. */
  CALL(H5Dwrite(set, narrow_type(H5T_NATIVE_INT), H5S_ALL, H5S_ALL, list, narrow));
  VALUE(blocks);
  read_rows(set, space, list);
  only = H5Tcreate(H5T_COMPOUND, sizeof(int));
  H5Tinsert(only, "kind", 0, H5T_NATIVE_INT);
  CALL(H5Dwrite(set, only, H5S_ALL, H5S_ALL, list, kinds));
  VALUE(blocks);
  read_narrow(set, space, list);
  CALL(H5Dread(set, only, H5S_ALL, H5S_ALL, list, kinds));
  printf("%d %d %d\n", kinds[0], kinds[1], kinds[2]);
  VALUE(blocks);
  CALL(H5Dclose(set));
  CALL(H5Fclose(file));
  return 0;
}
