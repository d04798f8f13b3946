/* SPDX-License-Identifier: Apache-2.0
 *
 * Links of every kind: creation, traversal and information. */
#include "show.h"

static void show_link(hid_t loc, const char* path) {
  H5L_info_t info;
  char value[100];
  printf("-- %s\n", path);
  memset(&info, 0, sizeof info);
  memset(value, 'x', sizeof value);
  CALL(H5Lexists(loc, path, NONE));
  CALL(H5Lget_info(loc, path, &info, NONE));
  printf("type %d, order %d %lld, charset %d", (int)info.type, (int)info.corder_valid, (long long)info.corder,
         (int)info.cset);
  if (info.type != H5L_TYPE_HARD) printf(", %lu bytes", (unsigned long)info.u.val_size);
  printf("\n");
  CALL(H5Lget_val(loc, path, value, sizeof value, NONE));
  show_bytes("value", value, 24);
  memset(value, 'x', sizeof value);
  CALL(H5Lget_val(loc, path, value, 4, NONE));
  show_bytes("value", value, 6);
}

static void make(hid_t file) {
  hid_t other = new_file("links_other.h5"), utf8 = H5Pcreate(H5P_LINK_CREATE);
  new_group(file, "g");
  new_dataset(file, "d");
  new_dataset(other, "there");
  H5Lcreate_soft("there", other, "onward", NONE, NONE);
  CALL(H5Lcreate_hard(file, "d", file, "g/hard", NONE, NONE));
  CALL(H5Lcreate_hard(file, "d", H5L_SAME_LOC, "same", NONE, NONE));
  CALL(H5Lcreate_hard(H5L_SAME_LOC, "d", file, "same again", NONE, NONE));
  CALL(H5Lcreate_hard(H5L_SAME_LOC, "d", H5L_SAME_LOC, "never", NONE, NONE));
  CALL(H5Lcreate_hard(file, "missing", file, "never", NONE, NONE));
  CALL(H5Lcreate_hard(file, "d", file, "g", NONE, NONE));
  CALL(H5Lcreate_hard(file, "d", other, "never", NONE, NONE));
  CALL(H5Lcreate_hard(file, NULL, file, "never", NONE, NONE));
  CALL(H5Lcreate_hard(file, "d", file, "", NONE, NONE));
  CALL(H5Lcreate_hard(file, "d", file, "no/such", NONE, NONE));
  CALL(H5Lcreate_soft("/g/hard", file, "soft", NONE, NONE));
  CALL(H5Lcreate_soft("nowhere", file, "dangling", NONE, NONE));
  CALL(H5Lcreate_soft("loop", file, "loop", NONE, NONE));
  CALL(H5Lcreate_soft("", file, "never", NONE, NONE));
  CALL(H5Lcreate_soft(NULL, file, "never", NONE, NONE));
  CALL(H5Lcreate_soft("x", file, NULL, NONE, NONE));
  CALL(H5Lcreate_soft("x", H5L_SAME_LOC, "never", NONE, NONE));
  CALL(H5Lcreate_soft("x", file, "soft", NONE, NONE));
  CALL(H5Lcreate_soft("x", -1, "never", NONE, NONE));
  CALL(H5Lcreate_external("links_other.h5", "//there/", file, "external", NONE, NONE));
  CALL(H5Lcreate_external("links_other.h5", "onward", file, "external soft", NONE, NONE));
  CALL(H5Lcreate_external("missing.h5", "/", file, "no file", NONE, NONE));
  CALL(H5Lcreate_external("links_other.h5", "missing", file, "no object", NONE, NONE));
  CALL(H5Lcreate_external("", "/", file, "never", NONE, NONE));
  CALL(H5Lcreate_external("x", "", file, "never", NONE, NONE));
  CALL(H5Lcreate_external("x", NULL, file, "never", NONE, NONE));
  CALL(H5Lcreate_external("x", "y", file, "soft", NONE, NONE));
  H5Pset_char_encoding(utf8, H5T_CSET_UTF8);
  CALL(H5Lcreate_soft("d", file, "utf8", utf8, NONE));
  H5Pset_create_intermediate_group(utf8, 1);
  CALL(H5Lcreate_soft("d", file, "made/on/the way", utf8, NONE));
  H5Pclose(utf8);
  H5Fclose(other);
}

static void show(hid_t file) {
  char value[10];
  H5L_info_t info;
  OPEN(file, "soft");
  OPEN(file, "dangling");
  OPEN(file, "external");
  OPEN(file, "external soft");
  OPEN(file, "no file");
  OPEN(file, "no object");
  show_link(file, "d");
  show_link(file, "soft");
  show_link(file, "dangling");
  show_link(file, "external");
  show_link(file, "utf8");
  show_link(file, "made/on/the way");
  show_link(file, "missing");
  CALL(H5Lexists(file, "missing/x", NONE));
  CALL(H5Lexists(file, "dangling/x", NONE));
  CALL(H5Lexists(file, "/", NONE));
  CALL(H5Lexists(file, "g/", NONE));
  CALL(H5Lexists(file, NULL, NONE));
  CALL(H5Lexists(file, "", NONE));
  CALL(H5Lexists(-1, "d", NONE));
  CALL(H5Oexists_by_name(file, "soft", NONE));
  CALL(H5Oexists_by_name(file, "dangling", NONE));
  CALL(H5Oexists_by_name(file, "no file", NONE));
  CALL(H5Oexists_by_name(file, "/", NONE));
  CALL(H5Oexists_by_name(file, "missing", NONE));
  CALL(H5Lget_info(file, "d", NULL, NONE));
  CALL(H5Lget_info(file, NULL, &info, NONE));
  CALL(H5Lget_info(file, "missing/d", &info, NONE));
  CALL(H5Lget_val(file, "soft", NULL, 0, NONE));
  CALL(H5Lget_val(file, "", value, 1, NONE));
  CALL(H5Lget_val_by_idx(file, "/", H5_INDEX_NAME, H5_ITER_INC, 1, value, sizeof value, NONE));
  show_bytes("value", value, 8);
  CALL(H5Lget_val_by_idx(file, "/", H5_INDEX_NAME, H5_ITER_INC, 0, value, sizeof value, NONE));
  CALL(H5Lget_val_by_idx(file, "/", H5_INDEX_NAME, H5_ITER_INC, 99, value, sizeof value, NONE));
}

static void unpack(void) {
  static const char good[] = "\0file.h5\0/path", version[] = "\x10x\0y", flags[] = "\1x\0y";
  const char *file = "?", *path = "?";
  unsigned given = 99;
  CALL(H5Lunpack_elink_val(good, sizeof good, &given, &file, &path));
  printf("%u %s %s\n", given, file, path);
  CALL(H5Lunpack_elink_val(good, sizeof good, NULL, NULL, NULL));
  CALL(H5Lunpack_elink_val(NULL, 3, &given, &file, &path));
  CALL(H5Lunpack_elink_val(good, 1, &given, &file, &path));
  CALL(H5Lunpack_elink_val(good, 9, &given, &file, &path));
  CALL(H5Lunpack_elink_val(good, sizeof good - 1, &given, &file, &path));
  CALL(H5Lunpack_elink_val(version, sizeof version, &given, &file, &path));
  CALL(H5Lunpack_elink_val(flags, sizeof flags, &given, &file, &path));
}

static void limits(hid_t file) {
  hid_t access = H5Pcreate(H5P_LINK_ACCESS);
  char name[10], target[10];
  int i;
  new_group(file, "c0");
  for (i = 1; i < 20; ++i) {
    sprintf(name, "c%d", i);
    sprintf(target, "c%d", i - 1);
    H5Lcreate_soft(target, file, name, NONE, NONE);
  }
  CALL_ID(H5Gopen2(file, "c16", NONE));
  H5Pset_nlinks(access, 19);
  CALL_ID(H5Oopen(file, "c19", access));
  H5Pset_nlinks(access, 2);
  CALL_ID(H5Oopen(file, "c3", access));
  H5Pclose(access);
}

int main(void) {
  hid_t file;
  quiet();
  file = new_file("links.h5");
  make(file);
  show(file);
  unpack();
  limits(file);
  H5Fclose(file);
  return 0;
}
