/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes sparse.h5: a sparse dataset, and a dense one that reads the same. */
#include <hdf5.h>
#include <string.h>

int main(void) {
  const hsize_t dims[2] = {20, 30}, chunk[2] = {5, 10}, start[2] = {3, 4}, stride[2] = {6, 7},
                count[2] = {3, 3};
  int values[20][30], fill = -7, i;
  hid_t space = H5Screate_simple(2, dims, NULL), some = H5Scopy(space), file, set, list;
  for (i = 0; i < 20 * 30; ++i) values[i / 30][i % 30] = i;
  H5Sselect_hyperslab(some, H5S_SELECT_SET, start, stride, count, NULL);
  file = H5Fcreate("sparse.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  for (i = 0; i < 2; ++i) {
    list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_fill_value(list, H5T_NATIVE_INT, &fill);
    if (i == 0)
      H5Pset_struct_chunk(list, 2, chunk, H5D_SPARSE_CHUNK);
    else
      H5Pset_chunk(list, 2, chunk);
    set = H5Dcreate2(file, i == 0 ? "sparse" : "dense", H5T_STD_I32LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
    if (H5Dwrite(set, H5T_NATIVE_INT, some, some, H5P_DEFAULT, values) < 0) return 1;
    H5Dclose(set);
    H5Pclose(list);
  }
  return H5Fclose(file) < 0;
}
