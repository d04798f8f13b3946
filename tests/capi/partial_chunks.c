/* SPDX-License-Identifier: Apache-2.0
 *
 * Unfiltered partial edge chunks, also while the extent changes. */
#include "show.h"

#define NONE H5P_DEFAULT

static void show_chunks(const char* what, hid_t set) {
  hid_t space = H5Dget_space(set);
  hsize_t count = 0, i;
  H5Dget_num_chunks(set, space, &count);
  printf("%s: %d chunks", what, (int)count);
  for (i = 0; i < count; ++i) {
    hsize_t offset[2] = {0, 0}, size = 0;
    unsigned mask = 99;
    H5Dget_chunk_info(set, space, i, offset, &mask, NULL, &size);
    printf(", (%d %d) mask %u bytes %d", (int)offset[0], (int)offset[1], mask, (int)size);
  }
  printf(", together %d\n", (int)H5Dget_storage_size(set));
  H5Sclose(space);
}

static void write_all(hid_t set, int first) {
  hid_t space = H5Dget_space(set);
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  int* values = malloc((size_t)count * sizeof *values);
  hssize_t i;
  for (i = 0; i < count; ++i) values[i] = first + (int)i;
  H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values);
  free(values);
  H5Sclose(space);
}

static void show_sum(hid_t set) {
  hid_t space = H5Dget_space(set);
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  int* values = malloc((size_t)count * sizeof *values);
  long long sum = 0;
  hssize_t i;
  H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values);
  for (i = 0; i < count; ++i) sum = (sum * 31 + values[i]) % 1000003;
  printf("%d values, sum %lld\n", (int)count, sum);
  free(values);
  H5Sclose(space);
}

static void life(hid_t file, const char* name, hsize_t most_rows, hsize_t most_columns) {
  const hsize_t dims[2] = {7, 9}, most[2] = {most_rows, most_columns}, chunk[2] = {4, 4};
  const hsize_t steps[4][2] = {{8, 9}, {8, 12}, {5, 12}, {6, 10}};
  hid_t space = H5Screate_simple(2, dims, most), list = H5Pcreate(H5P_DATASET_CREATE), set, found;
  unsigned options = 99;
  int i;
  H5Pset_chunk(list, 2, chunk);
  H5Pset_fletcher32(list);
  H5Pset_chunk_opts(list, H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS);
  set = H5Dcreate2(file, name, H5T_STD_I32LE, space, NONE, list, NONE);
  printf("%s\n", name);
  found = H5Dget_create_plist(set);
  H5Pget_chunk_opts(found, &options);
  SHOW(options);
  write_all(set, 1);
  H5Fflush(file, H5F_SCOPE_LOCAL);
  show_chunks("made", set);
  show_sum(set);
  for (i = 0; i < 4; ++i) {
    if (steps[i][0] > most_rows || steps[i][1] > most_columns) continue;
    H5Dset_extent(set, steps[i]);
    show_sum(set);
    if (i == 1) write_all(set, 100);
    H5Dclose(set); /* otherwise HDF5 uses a stale address of the last chunk */
    set = H5Dopen2(file, name, NONE);
    show_chunks("changed", set);
    show_sum(set);
  }
  H5Pclose(found);
  H5Dclose(set);
  H5Pclose(list);
  H5Sclose(space);
}

int main(void) {
  const hsize_t chunk[1] = {4};
  unsigned options = 99;
  hid_t list, file, access;
  quiet();
  list = H5Pcreate(H5P_DATASET_CREATE);
  CALL(H5Pset_chunk_opts(list, H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS));
  CALL(H5Pget_chunk_opts(list, &options));
  H5Pset_chunk(list, 1, chunk);
  CALL(H5Pget_chunk_opts(list, &options));
  SHOW(options);
  CALL(H5Pset_chunk_opts(list, 1));
  CALL(H5Pset_chunk_opts(list, H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS));
  CALL(H5Pget_chunk_opts(list, NULL));
  CALL(H5Pget_chunk_opts(list, &options));
  SHOW(options);
  CALL(H5Pset_chunk_opts(list, 0));
  H5Pclose(list);

  access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  file = H5Fcreate("partial.h5", H5F_ACC_TRUNC, NONE, access);
  life(file, "fixed", 8, 12);
  life(file, "one grows", H5S_UNLIMITED, 12);
  life(file, "both grow", H5S_UNLIMITED, H5S_UNLIMITED);
  H5Fclose(file);
  H5Pclose(access);
  return 0;
}
