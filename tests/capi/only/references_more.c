/* SPDX-License-Identifier: Apache-2.0
 *
 * References of HDF5 1.12: created, copied, compared, followed and destroyed. Files are in
 * references_files.c. */
#include "show.h"

static hid_t file, group, set, space;
static H5R_ref_t object, region, other_region, attribute, same, empty;

static void create_all(void) {
  hsize_t dims[2] = {6, 8}, start[2] = {1, 2}, count[2] = {2, 3}, points[4] = {0, 0, 5, 7};
  int value = 42;
  hid_t scalar = H5Screate(H5S_SCALAR), id;
  file = H5Fcreate("references_more.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  group = H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  space = H5Screate_simple(2, dims, NULL);
  set = H5Dcreate2(group, "set", H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  id = H5Acreate2(set, "answer", H5T_STD_I32LE, scalar, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(id, H5T_NATIVE_INT, &value);
  H5Aclose(id);
  H5Sclose(scalar);
  new_type(file, "type");
  memset(&empty, 0, sizeof empty);
  CALL(H5Iget_ref(file));
  CALL(H5Rcreate_object(file, "group", H5P_DEFAULT, &object));
  CALL(H5Iget_ref(file));
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
  CALL(H5Rcreate_region(group, "set", space, H5P_DEFAULT, &region));
  H5Sselect_elements(space, H5S_SELECT_SET, 2, points);
  CALL(H5Rcreate_region(set, ".", space, H5P_DEFAULT, &other_region));
  CALL(H5Rcreate_attr(group, "set", "answer", H5P_DEFAULT, &attribute));
  CALL(H5Iget_ref(file));
  CALL(H5Fget_obj_count(file, H5F_OBJ_ALL));
}

static void show_names(H5R_ref_t* reference) {
  char name[200] = "untouched";
  H5O_type_t kind = H5O_TYPE_UNKNOWN;
  CALL(H5Rget_type(reference));
  CALL(H5Rget_obj_type3(reference, H5P_DEFAULT, &kind));
  VALUE(kind);
  CALL(H5Rget_obj_type3(reference, H5P_DEFAULT, NULL) < 0 ? 0 : 0);
  CALL(H5Rget_file_name(reference, NULL, 0));
  CALL(H5Rget_file_name(reference, name, sizeof name));
  printf("  %s\n", name);
  CALL(H5Rget_file_name(reference, name, 5));
  printf("  %s\n", name);
  CALL(H5Rget_obj_name(reference, H5P_DEFAULT, NULL, 0));
  CALL(H5Rget_obj_name(reference, H5P_DEFAULT, name, sizeof name));
  printf("  %s\n", name);
  CALL(H5Rget_obj_name(reference, H5P_DEFAULT, name, 4));
  printf("  %s\n", name);
  CALL(H5Rget_attr_name(reference, NULL, 0));
  strcpy(name, "untouched");
  CALL(H5Rget_attr_name(reference, name, sizeof name));
  printf("  %s\n", name);
  CALL(H5Rget_attr_name(reference, name, 4));
  printf("  %s\n", name);
}

static void follow(H5R_ref_t* reference) {
  hid_t id = H5Ropen_object(reference, H5P_DEFAULT, H5P_DEFAULT);
  CALL_ID(id);
  if (id >= 0) {
    CALL(H5Iget_type(id));
    show_name(id);
    H5Oclose(id);
  }
  id = H5Ropen_region(reference, H5P_DEFAULT, H5P_DEFAULT);
  CALL_ID(id);
  if (id >= 0) {
    hsize_t low[2] = {99, 99}, high[2] = {99, 99};
    CALL(H5Sget_select_type(id));
    CALL(H5Sget_select_npoints(id));
    CALL(H5Sget_simple_extent_npoints(id));
    CALL(H5Sget_select_bounds(id, low, high));
    printf("  %d %d to %d %d\n", (int)low[0], (int)low[1], (int)high[0], (int)high[1]);
    H5Sclose(id);
  }
  id = H5Ropen_attr(reference, H5P_DEFAULT, H5P_DEFAULT);
  CALL_ID(id);
  if (id >= 0) {
    int value = 0;
    char name[40];
    CALL(H5Aget_name(id, sizeof name, name));
    CALL(H5Aread(id, H5T_NATIVE_INT, &value));
    VALUE(value);
    show_name(id);
    H5Aclose(id);
  }
}

static void compare_and_copy(void) {
  H5R_ref_t copy, second;
  CALL(H5Requal(&object, &object));
  CALL(H5Requal(&object, &region));
  CALL(H5Requal(&region, &other_region));
  CALL(H5Rcreate_object(file, "/group/.", H5P_DEFAULT, &same));
  CALL(H5Requal(&object, &same));
  CALL(H5Rcreate_object(file, "type", H5P_DEFAULT, &second));
  CALL(H5Requal(&object, &second));
  H5Rdestroy(&second);
  CALL(H5Rcreate_attr(set, ".", "answers", H5P_DEFAULT, &second));
  CALL(H5Requal(&attribute, &second));
  CALL_ID(H5Ropen_attr(&second, H5P_DEFAULT, H5P_DEFAULT));
  H5Rdestroy(&second);
  CALL(H5Rcopy(&object, &copy));
  CALL(H5Requal(&object, &copy));
  CALL(H5Iget_ref(file));
  CALL(H5Rdestroy(&copy));
  CALL(H5Iget_ref(file));
  CALL(H5Rcopy(&region, &copy));
  CALL(H5Requal(&region, &copy));
  follow(&copy);
  CALL(H5Rdestroy(&copy));
  CALL(H5Rcopy(&attribute, &copy));
  CALL(H5Requal(&attribute, &copy));
  follow(&copy);
  CALL(H5Rdestroy(&copy));
  CALL(H5Rdestroy(&copy));
}

static void empty_ones(void) {
  char name[20];
  H5R_ref_t copy;
  H5O_type_t kind;
  memset(&copy, 0, sizeof copy);
  CALL(H5Rget_type(&empty));
  CALL(H5Requal(&empty, &object));
  CALL(H5Requal(&object, &empty));
  CALL(H5Requal(&empty, &empty));
  CALL(H5Rcopy(&empty, &copy));
  CALL_ID(H5Ropen_object(&empty, H5P_DEFAULT, H5P_DEFAULT));
  CALL_ID(H5Ropen_region(&empty, H5P_DEFAULT, H5P_DEFAULT));
  CALL_ID(H5Ropen_attr(&empty, H5P_DEFAULT, H5P_DEFAULT));
  CALL(H5Rget_obj_type3(&empty, H5P_DEFAULT, &kind));
  CALL(H5Rget_file_name(&empty, name, sizeof name));
  CALL(H5Rget_obj_name(&empty, H5P_DEFAULT, name, sizeof name));
  CALL(H5Rget_attr_name(&empty, name, sizeof name));
  CALL(H5Rdestroy(&empty));
}

static void wrong_arguments(void) {
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE), access = H5Pcreate(H5P_DATASET_ACCESS);
  H5R_ref_t made;
  memset(&made, 0, sizeof made);
  CALL(H5Rcreate_object(file, "group", H5P_DEFAULT, NULL));
  CALL(H5Rcreate_object(file, NULL, H5P_DEFAULT, &made));
  CALL(H5Rcreate_object(file, "", H5P_DEFAULT, &made));
  CALL(H5Rcreate_object(file, "group", -1, &made));
  CALL(H5Rcreate_object(file, "group", plist, &made));
  CALL(H5Rcreate_object(-1, "group", H5P_DEFAULT, &made));
  CALL(H5Rcreate_object(space, "group", H5P_DEFAULT, &made));
  CALL(H5Rcreate_object(file, "nobody", H5P_DEFAULT, &made));
  CALL(H5Rcreate_object(file, "group/set/below", H5P_DEFAULT, &made));
  CALL(H5Rcreate_region(file, "group/set", space, H5P_DEFAULT, NULL));
  CALL(H5Rcreate_region(file, NULL, space, H5P_DEFAULT, &made));
  CALL(H5Rcreate_region(file, "group/set", -1, H5P_DEFAULT, &made));
  CALL(H5Rcreate_region(file, "group/set", H5S_ALL, H5P_DEFAULT, &made));
  CALL(H5Rcreate_region(file, "group/set", file, H5P_DEFAULT, &made));
  CALL(H5Rcreate_region(file, "group/set", space, -1, &made));
  CALL(H5Rcreate_region(file, "nobody", space, H5P_DEFAULT, &made));
  CALL(H5Rcreate_attr(file, "group/set", "answer", H5P_DEFAULT, NULL));
  CALL(H5Rcreate_attr(file, NULL, "answer", H5P_DEFAULT, &made));
  CALL(H5Rcreate_attr(file, "group/set", NULL, H5P_DEFAULT, &made));
  CALL(H5Rcreate_attr(file, "group/set", "", H5P_DEFAULT, &made));
  CALL(H5Rcreate_attr(file, "group/set", "answer", plist, &made));
  CALL(H5Rcreate_attr(plist, "group/set", "answer", H5P_DEFAULT, &made));
  CALL(H5Rcreate_attr(file, "nobody", "answer", H5P_DEFAULT, &made));
  CALL(H5Rcreate_attr(file, "group/set", "answer", access, &made));
  CALL(H5Rdestroy(&made));
  CALL(H5Rdestroy(NULL));
  CALL(H5Rget_type(NULL));
  CALL(H5Requal(NULL, &object));
  CALL(H5Requal(&object, NULL));
  CALL(H5Rcopy(NULL, &made));
  CALL(H5Rcopy(&object, NULL));
  CALL_ID(H5Ropen_object(NULL, H5P_DEFAULT, H5P_DEFAULT));
  CALL_ID(H5Ropen_object(&object, -1, H5P_DEFAULT));
  CALL_ID(H5Ropen_object(&object, H5P_DEFAULT, -1));
  CALL_ID(H5Ropen_object(&object, H5P_DEFAULT, space));
  CALL_ID(H5Ropen_region(NULL, H5P_DEFAULT, H5P_DEFAULT));
  CALL_ID(H5Ropen_region(&region, -1, H5P_DEFAULT));
  CALL_ID(H5Ropen_region(&object, H5P_DEFAULT, H5P_DEFAULT));
  CALL_ID(H5Ropen_attr(NULL, H5P_DEFAULT, H5P_DEFAULT));
  CALL_ID(H5Ropen_attr(&attribute, -1, H5P_DEFAULT));
  CALL_ID(H5Ropen_attr(&attribute, H5P_DEFAULT, -1));
  CALL_ID(H5Ropen_attr(&object, H5P_DEFAULT, H5P_DEFAULT));
  CALL(H5Rget_obj_type3(NULL, H5P_DEFAULT, NULL));
  CALL(H5Rget_obj_type3(&object, -1, NULL));
  CALL(H5Rget_file_name(NULL, NULL, 0));
  CALL(H5Rget_obj_name(NULL, H5P_DEFAULT, NULL, 0));
  CALL(H5Rget_obj_name(&object, -1, NULL, 0));
  CALL(H5Rget_attr_name(NULL, NULL, 0));
  CALL(H5Rget_attr_name(&object, NULL, 0));
  H5Pclose(plist);
  H5Pclose(access);
}

/* A reference keeps its file open. */
static void outlives(void) {
  char name[40];
  H5Sclose(space);
  H5Dclose(set);
  H5Gclose(group);
  CALL(H5Fclose(file));
  CALL(H5Iis_valid(file));
  CALL(H5Iget_ref(file));
  CALL(H5Rget_obj_name(&region, H5P_DEFAULT, name, sizeof name));
  printf("  %s\n", name);
  follow(&attribute);
  CALL(H5Rdestroy(&object));
  CALL(H5Rdestroy(&same));
  CALL(H5Rdestroy(&other_region));
  CALL(H5Rdestroy(&attribute));
  CALL(H5Iget_ref(file));
  CALL(H5Rdestroy(&region));
  CALL(H5Iis_valid(file));
  CALL(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL));
}

int main(void) {
  quiet();
  create_all();
  show_names(&object);
  show_names(&region);
  show_names(&attribute);
  follow(&object);
  follow(&region);
  follow(&other_region);
  follow(&attribute);
  compare_and_copy();
  empty_ones();
  wrong_arguments();
  outlives();
  return 0;
}
