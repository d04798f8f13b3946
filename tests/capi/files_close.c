/* SPDX-License-Identifier: Apache-2.0
 *
 * Closing files with open objects, by close degree. */
#include "show.h"

static void with_degree(H5F_close_degree_t degree) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), file, group, type, attribute, space, set, again;
  char name[50] = "";
  printf("-- degree %d\n", (int)degree);
  H5Pset_fclose_degree(access, degree);
  file = H5Fcreate("close.h5", H5F_ACC_TRUNC, NONE, access);
  group = H5Gcreate2(file, "g", NONE, NONE, NONE);
  new_type(file, "t");
  new_dataset(group, "d");
  type = H5Topen2(file, "t", NONE);
  set = H5Dopen2(group, "d", NONE);
  space = H5Screate(H5S_SCALAR);
  attribute = H5Acreate2(group, "a", H5T_STD_I32LE, space, NONE, NONE);
  H5Sclose(space);
  space = H5Dget_space(set);
  CALL(H5Fget_obj_count(file, H5F_OBJ_ALL));
  CALL(H5Fclose(file));
  CALL(H5Iis_valid(file));
  CALL(H5Iis_valid(group));
  CALL(H5Iis_valid(type));
  CALL(H5Iis_valid(attribute));
  CALL(H5Iis_valid(set));
  CALL(H5Iis_valid(space));
  CALL(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL));
  if (H5Iis_valid(group)) {
    CALL_ID(again = H5Gcreate2(group, "later", NONE, NONE, NONE));
    H5Gclose(again);
    CALL(H5Fget_name(group, name, sizeof name));
    again = H5Iget_file_id(group);
    CALL_ID(again);
    CALL(H5Fget_obj_count(again, H5F_OBJ_FILE));
    CALL(H5Idec_ref(again));
    CALL(H5Gclose(group));
    CALL(H5Tclose(type));
    CALL(H5Aclose(attribute));
    CALL(H5Dclose(set));
  }
  CALL(H5Sclose(space));
  if (H5Iis_valid(file)) CALL(H5Fclose(file));
  /* The objects that were created after it was closed exist. */
  {
    hid_t ids[20];
    long i, count = (long)H5Fget_obj_ids((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL, 20, ids);
    for (i = 0; i < count; ++i) H5Idec_ref(ids[i]);
  }
  CALL(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL));
  file = H5Fopen("close.h5", H5F_ACC_RDWR, NONE);
  CALL(H5Lexists(file, "g/later", NONE));
  CALL_ID(again = H5Fopen("close.h5", H5F_ACC_RDWR, access));
  if (again >= 0) H5Fclose(again);
  H5Fclose(file);
  H5Pclose(access);
}

int main(void) {
  quiet();
  with_degree(H5F_CLOSE_DEFAULT);
  with_degree(H5F_CLOSE_WEAK);
  with_degree(H5F_CLOSE_SEMI);
  with_degree(H5F_CLOSE_STRONG);
  return 0;
}
