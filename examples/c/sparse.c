/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of the programming model for sparse data: the matrix of 13 x 10 elements of the RFC in structured
 * chunks of 4 x 5. Only what is written is stored and defined. */
#include <hdf5.h>
#include <stdio.h>

enum { rows = 13, columns = 10 };

/* The element at (i, j) of the matrix, if it is defined. */
static int value(int i, int j) { return 10 * (3 * i + 1) + 3 * (j - 2) - 4; }

int main(int argc, char** argv) {
  const hsize_t dims[2] = {rows, columns}, chunk[2] = {4, 5};
  const hsize_t first_start[2] = {2, 2}, first_count[2] = {2, 3};
  const hsize_t second_start[2] = {8, 6}, second_count[2] = {3, 2};
  int numbers[rows][columns], back[rows][columns], i, j;
  for (i = 0; i < rows; ++i)
    for (j = 0; j < columns; ++j) numbers[i][j] = value(i, j);

  /* 1. and 2. Sparse chunks, with shuffle and deflate for the values. */
  hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  const unsigned level = 6;
  H5Pset_struct_chunk(creation, 2, chunk, H5D_SPARSE_CHUNK);
  H5Pset_filter2(creation, H5Z_FLAG_SPARSE_FIXED_DATA, H5Z_FILTER_SHUFFLE, H5Z_FLAG_OPTIONAL, 0, NULL);
  H5Pset_filter2(creation, H5Z_FLAG_SPARSE_FIXED_DATA, H5Z_FILTER_DEFLATE, H5Z_FLAG_OPTIONAL, sizeof level,
                 &level);

  /* 3. Create the dataset as usual. */
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  hid_t file = H5Fcreate(argc > 1 ? argv[1] : "sparse.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  hid_t space = H5Screate_simple(2, dims, NULL);
  hid_t dataset = H5Dcreate2(file, "matrix", H5T_STD_I32LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  if (dataset < 0) return 1;

  /* 4. Write a selection of a dense array. */
  H5Sselect_hyperslab(space, H5S_SELECT_SET, first_start, NULL, first_count, NULL);
  H5Sselect_hyperslab(space, H5S_SELECT_OR, second_start, NULL, second_count, NULL);
  if (H5Dwrite(dataset, H5T_NATIVE_INT, space, space, H5P_DEFAULT, numbers) < 0) return 1;

  /* 5. Query the defined elements and how they are stored. */
  hid_t defined = H5Dget_defined(dataset, H5S_ALL, H5P_DEFAULT);
  printf("%lld of %d elements are defined, in %lld bytes\n", (long long)H5Sget_select_npoints(defined),
         rows * columns, (long long)H5Dget_storage_size(dataset));
  if (H5Sget_select_npoints(defined) != 12) return 1;
  if (H5Dread(dataset, H5T_NATIVE_INT, defined, defined, H5P_DEFAULT, back) < 0) return 1;
  for (i = 2; i < 4; ++i)
    for (j = 2; j < 5; ++j) printf("%4d", back[i][j]);
  printf("\n");

  /* 6. Erased elements read as the fill value again. */
  H5Sselect_hyperslab(space, H5S_SELECT_SET, first_start, NULL, first_count, NULL);
  if (H5Derase(dataset, space, H5P_DEFAULT) < 0) return 1;
  if (H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, back) < 0) return 1;
  if (back[2][2] != 0 || back[8][6] != value(8, 6)) return 1;
  H5Sclose(defined);
  defined = H5Dget_defined(dataset, H5S_ALL, H5P_DEFAULT);
  printf("%lld are left\n", (long long)H5Sget_select_npoints(defined));

  H5Sclose(defined);
  H5Sclose(space);
  H5Dclose(dataset);
  H5Pclose(creation);
  H5Pclose(access);
  return H5Fclose(file) < 0;
}
