/* SPDX-License-Identifier: Apache-2.0
 *
 * Chunks of more than 2^32 elements: their cost depends on the defined elements only. */
#include "show.h"

static void write_one(hid_t set, hid_t space, hsize_t row, hsize_t column, int value) {
  const hsize_t at[2] = {row, column};
  const hsize_t one = 1;
  const hid_t memory = H5Screate_simple(1, &one, NULL);
  SHOW(H5Sselect_elements(space, H5S_SELECT_SET, 1, at));
  SHOW(H5Dwrite(set, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, &value));
  H5Sclose(memory);
}

static void read_one(hid_t set, hid_t space, hsize_t row, hsize_t column) {
  const hsize_t at[2] = {row, column};
  const hsize_t one = 1;
  int value = -1;
  const hid_t memory = H5Screate_simple(1, &one, NULL);
  SHOW(H5Sselect_elements(space, H5S_SELECT_SET, 1, at));
  SHOW(H5Dread(set, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, &value));
  printf("(%llu, %llu) is %d\n", (unsigned long long)row, (unsigned long long)column, value);
  H5Sclose(memory);
}

int main(void) {
  const hsize_t dims[2] = {200000, 200000}, chunk[2] = {100000, 100000};
  const hsize_t long_dims[2] = {2, (hsize_t)1 << 34}, long_chunk[2] = {1, (hsize_t)1 << 33};
  const hsize_t too_large[2] = {(hsize_t)1 << 33, (hsize_t)1 << 33};
  const hsize_t most[2] = {H5S_UNLIMITED, H5S_UNLIMITED};
  hsize_t start[2] = {0, 0}, count[2] = {100000, 100001};
  const hid_t file = H5Fcreate("volume.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  SHOW(H5Pset_struct_chunk(creation, 2, chunk, H5D_SPARSE_CHUNK));
  const hid_t space = H5Screate_simple(2, dims, NULL);
  hid_t set = H5Dcreate2(file, "square", H5T_NATIVE_INT, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  write_one(set, space, 99999, 99999, 1);
  write_one(set, space, 3, 100000, 2);
  write_one(set, space, 199999, 199999, 3);
  SHOW(H5Dclose(set));
  set = H5Dopen2(file, "square", H5P_DEFAULT);
  read_one(set, space, 99999, 99999);
  read_one(set, space, 199999, 199999);
  read_one(set, space, 5, 5);
  hid_t defined = H5Dget_defined(set, H5S_ALL, H5P_DEFAULT);
  SHOW((int)H5Sget_select_npoints(defined));
  H5Sclose(defined);
  SHOW(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL));
  defined = H5Dget_defined(set, space, H5P_DEFAULT);
  SHOW((int)H5Sget_select_npoints(defined));
  H5Sclose(defined);
  SHOW(H5Derase(set, space, H5P_DEFAULT));
  defined = H5Dget_defined(set, H5S_ALL, H5P_DEFAULT);
  SHOW((int)H5Sget_select_npoints(defined));
  H5Sclose(defined);
  printf("takes %s bytes\n", H5Dget_storage_size(set) < 200 ? "few" : "many");
  SHOW(H5Dclose(set));

  const hid_t long_space = H5Screate_simple(2, long_dims, NULL);
  SHOW(H5Pset_struct_chunk(creation, 2, long_chunk, H5D_SPARSE_CHUNK));
  set = H5Dcreate2(file, "rows", H5T_NATIVE_INT, long_space, H5P_DEFAULT, creation, H5P_DEFAULT);
  write_one(set, long_space, 1, ((hsize_t)1 << 34) - 1, 4);
  read_one(set, long_space, 1, ((hsize_t)1 << 34) - 1);
  read_one(set, long_space, 0, (hsize_t)1 << 33);
  SHOW(H5Dclose(set));

  /* The number of elements of such a chunk exceeds 64 bits. */
  const hid_t growing = H5Screate_simple(2, dims, most);
  SHOW_FAILURE(H5Pset_struct_chunk(creation, 2, too_large, H5D_SPARSE_CHUNK));
  SHOW(H5Fclose(file));
  H5Sclose(growing);
  H5Sclose(long_space);
  H5Sclose(space);
  H5Pclose(creation);
  return 0;
}
