/* SPDX-License-Identifier: Apache-2.0
 *
 * The character set of attribute names, and the property lists that set it. */
#include "show.h"

static void show_set(hid_t object, const char* name) {
  H5A_info_t info;
  H5T_cset_t set = (H5T_cset_t)99;
  hid_t attribute = H5Aopen(object, name, NONE), list = H5Aget_create_plist(attribute);
  H5Pget_char_encoding(list, &set);
  memset(&info, 9, sizeof info);
  CALL(H5Aget_info(attribute, &info));
  printf("%s: %d %d\n", name, info.cset, set);
  H5Pclose(list);
  H5Aclose(attribute);
}

static void new_attribute(hid_t object, const char* name, hid_t space, hid_t list) {
  hid_t attribute = H5Acreate2(object, name, H5T_STD_I32LE, space, list, NONE);
  CALL_ID(attribute);
  H5Aclose(attribute);
}

static void sets(const char* path, H5F_libver_t low, hid_t space) {
  hid_t fapl = H5Pcreate(H5P_FILE_ACCESS), acpl = H5Pcreate(H5P_ATTRIBUTE_CREATE), file, group, copy;
  H5Pset_libver_bounds(fapl, low, H5F_LIBVER_LATEST);
  H5Pset_char_encoding(acpl, H5T_CSET_UTF8);
  file = H5Fcreate(path, H5F_ACC_TRUNC, NONE, fapl);
  new_group(file, "g");
  group = H5Gopen2(file, "g", NONE);
  new_attribute(group, "plain", space, NONE);
  new_attribute(group, "said", space, acpl);
  new_attribute(group, "\xc3\xa4", space, NONE);
  new_attribute(group, "\xc3\xb6", space, acpl);
  H5Gclose(group);
  H5Fclose(file);
  file = H5Fopen(path, H5F_ACC_RDWR, fapl);
  group = H5Gopen2(file, "g", NONE);
  show_set(group, "plain");
  show_set(group, "said");
  show_set(group, "\xc3\xa4");
  show_set(group, "\xc3\xb6");
  CALL(H5Arename(group, "said", "renamed"));
  show_set(group, "renamed");
  CALL(H5Ocopy(file, "g", file, "copy", NONE, NONE));
  copy = H5Gopen2(file, "copy", NONE);
  show_set(copy, "renamed");
  show_set(copy, "\xc3\xa4");
  H5Gclose(copy);
  H5Gclose(group);
  H5Fclose(file);
  H5Pclose(acpl);
  H5Pclose(fapl);
}

/* Lists of other classes. The attributes are named after them. */
static void lists(hid_t file, hid_t space, hid_t of, const char* name) {
  hid_t list = H5Pcreate(of);
  char text[40];
  printf("%s\n", name);
#define NEXT(prefix) (snprintf(text, sizeof text, prefix " %s", name), text)
  CALL_ID(H5Acreate1(file, NEXT("1"), H5T_STD_I32LE, space, list));
  CALL_ID(H5Acreate2(file, NEXT("2"), H5T_STD_I32LE, space, list, NONE));
  CALL_ID(H5Acreate2(file, NEXT("3"), H5T_STD_I32LE, space, NONE, list));
  CALL_ID(H5Acreate_by_name(file, ".", NEXT("4"), H5T_STD_I32LE, space, list, NONE, NONE));
  CALL_ID(H5Acreate_by_name(file, ".", NEXT("5"), H5T_STD_I32LE, space, NONE, list, NONE));
  CALL_ID(H5Acreate_by_name(file, ".", NEXT("6"), H5T_STD_I32LE, space, NONE, NONE, list));
  CALL_ID(H5Aopen_by_name(file, ".", "a", list, NONE));
  CALL_ID(H5Aopen_by_name(file, ".", "a", NONE, list));
  CALL_ID(H5Aopen_by_idx(file, ".", H5_INDEX_NAME, H5_ITER_INC, 0, list, NONE));
  CALL_ID(H5Aopen_by_idx(file, ".", H5_INDEX_NAME, H5_ITER_INC, 0, NONE, list));
  H5Pclose(list);
}

int main(void) {
  hid_t file, space = H5Screate(H5S_SCALAR);
  quiet();
  sets("early.h5", H5F_LIBVER_EARLIEST, space);
  sets("late.h5", H5F_LIBVER_LATEST, space);
  file = new_file("lists.h5");
  new_attribute(file, "a", space, NONE);
#define LISTS(of) lists(file, space, of, #of)
  LISTS(H5P_ROOT);
  LISTS(H5P_OBJECT_CREATE);
  LISTS(H5P_FILE_CREATE);
  LISTS(H5P_FILE_ACCESS);
  LISTS(H5P_DATASET_CREATE);
  LISTS(H5P_DATASET_ACCESS);
  LISTS(H5P_DATASET_XFER);
  LISTS(H5P_GROUP_CREATE);
  LISTS(H5P_GROUP_ACCESS);
  LISTS(H5P_STRING_CREATE);
  LISTS(H5P_ATTRIBUTE_CREATE);
  LISTS(H5P_LINK_CREATE);
  LISTS(H5P_LINK_ACCESS);
  LISTS(H5P_OBJECT_COPY);
  H5Sclose(space);
  H5Fclose(file);
  return 0;
}
