/* SPDX-License-Identifier: Apache-2.0 */
/* What a call of the C API costs: a dataset of 4 elements is opened and read again and again. Built twice,
 * against HDF5 and against Filigree, by `make bench-capi`; prints seconds. */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char** argv) {
  const int times = argc > 1 ? atoi(argv[1]) : 100000;
  const hsize_t dims[1] = {4};
  int numbers[4] = {1, 2, 3, 4}, i;
  long sum = 0;
  hid_t file = H5Fcreate("open_and_read.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t space = H5Screate_simple(1, dims, NULL);
  hid_t set = H5Dcreate2(file, "numbers", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) < 0) return 1;
  H5Dclose(set);
  const double start = now();
  for (i = 0; i < times; ++i) {
    set = H5Dopen2(file, "numbers", H5P_DEFAULT);
    if (H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) < 0) return 1;
    sum += numbers[3];
    H5Dclose(set);
  }
  const double seconds = now() - start;
  H5Sclose(space);
  H5Fclose(file);
  if (sum != 4L * times) return 1;
  printf("%.3f\n", seconds);
  return 0;
}
