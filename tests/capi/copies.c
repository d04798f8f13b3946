/* SPDX-License-Identifier: Apache-2.0
 *
 * H5Ocopy with references that lead to the copies, and with committed datatypes that exist already. */
#include "show.h"

static void make_sources(hid_t file) {
  const hsize_t dims[1] = {2}, chunk[1] = {1};
  hobj_ref_t references[2];
  hdset_reg_ref_t regions[2];
  hid_t space = H5Screate_simple(1, dims, NULL), set, list, attribute, scalar = H5Screate(H5S_SCALAR);
  new_group(file, "g");
  new_dataset(file, "g/target");
  new_dataset(file, "outside");
  H5Rcreate(&references[0], file, "g/target", H5R_OBJECT, -1);
  H5Rcreate(&references[1], file, "outside", H5R_OBJECT, -1);
  H5Rcreate(&regions[0], file, "outside", H5R_DATASET_REGION, scalar);
  H5Rcreate(&regions[1], file, "g/target", H5R_DATASET_REGION, scalar);
  set = H5Dcreate2(file, "g/objects", H5T_STD_REF_OBJ, space, NONE, NONE, NONE);
  H5Dwrite(set, H5T_STD_REF_OBJ, H5S_ALL, H5S_ALL, NONE, references);
  attribute = H5Acreate2(set, "too", H5T_STD_REF_OBJ, space, NONE, NONE);
  H5Awrite(attribute, H5T_STD_REF_OBJ, references);
  H5Aclose(attribute);
  H5Dclose(set);
  set = H5Dcreate2(file, "g/regions", H5T_STD_REF_DSETREG, space, NONE, NONE, NONE);
  H5Dwrite(set, H5T_STD_REF_DSETREG, H5S_ALL, H5S_ALL, NONE, regions);
  H5Dclose(set);
  list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(list, 1, chunk);
  set = H5Dcreate2(file, "g/chunked", H5T_STD_REF_OBJ, space, NONE, list, NONE);
  H5Dwrite(set, H5T_STD_REF_OBJ, H5S_ALL, H5S_ALL, NONE, references);
  H5Dclose(set);
  H5Pclose(list);
  H5Sclose(scalar);
  H5Sclose(space);
}

static void follow(hid_t set, H5R_type_t kind, const void* reference) {
  int value = 0;
  hid_t object;
  H5E_BEGIN_TRY { object = H5Rdereference2(set, NONE, kind, reference); }
  H5E_END_TRY
  if (object < 0) {
    printf("  leads nowhere\n");
    return;
  }
  H5Dread(object, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, &value);
  printf("  leads to %d\n", value);
  H5Dclose(object);
}

static void show_copy(hid_t file, const char* path) {
  char name[100];
  hobj_ref_t references[2];
  hdset_reg_ref_t regions[2];
  hid_t set, attribute;
  const char* sets[] = {"objects", "chunked"};
  int i;
  for (i = 0; i < 2; ++i) {
    sprintf(name, "%s/%s", path, sets[i]);
    printf("%s\n", name);
    set = H5Dopen2(file, name, NONE);
    CALL(H5Dread(set, H5T_STD_REF_OBJ, H5S_ALL, H5S_ALL, NONE, references));
    follow(set, H5R_OBJECT, &references[0]);
    follow(set, H5R_OBJECT, &references[1]);
    if (i == 0) {
      attribute = H5Aopen(set, "too", NONE);
      CALL(H5Aread(attribute, H5T_STD_REF_OBJ, references));
      follow(set, H5R_OBJECT, &references[0]);
      follow(set, H5R_OBJECT, &references[1]);
      H5Aclose(attribute);
    }
    H5Dclose(set);
  }
  sprintf(name, "%s/regions", path);
  set = H5Dopen2(file, name, NONE);
  CALL(H5Dread(set, H5T_STD_REF_DSETREG, H5S_ALL, H5S_ALL, NONE, regions));
  follow(set, H5R_DATASET_REGION, &regions[0]);
  follow(set, H5R_DATASET_REGION, &regions[1]);
  H5Dclose(set);
}

static void expand(void) {
  hid_t from = new_file("copies_from.h5"), to = new_file("copies_to.h5"), list = H5Pcreate(H5P_OBJECT_COPY);
  make_sources(from);
  CALL(H5Ocopy(from, "g", to, "plain", NONE, NONE));
  show_copy(to, "plain");
  CALL(H5Pset_copy_object(list, H5O_COPY_EXPAND_REFERENCE_FLAG));
  CALL(H5Ocopy(from, "g", to, "expanded", list, NONE));
  show_copy(to, "expanded");
  H5Pclose(list);
  CALL(H5Fclose(from));
  /* The names of objects that only references lead to contain addresses. */
  H5Fclose(to);
  remove("copies_to.h5");
}

static H5O_mcdt_search_ret_t answer = H5O_MCDT_SEARCH_CONT;

static H5O_mcdt_search_ret_t search(void* data) {
  (void)data;
  printf("  asked\n");
  return answer;
}

static void show_sharing(hid_t file, const char* set_path, const char* type_path) {
  H5O_info1_t of_type, of_set;
  hid_t set = H5Dopen2(file, set_path, NONE), type = H5Dget_type(set);
  H5Oget_info_by_name1(file, type_path, &of_type, NONE);
  H5Oget_info1(type, &of_set);
  printf("  %s %s %s\n", set_path, of_type.addr == of_set.addr ? "has" : "has not", type_path);
  H5Tclose(type);
  H5Dclose(set);
}

static void merge(void) {
  H5O_mcdt_search_cb_t function = NULL;
  void* data = NULL;
  hid_t from = new_file("merge_from.h5"), to = new_file("merge_to.h5"), list = H5Pcreate(H5P_OBJECT_COPY);
  hid_t space = H5Screate(H5S_SCALAR), type, set;
  new_type(from, "type");
  type = H5Topen2(from, "type", NONE);
  set = H5Dcreate2(from, "set", type, space, NONE, NONE, NONE);
  H5Dclose(set);
  H5Tclose(type);
  new_group(to, "types");
  new_type(to, "types/there");
  new_type(to, "types/other");
  CALL(H5Ocopy(from, "set", to, "plain", NONE, NONE));
  show_sharing(to, "plain", "types/there");
  CALL(H5Pset_copy_object(list, H5O_COPY_MERGE_COMMITTED_DTYPE_FLAG));
  CALL(H5Padd_merge_committed_dtype_path(list, "/types/other"));
  CALL(H5Ocopy(from, "set", to, "suggested", list, NONE));
  show_sharing(to, "suggested", "types/other");
  CALL(H5Pfree_merge_committed_dtype_paths(list));
  CALL(H5Pset_mcdt_search_cb(list, search, NULL));
  CALL(H5Pget_mcdt_search_cb(list, &function, &data));
  VALUE(function == search && data == NULL);
  CALL(H5Padd_merge_committed_dtype_path(list, "/nowhere"));
  answer = H5O_MCDT_SEARCH_STOP;
  CALL(H5Ocopy(from, "set", to, "stopped", list, NONE));
  show_sharing(to, "stopped", "types/there");
  show_sharing(to, "stopped", "types/other");
  TRY(H5Padd_merge_committed_dtype_path(list, ""));
  TRY(H5Padd_merge_committed_dtype_path(list, NULL));
  H5Sclose(space);
  H5Pclose(list);
  CALL(H5Fclose(from));
  CALL(H5Fclose(to));
}

int main(void) {
  quiet();
  expand();
  merge();
  return 0;
}
