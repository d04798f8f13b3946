/* SPDX-License-Identifier: Apache-2.0
 *
 * User-defined conversions in I/O of datasets and attributes. */
#include "show.h"

typedef struct {
  int number;
  short small;
} Pair;

/* Converts integers to enumerations, for which there is no other conversion: ten times the number. */
static herr_t to_enum(hid_t from, hid_t to, H5T_cdata_t* data, size_t count, size_t stride,
                      size_t background_stride, void* buffer, void* background, hid_t list) {
  size_t i;
  int* values = (int*)buffer;
  (void)background_stride, (void)background, (void)list;
  if (data->command == H5T_CONV_INIT) {
    data->need_bkg = H5T_BKG_NO;
    return H5Tget_size(from) == 4 && H5Tget_size(to) == 4 ? 0 : -1;
  }
  if (data->command != H5T_CONV_CONV) return 0;
  for (i = 0; i < count; ++i) {
    int* value = (int*)((char*)values + i * (stride ? stride : sizeof(int)));
    *value *= 10;
  }
  return 0;
}

static herr_t refuse_all(hid_t from, hid_t to, H5T_cdata_t* data, size_t count, size_t stride,
                         size_t background_stride, void* buffer, void* background, hid_t list) {
  (void)from, (void)to, (void)count, (void)stride, (void)background_stride, (void)buffer, (void)background,
      (void)list;
  return data->command == H5T_CONV_CONV ? -1 : 0;
}

static void show(hid_t set, hid_t type) {
  int values[6] = {0, 0, 0, 0, 0, 0}, i;
  CALL(H5Dread(set, type, H5S_ALL, H5S_ALL, NONE, values));
  for (i = 0; i < 6; ++i) printf(" %d", values[i]);
  printf("\n");
}

static void use_datasets(hid_t file, hid_t kind) {
  const hsize_t dims[1] = {6}, start[1] = {1}, stride[1] = {2}, count[1] = {3};
  int values[6] = {1, 2, 3, 4, 5, 6};
  hid_t space = H5Screate_simple(1, dims, NULL), part = H5Scopy(space), set, attribute;
  set = H5Dcreate2(file, "kinds", kind, space, NONE, NONE, NONE);
  TRY(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values));
  CALL(H5Tregister(H5T_PERS_SOFT, "number to kind", H5T_NATIVE_INT, kind, to_enum));
  CALL(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values));
  show(set, kind);
  H5Sselect_hyperslab(part, H5S_SELECT_SET, start, stride, count, NULL);
  CALL(H5Dwrite(set, H5T_NATIVE_INT, part, part, NONE, values));
  CALL(H5Dwrite(set, H5T_NATIVE_INT, part, part, NONE, values));
  show(set, kind);
  attribute = H5Acreate2(set, "kind", kind, space, NONE, NONE);
  CALL(H5Awrite(attribute, H5T_NATIVE_INT, values));
  CALL(H5Aread(attribute, kind, values));
  printf(" %d %d\n", values[0], values[5]);
  H5Aclose(attribute);
  CALL(H5Tunregister(H5T_PERS_SOFT, "number to kind", -1, -1, NULL));
  TRY(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values));
  CALL(H5Tregister(H5T_PERS_HARD, "refuses", H5T_NATIVE_INT, H5T_NATIVE_SHORT, refuse_all));
  H5Dclose(set);
  set = H5Dcreate2(file, "numbers", H5T_NATIVE_INT, space, NONE, NONE, NONE);
  CALL(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values));
  TRY(H5Dread(set, H5T_NATIVE_SHORT, H5S_ALL, H5S_ALL, NONE, values));
  CALL(H5Tunregister(H5T_PERS_HARD, "refuses", -1, -1, NULL));
  CALL(H5Dread(set, H5T_NATIVE_SHORT, H5S_ALL, H5S_ALL, NONE, values));
  H5Dclose(set);
  H5Sclose(part);
  H5Sclose(space);
}

static void use_compounds(hid_t file, hid_t kind) {
  const hsize_t dims[1] = {2};
  Pair pairs[2] = {{3, 30}, {4, 40}};
  hid_t space = H5Screate_simple(1, dims, NULL), memory, stored, set;
  memory = H5Tcreate(H5T_COMPOUND, sizeof(Pair));
  H5Tinsert(memory, "number", HOFFSET(Pair, number), H5T_NATIVE_INT);
  H5Tinsert(memory, "small", HOFFSET(Pair, small), H5T_NATIVE_SHORT);
  stored = H5Tcreate(H5T_COMPOUND, 8);
  H5Tinsert(stored, "number", 0, kind);
  H5Tinsert(stored, "small", 4, H5T_STD_I32BE);
  CALL(H5Tregister(H5T_PERS_SOFT, "number to kind", H5T_NATIVE_INT, kind, to_enum));
  set = H5Dcreate2(file, "pairs", stored, space, NONE, NONE, NONE);
  CALL(H5Dwrite(set, memory, H5S_ALL, H5S_ALL, NONE, pairs));
  CALL(H5Tunregister(H5T_PERS_SOFT, "number to kind", -1, -1, NULL));
  H5Dclose(set);
  H5Tclose(memory);
  H5Tclose(stored);
  H5Sclose(space);
}

int main(void) {
  int value;
  hid_t file, kind;
  quiet();
  file = new_file("conversions_own.h5");
  kind = H5Tenum_create(H5T_NATIVE_INT);
  value = 10;
  H5Tenum_insert(kind, "TEN", &value);
  value = 20;
  H5Tenum_insert(kind, "TWENTY", &value);
  use_datasets(file, kind);
  use_compounds(file, kind);
  H5Tclose(kind);
  CALL(H5Fclose(file));
  return 0;
}
