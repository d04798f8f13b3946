/* SPDX-License-Identifier: Apache-2.0
 *
 * References to objects and regions in the form of HDF5 1.8. */
#include "show.h"

static void show_selection(hid_t space) {
  hsize_t low[2], high[2];
  CALL(H5Sget_select_type(space));
  CALL(H5Sget_select_npoints(space));
  if (H5Sget_select_bounds(space, low, high) >= 0)
    printf("%d %d - %d %d\n", (int)low[0], (int)low[1], (int)high[0], (int)high[1]);
}

int main(void) {
  hsize_t dims[2] = {10, 20}, start[2] = {1, 2}, count[2] = {3, 4}, two = 2;
  hsize_t points[3][2] = {{0, 1}, {9, 19}, {4, 4}};
  hobj_ref_t object[2], back[2];
  hdset_reg_ref_t region[2], region_back[2];
  H5O_type_t kind;
  char name[32];
  hid_t file, group, type, set, space, pair, refs, regions, id;
  quiet();
  memset(object, 0, sizeof object);
  memset(region, 0, sizeof region);
  file = H5Fcreate("references.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  group = H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  type = H5Tcopy(H5T_NATIVE_INT);
  H5Tcommit2(group, "type", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  space = H5Screate_simple(2, dims, NULL);
  set = H5Dcreate2(group, "set", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  CALL(H5Rcreate(&object[0], file, "group/set", H5R_OBJECT, -1));
  CALL(H5Rcreate(&object[1], group, ".", H5R_OBJECT, -1));
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
  CALL(H5Rcreate(&region[0], file, "/group/set", H5R_DATASET_REGION, space));
  H5Sselect_elements(space, H5S_SELECT_SET, 3, &points[0][0]);
  CALL(H5Rcreate(&region[1], file, "/group/set", H5R_DATASET_REGION, space));
  CALL(H5Rcreate(NULL, file, "group", H5R_OBJECT, -1));
  CALL(H5Rcreate(&object[1], -1, "group", H5R_OBJECT, -1));
  CALL(H5Rcreate(&object[1], file, NULL, H5R_OBJECT, -1));
  CALL(H5Rcreate(&object[1], file, "", H5R_OBJECT, -1));
  CALL(H5Rcreate(&object[1], file, "nobody", H5R_OBJECT, -1));
  CALL(H5Rcreate(&object[1], file, "group", (H5R_type_t)9, -1));
  CALL(H5Rcreate(&object[1], file, "group", H5R_BADTYPE, -1));
  CALL(H5Rcreate(&region[1], file, "/group/set", H5R_DATASET_REGION, -1));
  CALL(H5Rcreate(&region[1], file, "/group/set", H5R_DATASET_REGION, file));
  CALL(H5Rcreate(&object[1], group, ".", H5R_OBJECT, -1));

  pair = H5Screate_simple(1, &two, NULL);
  refs = H5Dcreate2(file, "references", H5T_STD_REF_OBJ, pair, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  CALL(H5Dwrite(refs, H5T_STD_REF_OBJ, H5S_ALL, H5S_ALL, H5P_DEFAULT, object));
  regions = H5Dcreate2(file, "regions", H5T_STD_REF_DSETREG, pair, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  CALL(H5Dwrite(regions, H5T_STD_REF_DSETREG, H5S_ALL, H5S_ALL, H5P_DEFAULT, region));
  CALL(H5Dread(refs, H5T_STD_REF_OBJ, H5S_ALL, H5S_ALL, H5P_DEFAULT, back));
  CALL(H5Dread(regions, H5T_STD_REF_DSETREG, H5S_ALL, H5S_ALL, H5P_DEFAULT, region_back));
  CALL(memcmp(object, back, sizeof back));
  CALL(memcmp(region, region_back, sizeof region));

  CALL(H5Rget_obj_type2(file, H5R_OBJECT, &back[0], &kind));
  printf("%d\n", kind);
  CALL(H5Rget_obj_type2(refs, H5R_OBJECT, &back[1], &kind));
  printf("%d\n", kind);
  CALL(H5Rget_obj_type2(refs, H5R_DATASET_REGION, &region_back[1], &kind));
  printf("%d\n", kind);
  CALL(H5Rget_obj_type2(refs, H5R_OBJECT, NULL, &kind));
  CALL(H5Rget_obj_type2(-1, H5R_OBJECT, &back[0], &kind));
  CALL(H5Rget_obj_type2(refs, H5R_BADTYPE, &back[0], &kind));
  CALL(H5Rget_obj_type1(file, H5R_OBJECT, &back[0]));
  CALL(H5Rget_obj_type1(refs, H5R_OBJECT, &back[1]));
  CALL(H5Rget_obj_type1(refs, H5R_DATASET_REGION, &region_back[1]));
  CALL(H5Rget_obj_type1(refs, H5R_OBJECT, NULL));
  CALL(H5Rget_obj_type1(-1, H5R_OBJECT, &back[0]));
  CALL(H5Rget_obj_type1(refs, H5R_BADTYPE, &back[0]));
  memset(name, '#', sizeof name);
  CALL(H5Rget_name(file, H5R_OBJECT, &back[0], name, sizeof name));
  printf("%s\n", name);
  CALL(H5Rget_name(file, H5R_OBJECT, &back[1], name, sizeof name));
  printf("%s\n", name);
  CALL(H5Rget_name(file, H5R_DATASET_REGION, &region_back[0], name, sizeof name));
  printf("%s\n", name);
  CALL(H5Rget_name(file, H5R_OBJECT, &back[0], NULL, 0));
  CALL(H5Rget_name(file, H5R_OBJECT, &back[0], name, 5));
  printf("%s\n", name);
  CALL(H5Rget_name(-1, H5R_OBJECT, &back[0], name, 5));
  CALL(H5Rget_name(file, H5R_OBJECT, NULL, name, 5));
  id = H5Rdereference2(refs, H5P_DEFAULT, H5R_OBJECT, &back[0]);
  CALL_ID(id);
  CALL(H5Iget_type(id));
  CALL(H5Dclose(id));
  id = H5Rdereference1(file, H5R_OBJECT, &back[1]);
  CALL(H5Iget_type(id));
  CALL(H5Gclose(id));
  id = H5Rdereference2(refs, H5P_DEFAULT, H5R_DATASET_REGION, &region_back[0]);
  CALL(H5Iget_type(id));
  CALL(H5Dclose(id));
  CALL_ID(H5Rdereference2(-1, H5P_DEFAULT, H5R_OBJECT, &back[0]));
  CALL_ID(H5Rdereference2(file, H5P_DEFAULT, H5R_OBJECT, NULL));
  CALL_ID(H5Rdereference2(file, H5P_DEFAULT, H5R_BADTYPE, &back[0]));
  back[1] = 0;
  CALL_ID(H5Rdereference2(file, H5P_DEFAULT, H5R_OBJECT, &back[1]));
  CALL(H5Rget_obj_type2(refs, H5R_OBJECT, &back[1], &kind));
  id = H5Rget_region(refs, H5R_DATASET_REGION, &region_back[0]);
  show_selection(id);
  id = H5Rget_region(refs, H5R_DATASET_REGION, &region_back[1]);
  show_selection(id);
  CALL_ID(H5Rget_region(refs, H5R_OBJECT, &region_back[1]));
  CALL_ID(H5Rget_region(-1, H5R_DATASET_REGION, &region_back[1]));
  CALL_ID(H5Rget_region(refs, H5R_DATASET_REGION, NULL));
  memset(region_back, 0, sizeof region_back);
  CALL_ID(H5Rget_region(refs, H5R_DATASET_REGION, &region_back[1]));
  H5Tclose(type);
  H5Dclose(set);
  H5Dclose(refs);
  H5Dclose(regions);
  H5Gclose(group);
  CALL(H5Fclose(file));
  return 0;
}
