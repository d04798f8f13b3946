/* SPDX-License-Identifier: Apache-2.0
 *
 * A dataset of more than 2^64 elements. "create" makes it and writes boxes and points; "extend" opens it,
 * makes it larger and writes more; "show" prints what was written. */
#include <string.h>

#include "../show.h"

/* Modulo 2^64 the numbers of elements are small, which is what HDF5 1.10.8 needs. */
static const hsize_t before[2] = {((hsize_t)1 << 33) + 3, ((hsize_t)1 << 32) + 7},
                     after[2] = {((hsize_t)1 << 33) + 11, ((hsize_t)1 << 32) + 7};
static const hsize_t boxes[3][2] = {
    {((hsize_t)1 << 33) - 5, ((hsize_t)1 << 31) - 2}, {3, 9}, {0, (hsize_t)1 << 32}};

enum { rows = 3, columns = 4, points = 4 };

static void transfer(hid_t set, int first, int write) {
  static const hsize_t count[2] = {rows, columns};
  hid_t space = H5Dget_space(set), memory = H5Screate_simple(2, count, NULL);
  int values[rows * columns], box, i;
  for (box = 0; box < 3; ++box) {
    hsize_t start[2] = {boxes[box][0] + (hsize_t)first, boxes[box][1]};
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
    for (i = 0; i < rows * columns; ++i) values[i] = write ? 100 * (box + 1) + first + i : 0;
    if (write) {
      CALL(H5Dwrite(set, H5T_NATIVE_INT, memory, space, NONE, values));
      continue;
    }
    CALL(H5Dread(set, H5T_NATIVE_INT, memory, space, NONE, values));
    for (i = 0; i < rows * columns; ++i) printf(" %d", values[i]);
    printf("\n");
  }
  H5Sclose(memory);
  H5Sclose(space);
}

/* HDF5 finds points by their offsets in bytes modulo 2^64, so these are below 2^64. */
static void transfer_points(hid_t set, int first, int write) {
  const hsize_t count = points, at[2 * points] = {((hsize_t)1 << 30) - 100,
                                                  (hsize_t)1 << 32,
                                                  1,
                                                  before[1] - 2,
                                                  (hsize_t)1 << 29,
                                                  17,
                                                  2,
                                                  (hsize_t)first};
  hid_t space = H5Dget_space(set), memory = H5Screate_simple(1, &count, NULL);
  int values[points] = {0}, i;
  for (i = 0; i < points && write; ++i) values[i] = 1000 + first + i;
  H5Sselect_elements(space, H5S_SELECT_SET, points, at);
  if (write) {
    CALL(H5Dwrite(set, H5T_NATIVE_INT, memory, space, NONE, values));
  } else {
    CALL(H5Dread(set, H5T_NATIVE_INT, memory, space, NONE, values));
    for (i = 0; i < points; ++i) printf(" %d", values[i]);
    printf("\n");
  }
  H5Sclose(memory);
  H5Sclose(space);
}

static void create(const char* path, int latest) {
  const hsize_t chunk[2] = {4, 5}, most[2] = {H5S_UNLIMITED, H5S_UNLIMITED};
  const int fill = -1;
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), list = H5Pcreate(H5P_DATASET_CREATE), file, space, set;
  if (latest) H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  file = H5Fcreate(path, H5F_ACC_TRUNC, NONE, access);
  space = H5Screate_simple(2, before, most);
  H5Pset_chunk(list, 2, chunk);
  H5Pset_fill_value(list, H5T_NATIVE_INT, &fill);
  set = H5Dcreate2(file, "d", H5T_STD_I32BE, space, NONE, list, NONE);
  CALL_ID(set);
  transfer(set, 0, 1);
  transfer_points(set, 0, 1);
  H5Dclose(set);
  H5Sclose(space);
  H5Pclose(list);
  H5Pclose(access);
  CALL(H5Fclose(file));
}

static void extend(const char* path) {
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, NONE), set = H5Dopen2(file, "d", NONE);
  CALL(H5Dset_extent(set, after));
  transfer(set, 2, 1);
  transfer_points(set, 5, 1);
  H5Dclose(set);
  CALL(H5Fclose(file));
}

static void show(const char* path) {
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, NONE), set = H5Dopen2(file, "d", NONE),
        space = H5Dget_space(set);
  hsize_t dims[2] = {0}, chunks = 0;
  H5Sget_simple_extent_dims(space, dims, NULL);
  printf("%llu %llu\n", (unsigned long long)dims[0], (unsigned long long)dims[1]);
  transfer(set, 0, 0);
  transfer(set, 2, 0);
  transfer_points(set, 0, 0);
  transfer_points(set, 5, 0);
  VALUE(H5Dget_storage_size(set));
  CALL(H5Dget_num_chunks(set, space, &chunks));
  VALUE(chunks);
  H5Sclose(space);
  H5Dclose(set);
  CALL(H5Fclose(file));
}

int main(int argc, char** argv) {
  quiet();
  if (argc != 3) return 2;
  if (strcmp(argv[1], "create") == 0) create(argv[2], 0);
  if (strcmp(argv[1], "create-latest") == 0) create(argv[2], 1);
  if (strcmp(argv[1], "extend") == 0) extend(argv[2]);
  if (strcmp(argv[1], "show") == 0) show(argv[2]);
  return 0;
}
