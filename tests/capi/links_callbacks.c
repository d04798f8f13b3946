/* SPDX-License-Identifier: Apache-2.0 */
/* User-defined links whose callbacks fail, and the properties of external links. */
#include "show.h"

#define MINE 80

static int fails;
enum { create = 1, move = 2, copy = 4, traverse = 8, delete_link = 16, query_value = 32 };

static herr_t on_create(const char* name, hid_t group, const void* data, size_t bytes, hid_t list) {
  printf("create %s\n", name);
  return fails & create ? -1 : 0;
}
static herr_t on_move(const char* name, hid_t group, const void* data, size_t bytes) {
  printf("move %s\n", name);
  return fails & move ? -1 : 0;
}
static herr_t on_copy(const char* name, hid_t group, const void* data, size_t bytes) {
  printf("copy %s\n", name);
  return fails & copy ? -1 : 0;
}
static hid_t on_traverse(const char* name, hid_t group, const void* data, size_t bytes, hid_t list) {
  printf("traverse %s\n", name);
  return fails & traverse ? -1 : H5Oopen(group, (const char*)data, list);
}
static herr_t on_delete(const char* name, hid_t file, const void* data, size_t bytes) {
  printf("delete %s\n", name);
  return fails & delete_link ? -1 : 0;
}
static ssize_t on_query(const char* name, const void* data, size_t bytes, void* buffer, size_t size) {
  return fails & query_value ? -1 : (ssize_t)bytes;
}

static void show_links(hid_t loc) {
  H5G_info_t info;
  hsize_t i;
  H5Gget_info(loc, &info);
  printf("links:");
  for (i = 0; i < info.nlinks; ++i) {
    char name[32];
    H5Lget_name_by_idx(loc, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name, NONE);
    printf(" %s", name);
  }
  printf("\n");
}

static void user_links(void) {
  const H5L_type_t mine = (H5L_type_t)MINE;
#if H5_VERSION_GE(1, 12, 0)
  H5L_class_0_t links = {0, mine, "mine", on_create, on_move, on_copy, on_traverse, on_delete, on_query};
#else
  H5L_class_t links = {H5L_LINK_CLASS_T_VERS, mine,      "mine",  on_create, on_move, on_copy,
                       on_traverse,           on_delete, on_query};
#endif
  H5L_info_t info;
  hid_t file = new_file("links_callbacks.h5"), other = new_file("links_other.h5");
  char value[8];
  new_group(file, "g");
  H5Lregister((const H5L_class_t*)&links);
  fails = create;
  CALL(H5Lcreate_ud(file, "a", mine, "g", 2, NONE, NONE));
  show_links(file);
  fails = 0;
  CALL(H5Lcreate_ud(file, "b", mine, "g", 2, NONE, NONE));
  show_links(file);
  fails = move;
  CALL(H5Lmove(file, "b", file, "moved", NONE, NONE));
  show_links(file);
  fails = copy;
  CALL(H5Lcopy(file, "b", file, "copied", NONE, NONE));
  show_links(file);
  fails = delete_link;
  CALL(H5Ldelete(file, "b", NONE));
  show_links(file);
  CALL(H5Lmove(file, "b", file, "c", NONE, NONE));
  show_links(file);
  fails = traverse;
  CALL_ID(H5Oopen(file, "b", NONE));
  fails = query_value;
  CALL(H5Lget_info(file, "b", &info, NONE));
  CALL(H5Lget_val(file, "b", value, sizeof value, NONE));
  fails = 0;
  CALL(H5Lcopy(file, "b", other, "copied", NONE, NONE));
  CALL(H5Lmove(file, "b", other, "moved", NONE, NONE));
  show_links(file);
  show_links(other);
  H5Lunregister(mine);
  CALL(H5Lmove(file, "c", file, "d", NONE, NONE));
  CALL(H5Lcopy(file, "c", file, "e", NONE, NONE));
  show_links(file);
  CALL(H5Ldelete(file, "c", NONE));
  CALL(H5Lcopy(file, "c", other, "e", NONE, NONE));
  CALL(H5Lmove(file, "c", other, "f", NONE, NONE));
  show_links(file);
  show_links(other);
  H5Fclose(file);
  H5Fclose(other);
}

static void across_files(void) {
  hid_t file = new_file("from.h5"), other = new_file("to.h5");
  new_group(file, "g");
  H5Lcreate_soft("/nowhere", file, "soft", NONE, NONE);
  H5Lcreate_external("x.h5", "/", file, "external", NONE, NONE);
  CALL(H5Lcopy(file, "soft", other, "soft copied", NONE, NONE));
  CALL(H5Lcopy(file, "external", other, "external copied", NONE, NONE));
  CALL(H5Lcopy(file, "g", other, "hard copied", NONE, NONE));
  CALL(H5Lmove(file, "soft", other, "soft moved", NONE, NONE));
  CALL(H5Lmove(file, "external", other, "external moved", NONE, NONE));
  CALL(H5Lmove(file, "g", other, "hard moved", NONE, NONE));
  show_links(file);
  show_links(other);
  H5Fclose(file);
  H5Fclose(other);
}

/* H5Lcreate_ud with the type of external links. */
static void as_user_link(void) {
  hid_t file = new_file("external.h5");
  H5L_info_t info;
  char value[32] = "";
  const char* name = NULL;
  const char* path = NULL;
  unsigned flags = 9;
  new_group(file, "g");
  CALL(H5Lcreate_ud(file, "short", H5L_TYPE_EXTERNAL, "udata", 5, NONE, NONE));
  CALL(H5Lcreate_ud(file, "good", H5L_TYPE_EXTERNAL, "\0external.h5\0/g", 16, NONE, NONE));
  CALL(H5Lcreate_ud(file, "flags", H5L_TYPE_EXTERNAL, "\1external.h5\0/g", 16, NONE, NONE));
  show_links(file);
  CALL(H5Lget_info(file, "good", &info, NONE));
  VALUE(info.type);
  VALUE(info.u.val_size);
  CALL(H5Lget_val(file, "good", value, sizeof value, NONE));
  CALL(H5Lunpack_elink_val(value, info.u.val_size, &flags, &name, &path));
  printf("%u %s %s\n", flags, name, path);
  OPEN(file, "good");
  CALL(H5Lget_info(file, "short", &info, NONE));
  OPEN(file, "short");
  CALL(H5Lget_val(file, "short", value, sizeof value, NONE));
  CALL(H5Lget_info(file, "flags", &info, NONE));
  CALL(H5Lcopy(file, "short", file, "short copied", NONE, NONE));
  CALL(H5Lmove(file, "short", file, "short moved", NONE, NONE));
  CALL(H5Ldelete(file, "flags", NONE));
  show_links(file);
  CALL(H5Ldelete(file, "short copied", NONE));
  CALL(H5Ldelete(file, "short moved", NONE));
  H5Fclose(file);
}

static herr_t on_external(const char* parent, const char* group, const char* child, const char* object,
                          unsigned* flags, hid_t plist, void* data) {
  printf("callback: %s %s %s %s, flags %u, %s\n", parent, group, child, object, *flags,
         H5Pget_driver(plist) == H5FD_SEC2 ? "default driver" : "other driver");
  if (*(int*)data == 1) *flags = H5F_ACC_RDONLY;
  if (*(int*)data == 2) return -1;
  if (*(int*)data == 3) *flags = H5F_ACC_TRUNC;
  return 0;
}

static void access_lists(void) {
  const struct {
    const char* name;
    unsigned flags;
  } modes[] = {{"default", H5F_ACC_DEFAULT}, {"read only", H5F_ACC_RDONLY}, {"read and write", H5F_ACC_RDWR}};
  hid_t file = new_file("external_target.h5"), space = H5Screate(H5S_SCALAR);
  H5L_elink_traverse_t found;
  void* found_data;
  size_t i;
  int mode;
  new_group(file, "g");
  H5Fclose(file);
  file = new_file("external_from.h5");
  H5Lcreate_external("external_target.h5", "/", file, "e", NONE, NONE);
  new_group(file, "here");
  H5Lcreate_external("external_target.h5", "/g", file, "here/e", NONE, NONE);
  H5Fclose(file);
  file = H5Fopen("external_from.h5", H5F_ACC_RDWR, NONE);
  for (i = 0; i < 3; ++i) {
    hid_t links = H5Pcreate(H5P_LINK_ACCESS), groups = H5Pcreate(H5P_GROUP_ACCESS);
    hid_t sets = H5Pcreate(H5P_DATASET_ACCESS), types = H5Pcreate(H5P_DATATYPE_ACCESS), id, inner;
    char name[32];
    H5Pset_elink_acc_flags(links, modes[i].flags);
    H5Pset_elink_acc_flags(groups, modes[i].flags);
    H5Pset_elink_acc_flags(sets, modes[i].flags);
    H5Pset_elink_acc_flags(types, modes[i].flags);
    printf("-- %s\n", modes[i].name);
    snprintf(name, sizeof name, "e/group%d", (int)i);
    id = H5Gcreate2(file, name, NONE, NONE, groups);
    CALL_ID(id);
    if (id >= 0) H5Gclose(id);
    snprintf(name, sizeof name, "e/set%d", (int)i);
    id = H5Dcreate2(file, name, H5T_NATIVE_INT, space, NONE, NONE, sets);
    CALL_ID(id);
    if (id >= 0) H5Dclose(id);
    snprintf(name, sizeof name, "e/type%d", (int)i);
    id = H5Tcopy(H5T_NATIVE_INT);
    CALL(H5Tcommit2(file, name, id, NONE, NONE, types));
    H5Tclose(id);
    snprintf(name, sizeof name, "e/link%d", (int)i);
    CALL(H5Lcreate_soft("/g", file, name, NONE, links));
    snprintf(name, sizeof name, "hard%d", (int)i);
    id = H5Gopen2(file, "here/e", groups);
    CALL_ID(id);
    inner = H5Gcreate2(id, name, NONE, NONE, NONE);
    CALL_ID(inner);
    if (inner >= 0) H5Gclose(inner);
    H5Gclose(id);
    id = H5Oopen(file, "here/e", links);
    CALL_ID(id);
    inner = H5Acreate2(id, name, H5T_NATIVE_INT, space, NONE, NONE);
    CALL_ID(inner);
    if (inner >= 0) H5Aclose(inner);
    H5Oclose(id);
    snprintf(name, sizeof name, "by name %d", (int)i);
    inner = H5Acreate_by_name(file, "e/g", name, H5T_NATIVE_INT, space, NONE, NONE, links);
    CALL_ID(inner);
    if (inner >= 0) H5Aclose(inner);
    VALUE(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL));
    H5Pclose(links);
    H5Pclose(groups);
    H5Pclose(sets);
    H5Pclose(types);
  }
  for (mode = 0; mode < 4; ++mode) {
    hid_t groups = H5Pcreate(H5P_GROUP_ACCESS), id;
    char name[32];
    CALL(H5Pset_elink_cb(groups, on_external, &mode));
    CALL(H5Pget_elink_cb(groups, &found, &found_data));
    printf("%d %d\n", found == on_external, found_data == &mode);
    id = H5Gopen2(file, "e/g", groups);
    CALL_ID(id);
    if (id >= 0) H5Gclose(id);
    snprintf(name, sizeof name, "here/e/called%d", mode);
    id = H5Gcreate2(file, name, NONE, NONE, groups);
    CALL_ID(id);
    if (id >= 0) H5Gclose(id);
    H5Pclose(groups);
  }
  H5Fclose(file);
}

/* The character set of links that are copied or moved. */
static void show_charset(hid_t file, const char* name) {
  H5L_info_t info;
  if (H5Lget_info(file, name, &info, NONE) >= 0) printf("%s: character set %d\n", name, (int)info.cset);
}

static void charsets(void) {
  hid_t file, utf8 = H5Pcreate(H5P_LINK_CREATE), ascii = H5Pcreate(H5P_LINK_CREATE),
              access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_char_encoding(utf8, H5T_CSET_UTF8);
  H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  file = H5Fcreate("charsets.h5", H5F_ACC_TRUNC, NONE, access);
  H5Gclose(H5Gcreate2(file, "group", utf8, NONE, NONE));
  H5Gclose(H5Gcreate2(file, "group/inside", utf8, NONE, NONE));
  H5Lcreate_soft("/group", file, "group/soft", utf8, NONE);
  H5Lcreate_soft("/group", file, "soft", utf8, NONE);
  H5Lcreate_soft("/group", file, "plain", NONE, NONE);
  CALL(H5Lcopy(file, "soft", file, "copied by default", NONE, NONE));
  CALL(H5Lcopy(file, "soft", file, "copied as ascii", ascii, NONE));
  CALL(H5Lcopy(file, "plain", file, "plain as utf8", utf8, NONE));
  CALL(H5Lcopy(file, "group", file, "group copied", NONE, NONE));
  CALL(H5Lmove(file, "group copied", file, "group moved", NONE, NONE));
  CALL(H5Lmove(file, "group moved", file, "group moved again", ascii, NONE));
  CALL(H5Ocopy(file, "group", file, "object copied", NONE, NONE));
  CALL(H5Ocopy(file, "group", file, "object copied as utf8", NONE, utf8));
  show_charset(file, "soft");
  show_charset(file, "plain");
  show_charset(file, "copied by default");
  show_charset(file, "copied as ascii");
  show_charset(file, "plain as utf8");
  show_charset(file, "group moved again");
  show_charset(file, "object copied");
  show_charset(file, "object copied/inside");
  show_charset(file, "object copied/soft");
  show_charset(file, "object copied as utf8");
  show_charset(file, "object copied as utf8/inside");
  H5Fclose(file);
}

int main(void) {
  quiet();
  user_links();
  across_files();
  as_user_link();
  access_lists();
  charsets();
  return 0;
}
