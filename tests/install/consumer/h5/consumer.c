/* SPDX-License-Identifier: Apache-2.0 */
/* A program of HDF5 as any. */
#include <hdf5.h>
#include <stdio.h>

int main(void) {
  const hsize_t dims[1] = {3};
  const int written[3] = {1, 2, 3};
  int read[3] = {0, 0, 0};
  const hid_t file = H5Fcreate("consumer.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(1, dims, NULL);
  const hid_t dataset =
      H5Dcreate2(file, "numbers", H5T_STD_I32BE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, written) < 0) return 1;
  if (H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, read) < 0) return 1;
  printf("%d %d %d\n", read[0], read[1], read[2]);
  H5Sclose(space);
  H5Dclose(dataset);
  return H5Fclose(file) < 0;
}
