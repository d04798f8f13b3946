/* SPDX-License-Identifier: Apache-2.0
 *
 * Datasets of more than 2^64 elements, which netCDF's tests create: chunks may belong to such an extent. */
#include "show.h"

static const hsize_t huge[3] = {1804289383, 846930886, 1681692777}, chunk[3] = {107, 50, 100};

static void show_dataset(hid_t file, const char* name) {
  H5O_info1_t info;
  hsize_t dims[3] = {0}, most[3] = {0}, chunks[3] = {0};
  hid_t set = H5Dopen2(file, name, NONE), space = H5Dget_space(set), list = H5Dget_create_plist(set);
  CALL_ID(set);
  CALL(H5Sget_simple_extent_dims(space, dims, most));
  printf("%llu %llu %llu\n", (unsigned long long)dims[0], (unsigned long long)dims[1],
         (unsigned long long)dims[2]);
  CALL(H5Pget_chunk(list, 3, chunks));
  VALUE(most[2] == dims[2] && chunks[0] == chunk[0]);
  CALL(H5Dget_storage_size(set));
  CALL(H5Oget_info_by_name(file, name, &info, NONE));
  VALUE(info.type);
  H5Pclose(list);
  H5Sclose(space);
  H5Dclose(set);
}

int main(void) {
  hid_t file, space, list, set;
  quiet();
  file = new_file("huge.h5");
  space = H5Screate_simple(3, huge, NULL);
  CALL_ID(space);
  list = H5Pcreate(H5P_DATASET_CREATE);
  TRY(H5Dcreate2(file, "contiguous", H5T_NATIVE_FLOAT, space, NONE, list, NONE) >= 0);
  H5Pset_layout(list, H5D_COMPACT);
  TRY(H5Dcreate2(file, "compact", H5T_NATIVE_FLOAT, space, NONE, list, NONE) >= 0);
  H5Pset_chunk(list, 3, chunk);
  set = H5Dcreate2(file, "chunked", H5T_NATIVE_FLOAT, space, NONE, list, NONE);
  CALL_ID(set);
  CALL(H5Dclose(set));
  H5Pset_deflate(list, 3);
  set = H5Dcreate2(file, "filtered", H5T_NATIVE_DOUBLE, space, NONE, list, NONE);
  CALL_ID(set);
  CALL(H5Dclose(set));
  show_dataset(file, "chunked");
  CALL(H5Fclose(file));
  file = H5Fopen("huge.h5", H5F_ACC_RDWR, NONE);
  show_dataset(file, "chunked");
  show_dataset(file, "filtered");
  CALL(H5Ldelete(file, "filtered", NONE));
  CALL(H5Fclose(file));
  remove("huge.h5"); /* nobody wants to print all elements */
  return 0;
}
