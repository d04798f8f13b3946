/* SPDX-License-Identifier: Apache-2.0
 *
 * Attributes of objects given by their paths. */
#include "show.h"

static herr_t see(hid_t where, const char* name, const H5A_info_t* info, void* data) {
  (void)where;
  printf("  %s: %lld bytes\n", name, (long long)info->data_size);
  return data != NULL && strcmp(name, (const char*)data) == 0 ? 3 : 0;
}

static herr_t see_old(hid_t where, const char* name, void* data) {
  (void)where;
  (void)data;
  printf("  %s\n", name);
  return 0;
}

static void make(hid_t file) {
  const char* names[] = {"one", "two", "three"};
  hid_t space = H5Screate(H5S_SCALAR), attribute;
  int i;
  for (i = 0; i < 3; ++i) {
    attribute = H5Acreate_by_name(file, "g/d", names[i], H5T_STD_I32LE, space, NONE, NONE, NONE);
    CALL_ID(attribute);
    CALL(H5Awrite(attribute, H5T_NATIVE_INT, &i));
    H5Aclose(attribute);
  }
  SHOW_FAILURE(H5Acreate_by_name(file, "g/absent", "x", H5T_STD_I32LE, space, NONE, NONE, NONE));
  SHOW_FAILURE(H5Acreate_by_name(file, "g/d", "one", H5T_STD_I32LE, space, NONE, NONE, NONE));
  SHOW_FAILURE(H5Acreate_by_name(file, "", "one", H5T_STD_I32LE, space, NONE, NONE, NONE));
  H5Sclose(space);
}

static void use(hid_t file) {
  H5A_info_t info;
  hsize_t next = 0;
  unsigned old = 1;
  hid_t attribute, set;
  CALL(H5Aexists_by_name(file, "g/d", "two", NONE));
  CALL(H5Aexists_by_name(file, "g/d", "four", NONE));
  SHOW_FAILURE(H5Aexists_by_name(file, "g/absent", "two", NONE));
  CALL(H5Arename_by_name(file, "g/d", "two", "second", NONE));
  CALL(H5Arename_by_name(file, "g/d", "second", "second", NONE));
  SHOW_FAILURE(H5Arename_by_name(file, "g/d", "second", "one", NONE));
  SHOW_FAILURE(H5Arename_by_name(file, "g/d", "four", "five", NONE));
  CALL(H5Aiterate_by_name(file, "g/d", H5_INDEX_NAME, H5_ITER_INC, &next, see, NULL, NONE));
  CALL(next);
  next = 1;
  CALL(H5Aiterate_by_name(file, "g/d", H5_INDEX_NAME, H5_ITER_DEC, &next, see, "one", NONE));
  SHOW_FAILURE(H5Aiterate_by_name(file, "g/absent", H5_INDEX_NAME, H5_ITER_INC, &next, see, NULL, NONE));
  CALL(H5Aget_info_by_idx(file, "g/d", H5_INDEX_NAME, H5_ITER_INC, 1, &info, NONE));
  VALUE(info.data_size);
  SHOW_FAILURE(H5Aget_info_by_idx(file, "g/d", H5_INDEX_NAME, H5_ITER_INC, 9, &info, NONE));
  set = H5Dopen2(file, "g/d", NONE);
  attribute = H5Aopen(set, "three", NONE);
  CALL(H5Aget_info(attribute, &info));
  VALUE(info.data_size);
  VALUE(info.cset);
  SHOW_FAILURE(H5Aget_info(set, &info));
  H5Aclose(attribute);
  CALL(H5Aiterate1(set, &old, see_old, NULL));
  CALL(old);
  CALL(H5Dclose(set));
  CALL(H5Adelete_by_name(file, "g/d", "one", NONE));
  SHOW_FAILURE(H5Adelete_by_name(file, "g/d", "one", NONE));
  SHOW_FAILURE(H5Adelete_by_name(file, "g/d", "", NONE));
}

int main(void) {
  hid_t file;
  quiet();
  file = new_file("attributes_by_name.h5");
  new_group(file, "g");
  new_dataset(file, "g/d");
  make(file);
  use(file);
  CALL(H5Fclose(file));
  return 0;
}
