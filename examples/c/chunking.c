/* SPDX-License-Identifier: Apache-2.0 */
/* The programs of "Chunking in HDF5": a dataset in chunks of 4 x 4, and one in columns that is
 * partly written. The third sets a chunk cache that holds a row of chunks. */
#include <hdf5.h>
#include <stdio.h>

static int whole(hid_t file) {
  const hsize_t dims[2] = {12, 12}, chunk[2] = {4, 4};
  int numbers[12][12], back[12][12], i, j;
  for (i = 0; i < 12; ++i)
    for (j = 0; j < 12; ++j) numbers[i][j] = 100 * i + j;
  hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(creation, 2, chunk);
  hid_t space = H5Screate_simple(2, dims, NULL);
  hid_t dataset = H5Dcreate2(file, "squares", H5T_NATIVE_INT, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  int bad = H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) < 0 ||
            H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, back) < 0;
  for (i = 0; i < 12; ++i)
    for (j = 0; j < 12; ++j) bad = bad || back[i][j] != numbers[i][j];
  H5Dclose(dataset);
  H5Sclose(space);
  H5Pclose(creation);
  return bad;
}

static int column(hid_t file) {
  const hsize_t dims[2] = {10, 10}, chunk[2] = {10, 1}, line[1] = {5}, start[2] = {3, 2}, count[2] = {5, 1};
  int numbers[5] = {1, 2, 3, 4, 5}, back[10][10], i, j, bad;
  hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(creation, 2, chunk);
  hid_t in_file = H5Screate_simple(2, dims, NULL), in_memory = H5Screate_simple(1, line, NULL);
  hid_t dataset = H5Dcreate2(file, "columns", H5T_NATIVE_INT, in_file, H5P_DEFAULT, creation, H5P_DEFAULT);
  H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start, NULL, count, NULL);
  bad = H5Dwrite(dataset, H5T_NATIVE_INT, in_memory, in_file, H5P_DEFAULT, numbers) < 0 ||
        H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, back) < 0;
  for (i = 0; i < 10; ++i)
    for (j = 0; j < 10; ++j) bad = bad || back[i][j] != (j == 2 && i >= 3 && i < 8 ? i - 2 : 0);
  H5Dclose(dataset);
  H5Sclose(in_file);
  H5Sclose(in_memory);
  H5Pclose(creation);
  return bad;
}

static int with_cache(hid_t file) {
  int back[12][12];
  hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
  /* Three chunks of 64 bytes, a hundred slots for each. Fully read chunks are evicted first. */
  H5Pset_chunk_cache(access, 307, 3 * 64, 1);
  hid_t dataset = H5Dopen2(file, "squares", access);
  int bad = H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, back) < 0 || back[11][11] != 1111;
  H5Dclose(dataset);
  H5Pclose(access);
  return bad;
}

int main(int argc, char** argv) {
  hid_t file = H5Fcreate(argc > 1 ? argv[1] : "chunking.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  int bad = file < 0 || whole(file) || column(file) || with_cache(file);
  printf("%s\n", bad ? "something went wrong" : "all elements are where they belong");
  return H5Fclose(file) < 0 || bad;
}
