/* SPDX-License-Identifier: Apache-2.0
 *
 * References of HDF5 1.12 in datasets and attributes, also into other files. */
#include "show.h"

#define COUNT 4

static hid_t home, away, four, space;

static hid_t new_set(hid_t loc, const char* name) {
  return H5Dcreate2(loc, name, H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
}

/* A file with a group, a dataset and an attribute. */
static hid_t new_target(const char* name) {
  hid_t file = new_file(name), set, id;
  int value = 5;
  new_group(file, "group");
  set = new_set(file, "group/set");
  id = H5Acreate2(set, "five", H5T_STD_I32LE, H5Screate(H5S_SCALAR), H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(id, H5T_NATIVE_INT, &value);
  H5Aclose(id);
  H5Dclose(set);
  return file;
}

static void make_all(hid_t file, H5R_ref_t* references) {
  hsize_t start[2] = {1, 1}, count[2] = {2, 2};
  memset(references, 0, COUNT * sizeof *references);
  H5Rcreate_object(file, "group", H5P_DEFAULT, &references[0]);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
  H5Rcreate_region(file, "group/set", space, H5P_DEFAULT, &references[1]);
  H5Sselect_all(space);
  H5Rcreate_attr(file, "group/set", "five", H5P_DEFAULT, &references[2]);
}

static void destroy_all(H5R_ref_t* references) {
  int i;
  for (i = 0; i < COUNT; ++i) H5Rdestroy(&references[i]);
}

/* What a reference leads to; `other` is a file access property list or H5P_DEFAULT. */
static void show_reference(H5R_ref_t* reference, hid_t other) {
  char name[100] = "";
  H5O_type_t kind = H5O_TYPE_UNKNOWN;
  hid_t id;
  CALL(H5Rget_type(reference));
  CALL(H5Rget_file_name(reference, name, sizeof name));
  printf("  %s\n", name);
  CALL(H5Rget_obj_type3(reference, other, &kind));
  VALUE(kind);
  strcpy(name, "");
  CALL(H5Rget_obj_name(reference, other, name, sizeof name));
  printf("  %s\n", name);
  id = H5Ropen_object(reference, other, H5P_DEFAULT);
  CALL_ID(id);
  if (id >= 0) show_name(id);
  if (id >= 0) H5Oclose(id);
  id = H5Ropen_region(reference, other, H5P_DEFAULT);
  CALL_ID(id);
  if (id >= 0) CALL(H5Sget_select_npoints(id));
  if (id >= 0) H5Sclose(id);
  id = H5Ropen_attr(reference, other, H5P_DEFAULT);
  CALL_ID(id);
  if (id >= 0) H5Aclose(id);
  strcpy(name, "");
  CALL(H5Rget_file_name(reference, name, sizeof name));
  printf("  %s\n", name);
}

static void show_all(H5R_ref_t* references) {
  int i;
  for (i = 0; i < COUNT; ++i) show_reference(&references[i], H5P_DEFAULT);
}

static void in_one_file(void) {
  H5R_ref_t made[COUNT], back[COUNT];
  hid_t set, id;
  int i;
  make_all(home, made);
  set = H5Dcreate2(home, "references", H5T_STD_REF, four, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  CALL(H5Dwrite(set, H5T_STD_REF, H5S_ALL, H5S_ALL, H5P_DEFAULT, made));
  CALL(H5Iget_ref(home));
  CALL(H5Dread(set, H5T_STD_REF, H5S_ALL, H5S_ALL, H5P_DEFAULT, back));
  CALL(H5Iget_ref(home));
  show_all(back);
  for (i = 0; i < 3; ++i) CALL(H5Requal(&made[i], &back[i]));
  CALL(H5Treclaim(H5T_STD_REF, four, H5P_DEFAULT, back));
  CALL(H5Iget_ref(home));
  id = H5Acreate2(set, "references", H5T_STD_REF, four, H5P_DEFAULT, H5P_DEFAULT);
  CALL(H5Awrite(id, H5T_STD_REF, made));
  CALL(H5Aread(id, H5T_STD_REF, back));
  show_all(back);
  for (i = 0; i < 3; ++i) CALL(H5Requal(&made[i], &back[i]));
  destroy_all(back);
  CALL(H5Aget_storage_size(id));
  H5Aclose(id);
  id = H5Dget_type(set);
  CALL(H5Tequal(id, H5T_STD_REF));
  CALL(H5Tget_size(id));
  H5Tclose(id);
  H5Dclose(set);
  destroy_all(made);
}

/* References into `away` that are stored in `home`. */
static void into_another_file(void) {
  H5R_ref_t made[COUNT], back[COUNT], copy;
  hid_t set, id;
  int i;
  make_all(away, made);
  set = H5Dcreate2(home, "external", H5T_STD_REF, four, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  CALL(H5Dwrite(set, H5T_STD_REF, H5S_ALL, H5S_ALL, H5P_DEFAULT, made));
  id = H5Acreate2(set, "external", H5T_STD_REF, four, H5P_DEFAULT, H5P_DEFAULT);
  CALL(H5Awrite(id, H5T_STD_REF, made));
  destroy_all(made);
  H5Fclose(away);
  CALL(H5Dread(set, H5T_STD_REF, H5S_ALL, H5S_ALL, H5P_DEFAULT, back));
  CALL(H5Iget_ref(home));
  CALL(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_FILE));
  CALL(H5Rcopy(&back[1], &copy));
  for (i = 0; i < 3; ++i) CALL(H5Requal(&back[i], &back[0]));
  CALL(H5Requal(&back[1], &copy));
  CALL(H5Dwrite(set, H5T_STD_REF, H5S_ALL, H5S_ALL, H5P_DEFAULT, back));
  show_all(back);
  show_reference(&copy, H5P_DEFAULT);
  CALL(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_FILE) > 1);
  CALL(H5Dwrite(set, H5T_STD_REF, H5S_ALL, H5S_ALL, H5P_DEFAULT, back));
  H5Rdestroy(&copy);
  destroy_all(back);
  CALL(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_FILE));
  CALL(H5Aread(id, H5T_STD_REF, back));
  show_reference(&back[2], H5P_DEFAULT);
  destroy_all(back);
  H5Aclose(id);
  H5Dclose(set);
}

/* The other file is renamed, so that the references lead nowhere. */
static void into_a_missing_file(void) {
  H5R_ref_t back[COUNT];
  hid_t set = H5Dopen2(home, "external", H5P_DEFAULT);
  rename("references_away.h5", "references_gone.h5");
  CALL(H5Dread(set, H5T_STD_REF, H5S_ALL, H5S_ALL, H5P_DEFAULT, back));
  show_all(back);
  show_reference(&back[0], H5P_FILE_ACCESS_DEFAULT);
  destroy_all(back);
  rename("references_gone.h5", "references_away.h5");
  H5Dclose(set);
}

/* References in compounds, arrays and sequences. */
static void nested(void) {
  struct {
    int number;
    H5R_ref_t reference;
    H5R_ref_t pair[2];
    hvl_t list;
  } value, back;
  H5R_ref_t items[2];
  hsize_t two = 2;
  hid_t pair = H5Tarray_create2(H5T_STD_REF, 1, &two), list = H5Tvlen_create(H5T_STD_REF);
  hid_t type = H5Tcreate(H5T_COMPOUND, sizeof value), scalar = H5Screate(H5S_SCALAR), set;
  H5Tinsert(type, "number", 0, H5T_NATIVE_INT);
  H5Tinsert(type, "reference", (size_t)((char*)&value.reference - (char*)&value), H5T_STD_REF);
  H5Tinsert(type, "pair", (size_t)((char*)&value.pair - (char*)&value), pair);
  H5Tinsert(type, "list", (size_t)((char*)&value.list - (char*)&value), list);
  memset(&value, 0, sizeof value);
  memset(&back, 0, sizeof back);
  value.number = 9;
  H5Rcreate_object(home, "group", H5P_DEFAULT, &value.reference);
  H5Rcreate_attr(home, "group/set", "five", H5P_DEFAULT, &value.pair[1]);
  H5Rcreate_object(home, "group/set", H5P_DEFAULT, &items[0]);
  H5Rcreate_region(home, "group/set", space, H5P_DEFAULT, &items[1]);
  value.list.len = 2;
  value.list.p = items;
  set = H5Dcreate2(home, "nested", type, scalar, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  CALL_ID(set);
  CALL(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value));
  CALL(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &back));
  VALUE(back.number);
  show_reference(&back.reference, H5P_DEFAULT);
  CALL(H5Rget_type(&back.pair[0]));
  show_reference(&back.pair[1], H5P_DEFAULT);
  VALUE(back.list.len);
  show_reference(&((H5R_ref_t*)back.list.p)[0], H5P_DEFAULT);
  show_reference(&((H5R_ref_t*)back.list.p)[1], H5P_DEFAULT);
  CALL(H5Treclaim(type, scalar, H5P_DEFAULT, &back));
  H5Rdestroy(&value.reference);
  H5Rdestroy(&value.pair[1]);
  H5Rdestroy(&items[0]);
  H5Rdestroy(&items[1]);
  CALL(H5Iget_ref(home));
  H5Dclose(set);
  H5Tclose(type);
  H5Tclose(pair);
  H5Tclose(list);
}

static void conversions(void) {
  const hid_t types[] = {H5T_STD_REF, H5T_STD_REF_OBJ, H5T_STD_REF_DSETREG};
  H5R_ref_t made, before;
  int i, j;
  H5T_cdata_t* data;
  for (i = 0; i < 3; ++i)
    for (j = 0; j < 3; ++j)
      if (types[j] == H5T_STD_REF || i == j) CALL(H5Tfind(types[i], types[j], &data) != NULL);
  H5Rcreate_object(home, "group", H5P_DEFAULT, &made);
  before = made;
  CALL(H5Tconvert(H5T_STD_REF, H5T_STD_REF, 1, &made, NULL, H5P_DEFAULT));
  VALUE(memcmp(&before, &made, sizeof made));
  CALL(H5Tequal(H5T_STD_REF, H5T_STD_REF_OBJ));
  H5Rdestroy(&made);
}

/* The file after it was closed. */
static void again(void) {
  H5R_ref_t back[COUNT];
  hid_t set;
  CALL(H5Fclose(home));
  home = H5Fopen("references_home.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  set = H5Dopen2(home, "references", H5P_DEFAULT);
  CALL(H5Dread(set, H5T_STD_REF, H5S_ALL, H5S_ALL, H5P_DEFAULT, back));
  H5Dclose(set);
  CALL(H5Fclose(home));
  show_all(back);
  destroy_all(back);
  CALL(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL));
}

int main(void) {
  hsize_t dims[2] = {4, 6}, count = COUNT;
  quiet();
  space = H5Screate_simple(2, dims, NULL);
  four = H5Screate_simple(1, &count, NULL);
  home = new_target("references_home.h5");
  away = new_target("references_away.h5");
  in_one_file();
  into_another_file();
  into_a_missing_file();
  nested();
  conversions();
  again();
  return 0;
}
