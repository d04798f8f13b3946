/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes a file with a sparse dataset, for programs of HDF5 1.10 that do not know such datasets. */
#include <hdf5.h>

int main(void) {
  const hsize_t chunk[2] = {4, 4}, dims[2] = {10, 10}, points[4] = {1, 2, 7, 8}, count = 2;
  const int values[2] = {5, 6};
  hid_t file = H5Fcreate("sparse.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t list = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(2, dims, NULL);
  hid_t memory = H5Screate_simple(1, &count, NULL), set;
  H5Pset_struct_chunk(list, 2, chunk, H5D_SPARSE_CHUNK);
  set = H5Dcreate2(file, "sparse", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
  H5Sselect_elements(space, H5S_SELECT_SET, 2, points);
  if (H5Dwrite(set, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, values) < 0) return 1;
  H5Dclose(set);
  return H5Fclose(file) < 0;
}
