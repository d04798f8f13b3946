/* SPDX-License-Identifier: Apache-2.0
 *
 * References of HDF5 1.12. */
#include "show.h"

int main(void) {
  hsize_t dims[2] = {10, 20}, start[2] = {1, 2}, count[2] = {3, 4}, two = 2, low[2], high[2];
  H5R_ref_t references[2], back[2], empty;
  H5O_type_t kind;
  hid_t file, group, set, space, pair, stored, id;
  quiet();
  memset(&empty, 0, sizeof empty);
  file = H5Fcreate("references12.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  group = H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  space = H5Screate_simple(2, dims, NULL);
  set = H5Dcreate2(group, "set", H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  CALL(H5Tget_size(H5T_STD_REF));
  CALL(H5Tget_class(H5T_STD_REF));
  CALL(H5Rcreate_object(file, "group", H5P_DEFAULT, &references[0]));
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
  CALL(H5Rcreate_region(file, "group/set", space, H5P_DEFAULT, &references[1]));
  CALL(H5Rget_type(&references[0]));
  CALL(H5Rget_type(&references[1]));
  CALL(H5Rget_type(&empty));
  CALL(H5Rget_type(NULL));
  CALL(H5Rcreate_object(file, "nobody", H5P_DEFAULT, &empty));
  CALL(H5Rcreate_object(file, NULL, H5P_DEFAULT, &empty));
  CALL(H5Rcreate_object(file, "group", H5P_DEFAULT, NULL));
  CALL(H5Rcreate_region(file, "group", space, H5P_DEFAULT, &empty));
  pair = H5Screate_simple(1, &two, NULL);
  stored = H5Dcreate2(file, "references", H5T_STD_REF, pair, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  CALL_ID(stored);
  CALL(H5Dwrite(stored, H5T_STD_REF, H5S_ALL, H5S_ALL, H5P_DEFAULT, references));
  CALL(H5Dread(stored, H5T_STD_REF, H5S_ALL, H5S_ALL, H5P_DEFAULT, back));
  CALL(H5Rget_obj_type3(&back[0], H5P_DEFAULT, &kind));
  printf("%d\n", kind);
  CALL(H5Rget_obj_type3(&back[1], H5P_DEFAULT, &kind));
  printf("%d\n", kind);
  id = H5Ropen_object(&back[0], H5P_DEFAULT, H5P_DEFAULT);
  CALL(H5Iget_type(id));
  H5Oclose(id);
  id = H5Ropen_region(&back[1], H5P_DEFAULT, H5P_DEFAULT);
  CALL(H5Sget_select_npoints(id));
  CALL(H5Sget_select_bounds(id, low, high));
  printf("%d %d - %d %d\n", (int)low[0], (int)low[1], (int)high[0], (int)high[1]);
  H5Sclose(id);
  CALL_ID(H5Ropen_region(&back[0], H5P_DEFAULT, H5P_DEFAULT));
  CALL_ID(H5Ropen_object(&empty, H5P_DEFAULT, H5P_DEFAULT));
  CALL(H5Treclaim(H5T_STD_REF, pair, H5P_DEFAULT, back));
  CALL(H5Rdestroy(&references[0]));
  CALL(H5Rdestroy(&references[1]));
  CALL(H5Rdestroy(&references[1]));
  CALL(H5Rdestroy(NULL));
  H5Dclose(stored);
  H5Dclose(set);
  H5Gclose(group);
  CALL(H5Fclose(file));
  return 0;
}
