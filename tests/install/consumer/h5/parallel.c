/* SPDX-License-Identifier: Apache-2.0 */
/* A program of parallel HDF5 as any. */
#include <hdf5.h>
#include <stdio.h>

#ifndef H5_HAVE_PARALLEL
#error "this is a serial HDF5"
#endif

int main(int argc, char** argv) {
  const hsize_t dims[1] = {3};
  const int written[3] = {1, 2, 3};
  int read[3] = {0, 0, 0};
  MPI_Init(&argc, &argv);
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS), together = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
  H5Pset_dxpl_mpio(together, H5FD_MPIO_COLLECTIVE);
  const hid_t file = H5Fcreate("parallel.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  const hid_t space = H5Screate_simple(1, dims, NULL);
  const hid_t dataset =
      H5Dcreate2(file, "numbers", H5T_STD_I32BE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, together, written) < 0) return 1;
  if (H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, together, read) < 0) return 1;
  printf("%d %d %d in parallel\n", read[0], read[1], read[2]);
  H5Sclose(space);
  H5Dclose(dataset);
  H5Pclose(access);
  H5Pclose(together);
  if (H5Fclose(file) < 0) return 1;
  return MPI_Finalize() == MPI_SUCCESS ? 0 : 1;
}
