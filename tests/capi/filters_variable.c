/* SPDX-License-Identifier: Apache-2.0 */
/* Filters of datasets with variable-length values. HDF5 does not set them up for such datatypes: filters that
 * need parameters are skipped when a chunk is written, if they are optional, and refused otherwise. */
#include "show.h"

static int can_apply_calls, set_local_calls;

static htri_t can_apply(hid_t plist, hid_t type, hid_t space) {
  ++can_apply_calls;
  return 1;
}
static herr_t set_local(hid_t plist, hid_t type, hid_t space) {
  ++set_local_calls;
  return 0;
}
static size_t keep(unsigned flags, size_t count, const unsigned* values, size_t bytes, size_t* size,
                   void** buffer) {
  return bytes;
}
static const H5Z_class2_t user_filter = {H5Z_CLASS_T_VERS, 400, 1, 1, "user", can_apply, set_local, keep};

static hid_t chunked(void) {
  hsize_t chunk = 4;
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(plist, 1, &chunk);
  return plist;
}

static void show_filters(hid_t set) {
  hid_t plist = H5Dget_create_plist(set);
  int i, count = H5Pget_nfilters(plist);
  for (i = 0; i < count; ++i) {
    unsigned flags = 0, values[32] = {0}, config;
    size_t n = 32, k;
    H5Z_filter_t id = H5Pget_filter2(plist, i, &flags, &n, values, 0, NULL, &config);
    printf("  filter %d flags %u values", (int)id, flags);
    for (k = 0; k < n; ++k) printf(" %u", values[k]);
    printf("\n");
  }
  H5Pclose(plist);
}

static void show_chunks(hid_t set) {
  hid_t space = H5Dget_space(set);
  hsize_t count = 0, i, offset, bytes;
  unsigned mask;
  haddr_t address;
  CALL(H5Dget_num_chunks(set, space, &count));
  VALUE(count);
  for (i = 0; i < count; ++i) {
    H5Dget_chunk_info(set, space, i, &offset, &mask, &address, &bytes);
    printf("  chunk at %d: mask %u, %s bytes\n", (int)offset, mask, bytes == 0 ? "no" : "some");
  }
  H5Sclose(space);
}

enum { text, sequence, record, array };

static hid_t make_type(int kind) {
  hid_t string = H5Tcopy(H5T_C_S1), made;
  hsize_t two = 2;
  H5Tset_size(string, H5T_VARIABLE);
  if (kind == text) return string;
  if (kind == sequence) return H5Tvlen_create(H5T_NATIVE_INT);
  if (kind == array) return H5Tarray_create2(string, 1, &two);
  made = H5Tcreate(H5T_COMPOUND, 16);
  H5Tinsert(made, "number", 0, H5T_NATIVE_INT);
  H5Tinsert(made, "text", 8, string);
  return made;
}

/* Writes six elements, and reads them from the file that was closed in between. */
static void exchange(hid_t file, const char* name, int kind, hid_t plist) {
  hsize_t size = 6;
  hid_t type = make_type(kind), space = H5Screate_simple(1, &size, NULL);
  hid_t set = H5Dcreate2(file, name, type, space, NONE, plist, NONE);
  int numbers[3] = {7, 8, 9}, i;
  const char* words[12] = {"one", "two", "three", "four", "five", "six", "a", "b", "c", "d", "e", "f"};
  char* found[12] = {0};
  struct {
    int number;
    const char* text;
  } records[6];
  hvl_t lists[6], read[6];
  printf("-- %s\n", name);
  show_result("created", set < 0 ? -1 : 0);
  if (set < 0) return;
  show_filters(set);
  for (i = 0; i < 6; ++i) {
    records[i].number = i;
    records[i].text = words[i];
    lists[i].len = i % 4;
    lists[i].p = numbers;
  }
  CALL(H5Dwrite(set, type, H5S_ALL, H5S_ALL, NONE,
                kind == sequence ? (void*)lists
                : kind == record ? (void*)records
                                 : (void*)words));
  H5Dclose(set);
  set = H5Dopen2(file, name, NONE);
  show_chunks(set);
  if (kind == sequence) {
    CALL(H5Dread(set, type, H5S_ALL, H5S_ALL, NONE, read));
    for (i = 0; i < 6; ++i) printf("  %d: %d %d\n", i, (int)read[i].len, read[i].len ? *(int*)read[i].p : -1);
  } else if (kind == record) {
    memset(records, 0, sizeof records);
    CALL(H5Dread(set, type, H5S_ALL, H5S_ALL, NONE, records));
    for (i = 0; i < 6; ++i) printf("  %d: %d %s\n", i, records[i].number, records[i].text);
  } else {
    CALL(H5Dread(set, type, H5S_ALL, H5S_ALL, NONE, found));
    for (i = 0; i < (kind == array ? 12 : 6); ++i) printf("  %d: %s\n", i, found[i]);
  }
  H5Dclose(set);
  H5Sclose(space);
  H5Tclose(type);
}

static void with_type(hid_t file, const char* prefix, int kind) {
  static const struct {
    const char* name;
    unsigned filters; /* 1 shuffle, 2 deflate, 4 fletcher32, 8 n-bit, 16 user, mandatory: 32 shuffle, 64
                         deflate, 128 user, 256 scale-offset */
  } cases[] = {{"shuffle", 1},
               {"shuffle-deflate", 3},
               {"deflate", 2},
               {"fletcher", 4},
               {"shuffle-fletcher", 5},
               {"nbit", 8},
               {"user", 16},
               {"mandatory-shuffle", 32},
               {"mandatory-deflate", 64},
               {"mandatory-user", 128},
               {"scale-offset", 256},
               {"deflate-scale-offset", 258}};
  size_t i;
  for (i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char name[64];
    unsigned f = cases[i].filters, level = 6;
    hid_t plist;
    /* HDF5 itself reads parameters that it was not given. */
    if ((f & 8) && (kind == text || kind == sequence)) continue;
    plist = chunked();
    if (f & 1) H5Pset_shuffle(plist);
    if (f & 2) H5Pset_deflate(plist, 6);
    if (f & 4) H5Pset_fletcher32(plist);
    if (f & 8) H5Pset_nbit(plist);
    if (f & 16) H5Pset_filter(plist, 400, H5Z_FLAG_OPTIONAL, 0, NULL);
    if (f & 32) H5Pset_filter(plist, H5Z_FILTER_SHUFFLE, H5Z_FLAG_MANDATORY, 0, NULL);
    if (f & 64) H5Pset_filter(plist, H5Z_FILTER_DEFLATE, H5Z_FLAG_MANDATORY, 1, &level);
    if (f & 128) H5Pset_filter(plist, 400, H5Z_FLAG_MANDATORY, 0, NULL);
    if (f & 256) H5Pset_scaleoffset(plist, H5Z_SO_INT, 0);
    snprintf(name, sizeof name, "%s %s", prefix, cases[i].name);
    can_apply_calls = set_local_calls = 0;
    exchange(file, name, kind, plist);
    printf("  can_apply %s, set_local %s\n", can_apply_calls ? "called" : "not called",
           set_local_calls ? "called" : "not called");
    H5Pclose(plist);
  }
}

/* A chunk that says which filters it was stored without needs only the others. */
static void masked_chunk(hid_t file) {
  hsize_t size = 8, offset = 0, second = 4;
  int values[4] = {1, 2, 3, 4}, found[8] = {0}, i;
  unsigned none = 0;
  hid_t space = H5Screate_simple(1, &size, NULL), plist = chunked(), set;
  H5Pset_filter(plist, H5Z_FILTER_SHUFFLE, H5Z_FLAG_MANDATORY, 0, NULL);
  H5Pset_filter(plist, H5Z_FILTER_DEFLATE, H5Z_FLAG_OPTIONAL, 1, &none);
  set = H5Dcreate2(file, "masked", H5T_STD_I32LE, space, NONE, plist, NONE);
  CALL(H5Dwrite_chunk(set, NONE, 3, &offset, sizeof values, values));
  CALL(H5Dwrite_chunk(set, NONE, 3, &second, sizeof values, values));
  H5Dclose(set);
  set = H5Dopen2(file, "masked", NONE);
  show_chunks(set);
  CALL(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, found));
  for (i = 0; i < 8; ++i) printf(" %d", found[i]);
  printf("\n");
  H5Dclose(set);
  H5Pclose(plist);
  H5Sclose(space);
}

int main(void) {
  hid_t file;
  quiet();
  H5Zregister(&user_filter);
  file = new_file("filters_variable.hdf");
  with_type(file, "text", text);
  with_type(file, "sequence", sequence);
  with_type(file, "record", record);
  with_type(file, "array", array);
  masked_chunk(file);
  H5Fclose(file);
  return 0;
}
