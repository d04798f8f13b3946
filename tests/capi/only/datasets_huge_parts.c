/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts of dense and sparse datasets of 2^64 elements and more, for which HDF5 1.10.8 fails, crashes or
 * hangs. */
#include "show.h"

static const hsize_t dims[2] = {(hsize_t)1 << 32, (hsize_t)1 << 32}, chunk[2] = {4, 5};
static const hsize_t last = ((hsize_t)1 << 32) - 1;

static void show_values(const int* values, int count) {
  int i;
  for (i = 0; i < count; ++i) printf(" %d", values[i]);
  printf("\n");
}

/* Writes a number for every selected element, and reads them with another dataspace in memory. */
static void exchange(hid_t set, hid_t space, int first) {
  const hsize_t count = (hsize_t)H5Sget_select_npoints(space), twice = 2 * count, start = 1, stride = 2;
  hid_t memory = H5Screate_simple(1, &count, NULL), spread = H5Screate_simple(1, &twice, NULL);
  int written[64], found[64] = {0}, i;
  for (i = 0; i < (int)count; ++i) written[i] = first + i;
  SHOW(H5Dwrite(set, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, written));
  H5Sselect_hyperslab(spread, H5S_SELECT_SET, &start, &stride, &count, NULL);
  SHOW(H5Dread(set, H5T_NATIVE_INT, spread, space, H5P_DEFAULT, found));
  show_values(found, (int)twice);
  H5Sclose(memory);
  H5Sclose(spread);
}

static void show_defined(hid_t set, hid_t space) {
  hsize_t blocks[256] = {0};
  hid_t defined = H5Dget_defined(set, space, H5P_DEFAULT);
  long long count, i;
  SHOW(H5Sget_select_npoints(defined));
  count = H5Sget_select_hyper_nblocks(defined);
  for (i = 0; count <= 64 && i < count; ++i) {
    H5Sget_select_hyper_blocklist(defined, (hsize_t)i, 1, blocks);
    printf("  (%llu, %llu) to (%llu, %llu)\n", (unsigned long long)blocks[0], (unsigned long long)blocks[1],
           (unsigned long long)blocks[2], (unsigned long long)blocks[3]);
  }
  H5Sclose(defined);
}

static hid_t create(hid_t file, const char* name, int sparse) {
  const int fill = -1;
  hid_t list = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(2, dims, NULL), set;
  if (sparse)
    SHOW(H5Pset_struct_chunk(list, 2, chunk, H5D_SPARSE_CHUNK));
  else
    SHOW(H5Pset_chunk(list, 2, chunk));
  H5Pset_fill_value(list, H5T_NATIVE_INT, &fill);
  set = H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
  SHOW_ID(set);
  H5Pclose(list);
  H5Sclose(space);
  return set;
}

static void exchange_parts(hid_t file, const char* name, int sparse) {
  const hsize_t box[2] = {last - 1, 7}, count[2] = {2, 3}, ones[2] = {1, 1}, twos[2] = {2, 2};
  const hsize_t stride[2] = {last - 2, last / 2}, points[6] = {last, last, 0, last, last / 2, 3};
  hid_t set = create(file, name, sparse), space = H5Dget_space(set);
  int value = 0;
  hsize_t chunks = 0;
  H5Sselect_hyperslab(space, H5S_SELECT_SET, box, NULL, ones, count);
  exchange(set, space, 10);
  H5Sselect_hyperslab(space, H5S_SELECT_OR, ones, NULL, ones, count);
  exchange(set, space, 20);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, ones, stride, twos, NULL);
  exchange(set, space, 40);
  H5Sselect_elements(space, H5S_SELECT_SET, 3, points);
  exchange(set, space, 60);
  SHOW(H5Dclose(set));
  set = H5Dopen2(file, name, H5P_DEFAULT);
  if (sparse) {
    show_defined(set, H5S_ALL);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, box, NULL, ones, ones);
    show_defined(set, space);
    SHOW(H5Derase(set, space, H5P_DEFAULT));
    show_defined(set, H5S_ALL);
  }
  H5Sselect_all(space);
  SHOW(H5Dget_num_chunks(set, space, &chunks));
  SHOW(chunks);
  SHOW_FAILURE(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value));
  SHOW_FAILURE(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, space, H5P_DEFAULT, &value));
  SHOW(H5Ocopy(file, name, file, "copy", H5P_DEFAULT, H5P_DEFAULT));
  H5Dclose(set);
  set = H5Dopen2(file, "copy", H5P_DEFAULT);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, box, NULL, ones, count);
  SHOW(H5Sget_select_npoints(space));
  exchange(set, space, 80);
  SHOW(H5Ldelete(file, "copy", H5P_DEFAULT));
  H5Dclose(set);
  H5Sclose(space);
}

int main(void) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), file;
  quiet();
  H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  file = H5Fcreate("parts.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  exchange_parts(file, "dense", 0);
  exchange_parts(file, "sparse", 1);
  SHOW(H5Fclose(file));
  return 0;
}
