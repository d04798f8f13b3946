/* SPDX-License-Identifier: Apache-2.0
 *
 * What the programs on sparse datasets share: the matrix of figure 1 of the programming model. */
#ifndef FILIGREE_RFC_SPARSE_H
#define FILIGREE_RFC_SPARSE_H

#include <hdf5.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define ROWS 13
#define COLUMNS 10
#define DEFINED 23 /* a block of 3 x 6 elements and 5 single ones */

static const hsize_t matrix_dims[2] = {ROWS, COLUMNS}, matrix_chunk[2] = {4, 5};

static hid_t new_file(const char* name) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), file;
  H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  H5Pclose(access);
  return file;
}

static hid_t sparse_plist(void) {
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_struct_chunk(plist, 2, matrix_chunk, H5D_SPARSE_CHUNK);
  return plist;
}

static hid_t new_dataset(hid_t file, const char* name, hid_t type, hid_t creation) {
  hid_t space = H5Screate_simple(2, matrix_dims, NULL);
  hid_t made = H5Dcreate2(file, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  H5Sclose(space);
  return made;
}

/* The elements of the figure that are not zero. */
static hid_t matrix_selection(void) {
  const hsize_t start[2] = {2, 2}, count[2] = {3, 6}, one[2] = {1, 1};
  const hsize_t single[5][2] = {{5, 9}, {6, 0}, {6, 2}, {11, 1}, {12, 8}};
  hid_t space = H5Screate_simple(2, matrix_dims, NULL);
  int i;
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
  for (i = 0; i < 5; ++i) H5Sselect_hyperslab(space, H5S_SELECT_OR, single[i], NULL, one, NULL);
  return space;
}

static void fill_matrix(int values[ROWS][COLUMNS]) {
  int i, j;
  memset(values, 0, ROWS * COLUMNS * sizeof(int));
  for (i = 2; i < 5; ++i)
    for (j = 2; j < 8; ++j) values[i][j] = 66 + 30 * (i - 2) + 3 * (j - 2);
  values[5][9] = 2;
  values[6][0] = 100;
  values[6][2] = -100;
  values[11][1] = 1;
  values[12][8] = 3;
}

static herr_t write_matrix(hid_t set) {
  int values[ROWS][COLUMNS];
  hid_t space = matrix_selection();
  herr_t status;
  fill_matrix(values);
  status = H5Dwrite(set, H5T_NATIVE_INT, space, space, H5P_DEFAULT, values);
  H5Sclose(space);
  return status;
}

/* Whether the dataset has the values of the figure, with `other` where nothing was written. */
static int reads_matrix(hid_t set, int other) {
  int values[ROWS][COLUMNS], back[ROWS][COLUMNS], i, j;
  fill_matrix(values);
  memset(back, 0x55, sizeof back);
  if (H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, back) < 0) return 0;
  for (i = 0; i < ROWS; ++i)
    for (j = 0; j < COLUMNS; ++j)
      if (back[i][j] != (values[i][j] != 0 ? values[i][j] : other)) return 0;
  return 1;
}

/* The number of defined elements in a selection, or -1. */
static long long count_defined(hid_t set, hid_t selection) {
  hid_t defined = H5Dget_defined(set, selection, H5P_DEFAULT);
  long long count = defined < 0 ? -1 : (long long)H5Sget_select_npoints(defined);
  if (defined >= 0) H5Sclose(defined);
  return count;
}

/* What H5Sencode2 makes of a block of the upper left chunk: rows 2 and 3, columns 2 to 4. */
static size_t encode_block(void* into, size_t capacity) {
  const hsize_t start[2] = {2, 2}, count[2] = {2, 3};
  hid_t space = H5Screate_simple(2, matrix_chunk, NULL);
  size_t bytes = 0;
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
  /* Without a buffer the size is returned; with a larger buffer than needed it is not. */
  if (H5Sencode2(space, NULL, &bytes, H5P_DEFAULT) < 0 || bytes > capacity ||
      H5Sencode2(space, into, &bytes, H5P_DEFAULT) < 0)
    bytes = 0;
  H5Sclose(space);
  return bytes;
}

static const int block_values[6] = {66, 69, 72, 96, 99, 102};

/* Whether the dataset has exactly the values of the block. */
static int reads_block(hid_t set) {
  int back[ROWS][COLUMNS], i, j;
  if (H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, back) < 0) return 0;
  for (i = 0; i < ROWS; ++i) {
    for (j = 0; j < COLUMNS; ++j) {
      const int inside = i >= 2 && i <= 3 && j >= 2 && j <= 4;
      if (back[i][j] != (inside ? block_values[3 * (i - 2) + j - 2] : 0)) return 0;
    }
  }
  return count_defined(set, H5S_ALL) == 6;
}

/* Deflates into new memory. */
static void* deflated(const void* data, size_t bytes, size_t* made) {
  uLongf bound = compressBound((uLong)bytes);
  void* const to = malloc(bound);
  compress2(to, &bound, data, (uLong)bytes, 6);
  *made = bound;
  return to;
}

#endif
