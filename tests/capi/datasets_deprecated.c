/* SPDX-License-Identifier: Apache-2.0
 *
 * Deprecated functions on datasets and attributes, anonymous datasets, and memory selections. */
#include <hdf5_hl.h>
#include "show.h"

static void use_old_names(hid_t file) {
  const hsize_t dims[2] = {3, 4}, larger[2] = {5, 4}, most[2] = {H5S_UNLIMITED, 4}, chunk[2] = {2, 2};
  int values[20], i;
  hsize_t now[2];
  hid_t list = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(2, dims, most), set, again, attribute;
  for (i = 0; i < 20; ++i) values[i] = i * i;
  H5Pset_chunk(list, 2, chunk);
  set = H5Dcreate1(file, "old", H5T_STD_I16BE, space, list);
  CALL_ID(set);
  SHOW_FAILURE(H5Dcreate1(file, "old", H5T_STD_I16BE, space, list));
  SHOW_FAILURE(H5Dcreate1(file, "", H5T_STD_I16BE, space, list));
  CALL(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values));
  CALL(H5Dextend(set, larger));
  CALL(H5Dextend(set, dims)); /* never shrinks it */
  again = H5Dget_space(set);
  H5Sget_simple_extent_dims(again, now, NULL);
  printf("%d %d\n", (int)now[0], (int)now[1]);
  H5Sclose(again);
  CALL(H5Dflush(set));
  CALL(H5Drefresh(set));
  CALL(H5Dget_offset(set) == HADDR_UNDEF);
  CALL(H5Dclose(set));
  set = H5Dopen1(file, "old");
  CALL_ID(set);
  SHOW_FAILURE(H5Dopen1(file, "absent"));
  memset(values, 0, sizeof values);
  CALL(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values));
  for (i = 0; i < 20; ++i) printf("%d ", values[i]);
  printf("\n");
  again = H5Dget_access_plist(set);
  CALL_ID(again);
  CALL(H5Pisa_class(again, H5P_DATASET_ACCESS));
  H5Pclose(again);
  H5Sclose(space);
  space = H5Screate(H5S_SCALAR);
  attribute = H5Acreate1(set, "of old", H5T_STD_I32LE, space, NONE);
  CALL_ID(attribute);
  CALL(H5Awrite(attribute, H5T_NATIVE_INT, values + 3));
  CALL(H5Aclose(attribute));
  attribute = H5Aopen_name(set, "of old");
  CALL_ID(attribute);
  CALL(H5Aread(attribute, H5T_NATIVE_INT, &i));
  VALUE(i);
  again = H5Aget_create_plist(attribute);
  CALL(H5Pisa_class(again, H5P_ATTRIBUTE_CREATE));
  H5Pclose(again);
  H5Aclose(attribute);
  attribute = H5Aopen_idx(set, 0);
  CALL_ID(attribute);
  H5Aclose(attribute);
  SHOW_FAILURE(H5Aopen_idx(set, 1));
  SHOW_FAILURE(H5Aopen_name(set, "absent"));
  H5Sclose(space);
  H5Pclose(list);
  H5Dclose(set);
}

static void use_unnamed(hid_t file) {
  const hsize_t dims[1] = {4};
  int values[4] = {4, 3, 2, 1};
  hid_t space = H5Screate_simple(1, dims, NULL), set;
  set = H5Dcreate_anon(file, H5T_STD_I32LE, space, NONE, NONE);
  CALL_ID(set);
  CALL(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values));
  CALL(H5Dget_offset(set) == HADDR_UNDEF);
  CALL(H5Iget_name(set, NULL, 0));
  CALL(H5Olink(set, file, "named later", NONE, NONE));
  CALL(H5Dclose(set));
  set = H5Dcreate_anon(file, H5T_STD_I32LE, space, NONE, NONE);
  CALL(H5Dclose(set));
  SHOW_FAILURE(H5Dcreate_anon(file, file, space, NONE, NONE));
  SHOW_FAILURE(H5Dcreate_anon(-1, H5T_STD_I32LE, space, NONE, NONE));
  H5Sclose(space);
}

static int left = 3;

static herr_t give_data(const void** data, size_t* bytes, void* user) {
  static int part[4] = {7, 8, 9, 10};
  (void)user;
  if (left-- == 0) return -1;
  *data = part;
  *bytes = sizeof part;
  return 0;
}

static herr_t take_data(const void* data, size_t bytes, void* user) {
  (void)user;
  printf("  took %d bytes, the first is %d\n", (int)bytes, *(const int*)data);
  return 0;
}

static herr_t refuse_data(const void* data, size_t bytes, void* user) {
  (void)data;
  (void)bytes;
  (void)user;
  return -1;
}

static void use_memory(void) {
  const hsize_t dims[1] = {16}, start[1] = {1}, stride[1] = {2}, count[1] = {8};
  int memory[16], part[12], i;
  hid_t space = H5Screate_simple(1, dims, NULL);
  for (i = 0; i < 16; ++i) memory[i] = 100 + i;
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, NULL);
  CALL(H5Dgather(space, memory, H5T_NATIVE_INT, 16, part, take_data, NULL));
  CALL(H5Dgather(space, memory, H5T_NATIVE_INT, sizeof part, part, NULL, NULL));
  TRY(H5Dgather(space, memory, H5T_NATIVE_INT, 16, part, NULL, NULL));
  TRY(H5Dgather(space, memory, H5T_NATIVE_INT, 16, part, refuse_data, NULL));
  TRY(H5Dgather(space, memory, H5T_NATIVE_INT, 1, part, take_data, NULL));
  CALL(H5Dscatter(give_data, NULL, H5T_NATIVE_INT, space, memory));
  for (i = 0; i < 16; ++i) printf("%d ", memory[i]);
  printf("\n");
  TRY(H5Dscatter(give_data, NULL, H5T_NATIVE_INT, space, memory));
  TRY(H5Dscatter(NULL, NULL, H5T_NATIVE_INT, space, memory));
  H5Sclose(space);
}

static void use_chunks(hid_t file) {
  const hsize_t dims[2] = {4, 4}, chunk[2] = {2, 2}, at[2] = {2, 0}, off[2] = {1, 0};
  int values[4] = {5, 6, 7, 8}, found[4] = {0, 0, 0, 0};
  uint32_t mask = 9;
  hid_t list = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(2, dims, NULL), set;
  H5Pset_chunk(list, 2, chunk);
  set = H5Dcreate2(file, "chunks", H5T_NATIVE_INT, space, NONE, list, NONE);
  CALL(H5DOwrite_chunk(set, NONE, 0, at, sizeof values, values));
  CALL(H5DOread_chunk(set, NONE, at, &mask, found));
  printf("%u: %d %d %d %d\n", (unsigned)mask, found[0], found[1], found[2], found[3]);
  TRY(H5DOwrite_chunk(set, NONE, 0, off, sizeof values, values));
  TRY(H5DOread_chunk(set, NONE, off, &mask, found));
  H5Dclose(set);
  H5Pclose(list);
  H5Sclose(space);
}

int main(void) {
  hid_t file;
  quiet();
  file = new_file("datasets_old.h5");
  use_old_names(file);
  use_unnamed(file);
  use_memory();
  use_chunks(file);
  CALL(H5Fclose(file));
  return 0;
}
