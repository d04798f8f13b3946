/* SPDX-License-Identifier: Apache-2.0 */
/* H5DOappend, and its callback at boundaries. */
#include <hdf5_hl.h>

#include "show.h"

static herr_t at_boundary(hid_t dataset, hsize_t* dims, void* answer) {
  printf("  reached %d by %d\n", (int)dims[0], (int)dims[1]);
  return *(int*)answer;
}

static void properties(hid_t access, hid_t creation, int* answer) {
  const hsize_t boundary[2] = {3, 0}, large[2] = {1ULL << 33, 0};
  hsize_t found[3] = {9, 9, 9};
  H5D_append_cb_t function = at_boundary;
  void* data = answer;
  SHOW(H5Pget_append_flush(access, 2, found, &function, &data));
  SHOW(found[0]);
  SHOW(found[2]);
  SHOW(function == NULL);
  SHOW(data == NULL);
  SHOW_FAILURE(H5Pset_append_flush(access, 0, boundary, at_boundary, answer));
  SHOW_FAILURE(H5Pset_append_flush(access, 33, boundary, at_boundary, answer));
  SHOW_FAILURE(H5Pset_append_flush(access, 2, NULL, at_boundary, answer));
  SHOW_FAILURE(H5Pset_append_flush(access, 2, boundary, NULL, answer));
  SHOW_FAILURE(H5Pset_append_flush(access, 2, large, at_boundary, answer));
  SHOW(H5Pset_append_flush(creation, 2, boundary, at_boundary, answer) < 0);
  SHOW_FAILURE(H5Pset_append_flush(access, 2, boundary, at_boundary, answer));
  SHOW(H5Pget_append_flush(access, 3, found, &function, &data));
  SHOW(found[0]);
  SHOW(found[2]);
  SHOW(function == at_boundary);
  SHOW(data == answer);
  SHOW(H5Pget_append_flush(access, 2, NULL, NULL, NULL));
}

static void appends(hid_t file, hid_t dataset, hid_t creation, int* answer) {
  int values[20], i;
  hid_t transfer = H5Pcreate(H5P_DATASET_XFER);
  for (i = 0; i < 20; ++i) values[i] = i;
  SHOW(H5DOappend(dataset, H5P_DEFAULT, 0, 2, H5T_NATIVE_INT, values));
  SHOW(H5DOappend(dataset, H5P_DEFAULT, 0, 1, H5T_NATIVE_INT, values));
  SHOW(H5DOappend(dataset, transfer, 0, 2, H5T_NATIVE_INT, values));
  SHOW(H5DOappend(dataset, H5P_DEFAULT, 0, 8, H5T_NATIVE_INT, values));
  SHOW(H5DOappend(dataset, H5P_DEFAULT, 0, 0, H5T_NATIVE_INT, values));
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  SHOW(H5DOappend(dataset, H5P_DEFAULT, 1, 1, H5T_NATIVE_INT, values));
  SHOW(H5DOappend(dataset, H5P_DEFAULT, 2, 1, H5T_NATIVE_INT, values));
  SHOW(H5DOappend(file, H5P_DEFAULT, 0, 1, H5T_NATIVE_INT, values));
  SHOW(H5DOappend(dataset, creation, 0, 1, H5T_NATIVE_INT, values));
  *answer = -1;
  SHOW(H5DOappend(dataset, H5P_DEFAULT, 0, 3, H5T_NATIVE_INT, values));
  *answer = 5;
  SHOW(H5DOappend(dataset, H5P_DEFAULT, 0, 3, H5T_NATIVE_INT, values));
}

int main(void) {
  const hsize_t dims[2] = {0, 2}, max_dims[2] = {H5S_UNLIMITED, 2}, chunk[2] = {2, 2}, fixed[2] = {3, 2};
  int answer = 0;
  hid_t file = H5Fcreate("append.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t space = H5Screate_simple(2, dims, max_dims);
  hid_t creation = H5Pcreate(H5P_DATASET_CREATE), access = H5Pcreate(H5P_DATASET_ACCESS);
  hid_t dataset;
  H5Pset_chunk(creation, 2, chunk);
  properties(access, creation, &answer);
  dataset = H5Dcreate2(file, "rows", H5T_STD_I32LE, space, H5P_DEFAULT, creation, access);
  appends(file, dataset, creation, &answer);
  H5Pset_append_flush(access, 2, fixed, NULL, NULL);
  SHOW_FAILURE(H5Dcreate2(file, "fixed", H5T_STD_I32LE, space, H5P_DEFAULT, creation, access));
  H5Pset_append_flush(access, 1, fixed, NULL, NULL);
  SHOW_FAILURE(H5Dcreate2(file, "rank", H5T_STD_I32LE, space, H5P_DEFAULT, creation, access));
  return 0;
}
