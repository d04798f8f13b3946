/* SPDX-License-Identifier: Apache-2.0
 *
 * Conversion to the format of HDF5 1.8 where HDF5 1.10.8 damages its memory or loses elements (unfiltered
 * partial edge chunks, version 2 B-trees), and of structured chunks, which it does not have. */
#include "show.h"

enum { rows = 13, columns = 11 };

static void show(hid_t dataset) {
  int values[rows][columns], r, c, wrong = 0;
  H5D_chunk_index_t index = H5D_CHUNK_IDX_NTYPES;
  unsigned options = 9, mask = 9;
  const hsize_t inner[2] = {0, 0}, edge[2] = {12, 10};
  hsize_t bytes = 0;
  hid_t dcpl = H5Dget_create_plist(dataset);
  CALL(H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  for (r = 0; r < rows; ++r)
    for (c = 0; c < columns; ++c) wrong += values[r][c] != 100 * r + c;
  H5Dget_chunk_index_type(dataset, &index);
  H5Pget_chunk_opts(dcpl, &options);
  printf("index %d, options %u, %d wrong values\n", (int)index, options, wrong);
  H5Dget_chunk_info_by_coord(dataset, edge, &mask, NULL, &bytes);
  printf("edge chunk: mask %u, %s\n", mask, bytes == 80 ? "unfiltered" : "filtered");
  H5Dget_chunk_info_by_coord(dataset, inner, &mask, NULL, &bytes);
  printf("inner chunk: mask %u, %s\n", mask, bytes == 80 ? "unfiltered" : "filtered");
  H5Pclose(dcpl);
}

static void one(hid_t file, const char* name, hsize_t most0, hsize_t most1, int written, int filtered) {
  const hsize_t dims[2] = {rows, columns}, chunk[2] = {4, 5}, larger[2] = {rows + 2, columns};
  hsize_t most[2];
  int values[rows][columns], r, c;
  hid_t space, dcpl = H5Pcreate(H5P_DATASET_CREATE), dataset;
  most[0] = most0;
  most[1] = most1;
  space = H5Screate_simple(2, dims, most);
  H5Pset_chunk(dcpl, 2, chunk);
  if (filtered) H5Pset_deflate(dcpl, 6);
  if (filtered) H5Pset_fletcher32(dcpl);
  H5Pset_chunk_opts(dcpl, H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS);
  printf("-- %s\n", name);
  dataset = H5Dcreate2(file, name, H5T_STD_I32LE, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
  for (r = 0; r < rows; ++r)
    for (c = 0; c < columns; ++c) values[r][c] = 100 * r + c;
  if (written) H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  if (written) show(dataset);
  CALL(H5Dformat_convert(dataset));
  if (written) show(dataset);
  CALL(H5Dclose(dataset));
  dataset = H5Dopen2(file, name, H5P_DEFAULT);
  if (written) show(dataset);
  if (most0 == H5S_UNLIMITED) CALL(H5Dset_extent(dataset, larger));
  if (most0 == H5S_UNLIMITED) CALL(H5Dset_extent(dataset, dims));
  if (written) show(dataset);
  H5Dclose(dataset);
  H5Sclose(space);
  H5Pclose(dcpl);
}

static void structured(hid_t file) {
  const hsize_t dims[1] = {10};
  hid_t space = H5Screate_simple(1, dims, NULL), dcpl = H5Pcreate(H5P_DATASET_CREATE), dataset;
  H5D_chunk_index_t index = H5D_CHUNK_IDX_NTYPES;
  puts("-- structured");
  H5Pset_struct_chunk(dcpl, 1, dims, H5D_SPARSE_CHUNK);
  dataset = H5Dcreate2(file, "structured", H5T_STD_I32LE, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
  CALL(H5Dget_chunk_index_type(dataset, &index));
  VALUE((int)index);
  CALL(H5Dformat_convert(dataset));
  H5Dclose(dataset);
  H5Sclose(space);
  H5Pclose(dcpl);
}

int main(void) {
  hid_t fapl = H5Pcreate(H5P_FILE_ACCESS), file;
  quiet();
  H5Pset_libver_bounds(fapl, H5F_LIBVER_V110, H5F_LIBVER_LATEST);
  file = H5Fcreate("edges.h5", H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
  one(file, "fixed", rows, columns, 1, 1);
  one(file, "extensible", H5S_UNLIMITED, columns, 1, 1);
  one(file, "tree", H5S_UNLIMITED, H5S_UNLIMITED, 1, 1);
  one(file, "empty", H5S_UNLIMITED, H5S_UNLIMITED, 0, 1);
  one(file, "columns", rows, H5S_UNLIMITED, 1, 1);
  one(file, "unfiltered columns", rows, H5S_UNLIMITED, 1, 0);
  one(file, "unfiltered tree", H5S_UNLIMITED, H5S_UNLIMITED, 1, 0);
  structured(file);
  CALL(H5Fformat_convert(file));
  CALL(H5Fclose(file));
  puts("-- read only");
  file = H5Fopen("edges.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  CALL(H5Fformat_convert(file));
  H5Fclose(file);
  file = H5Fcreate("new.h5", H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
  H5Fclose(file);
  file = H5Fopen("new.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  CALL(H5Fformat_convert(file));
  H5Fclose(file);
  H5Pclose(fapl);
  return 0;
}
