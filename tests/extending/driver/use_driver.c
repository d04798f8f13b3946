/* SPDX-License-Identifier: Apache-2.0
 *
 * Uses the driver of local_driver.cpp through the HDF5 C API, by its name. */
#include <hdf5.h>
#include <stdio.h>

int main(void) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  if (H5Pset_driver_by_name(access, "local", NULL) < 0) return 1;
  hid_t file = H5Fopen("local://driver.h5", H5F_ACC_RDONLY, access);
  if (file < 0) return 2;
  H5Fclose(file);
  H5Pclose(access);
  puts("the driver works in C");
  return 0;
}
