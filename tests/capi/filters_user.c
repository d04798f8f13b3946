/* SPDX-License-Identifier: Apache-2.0
 *
 * Filters: availability, and user-defined filters. */
#include "show.h"

#define MINE 300

/* HDF5 leaves the failed search for plugins on the error stack of a successful call. */
#define VALUE(expression) printf(#expression " = %d\n", (int)(expression))

static int refuse = 0;

static htri_t may_apply(hid_t list, hid_t type, hid_t space) {
  printf("may apply: %lu bytes, %d dimensions, %d filters\n", (unsigned long)H5Tget_size(type),
         H5Sget_simple_extent_ndims(space), H5Pget_nfilters(list));
  return refuse ? 0 : 1;
}

static herr_t set_local(hid_t list, hid_t type, hid_t space) {
  unsigned values[2] = {7, 0};
  (void)space;
  values[1] = (unsigned)H5Tget_size(type);
  printf("set local\n");
  return H5Pmodify_filter(list, MINE, 0, 2, values);
}

/* Adds the first parameter to every byte, and appends the second. */
static size_t add(unsigned flags, size_t parameters, const unsigned values[], size_t bytes, size_t* capacity,
                  void** buffer) {
  unsigned char* data = (unsigned char*)*buffer;
  size_t i;
  if (parameters != 2) return 0;
  if (flags & H5Z_FLAG_REVERSE) {
    if (data[bytes - 1] != values[1]) return 0;
    for (i = 0; i + 1 < bytes; ++i) data[i] = (unsigned char)(data[i] - values[0]);
    return bytes - 1;
  }
  if (*capacity < bytes + 1) {
    data = (unsigned char*)realloc(data, bytes + 1);
    *buffer = data;
    *capacity = bytes + 1;
  }
  for (i = 0; i < bytes; ++i) data[i] = (unsigned char)(data[i] + values[0]);
  data[bytes] = (unsigned char)values[1];
  return bytes + 1;
}

static const H5Z_class2_t mine = {H5Z_CLASS_T_VERS, MINE, 1, 1, "adds", may_apply, set_local, add};

static void transfer(hid_t file, const char* name) {
  hsize_t dims[1] = {10}, chunk[1] = {5}, offset[1] = {0};
  short values[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, back[10];
  unsigned char raw[64];
  unsigned mask = 9, flags, parameters[8], config;
  size_t count = 8;
  hsize_t bytes = 0;
  char called[16] = "";
  hid_t list = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, dims, NULL), set;
  H5Pset_chunk(list, 1, chunk);
  VALUE(H5Pset_filter(list, MINE, 0, 0, NULL));
  set = H5Dcreate2(file, name, H5T_STD_I16LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  CALL_ID(set);
  H5Pclose(list);
  if (set < 0) return;
  CALL(H5Dwrite(set, H5T_NATIVE_SHORT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  CALL(H5Dclose(set));
  set = H5Dopen2(file, name, H5P_DEFAULT);
  memset(back, 0, sizeof back);
  CALL(H5Dread(set, H5T_NATIVE_SHORT, H5S_ALL, H5S_ALL, H5P_DEFAULT, back));
  CALL(memcmp(values, back, sizeof back));
  CALL(H5Dget_chunk_storage_size(set, offset, &bytes));
  printf("%d bytes\n", (int)bytes);
  CALL(H5Dread_chunk(set, H5P_DEFAULT, offset, &mask, raw));
  show_bytes("raw", raw, (size_t)bytes);
  list = H5Dget_create_plist(set);
  CALL(H5Pget_filter2(list, 0, &flags, &count, parameters, sizeof called, called, &config));
  printf("%u: %lu parameters %u %u, %s, config %u\n", flags, (unsigned long)count, parameters[0],
         parameters[1], called, config);
  H5Pclose(list);
  H5Dclose(set);
}

int main(void) {
  unsigned flags = 99;
  int id;
  H5Z_class2_t bad = mine;
  hid_t file;
  quiet();
  for (id = -1; id < 8; ++id) {
    printf("%d:\n", id);
    VALUE(H5Zfilter_avail(id));
    CALL(H5Zget_filter_info(id, &flags));
    printf("%u\n", flags);
  }
  VALUE(H5Zfilter_avail(MINE));
  CALL(H5Zget_filter_info(MINE, &flags));
  CALL(H5Zget_filter_info(1, NULL));
  CALL(H5Zfilter_avail(70000));
  CALL(H5Zunregister(MINE));
  CALL(H5Zunregister(1));
  CALL(H5Zunregister(-1));
  CALL(H5Zunregister(70000));
  CALL(H5Zregister(NULL));
  bad.id = -1;
  CALL(H5Zregister(&bad));
  bad.id = 70000;
  CALL(H5Zregister(&bad));
  bad.id = 1;
  CALL(H5Zregister(&bad));
  bad.id = 301;
  bad.filter = NULL;
  CALL(H5Zregister(&bad));
  CALL(H5Zregister(&mine));
  CALL(H5Zregister(&mine));
  VALUE(H5Zfilter_avail(MINE));
  CALL(H5Zget_filter_info(MINE, &flags));
  printf("%u\n", flags);
  file = H5Fcreate("filters.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  transfer(file, "set");
  refuse = 1;
  transfer(file, "refused");
  CALL(H5Zunregister(MINE));
  VALUE(H5Zfilter_avail(MINE));
  transfer(file, "missing");
  CALL(H5Fclose(file));
  return 0;
}
