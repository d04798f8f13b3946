/* SPDX-License-Identifier: Apache-2.0
 *
 * Groups whose links are filtered when they are many. */
#include "show.h"

static void show_filters(hid_t list) {
  int i, count = H5Pget_nfilters(list);
  VALUE(count);
  for (i = 0; i < count; ++i) {
    unsigned flags = 9, values[8] = {0}, config = 0;
    size_t length = 8;
    char name[40] = "";
    int id = (int)H5Pget_filter2(list, (unsigned)i, &flags, &length, values, sizeof name, name, &config);
    printf("filter %d, flags %u, %d values, first %u, %s\n", id, flags, (int)length, values[0], name);
  }
}

static void link_many(hid_t group, int first, int end) {
  int i;
  for (i = first; i < end; ++i) {
    char name[32];
    snprintf(name, sizeof name, "link%d", i);
    if (H5Lcreate_soft("/somewhere/else", group, name, NONE, NONE) < 0) printf("link %d failed\n", i);
  }
}

static void unlink_many(hid_t group, int first, int end, int step) {
  int i;
  for (i = first; i < end; i += step) {
    char name[32];
    snprintf(name, sizeof name, "link%d", i);
    if (H5Ldelete(group, name, NONE) < 0) printf("link %d was not deleted\n", i);
  }
}

static void show_group(hid_t group) {
  H5G_info_t info;
  hid_t list = H5Gget_create_plist(group);
  CALL(H5Gget_info(group, &info));
  printf("storage %d, %d links\n", (int)info.storage_type, (int)info.nlinks);
  show_filters(list);
  H5Pclose(list);
}

/* A file in which a filtered group lives through several sessions. */
static void live(const char* name, int latest) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), list = H5Pcreate(H5P_GROUP_CREATE), file, group;
  printf("-- %s\n", name);
  if (latest) H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  file = H5Fcreate(name, H5F_ACC_TRUNC, NONE, access);
  CALL(H5Pset_deflate(list, 7));
  CALL(H5Pset_filter(list, H5Z_FILTER_FLETCHER32, H5Z_FLAG_MANDATORY, 0, NULL));
  show_filters(list);
  group = H5Gcreate2(file, "group", NONE, list, NONE);
  CALL_ID(group);
  link_many(group, 0, 5);
  show_group(group);
  link_many(group, 5, 400);
  show_group(group);
  CALL(H5Gclose(group));
  CALL(H5Fclose(file));
  file = H5Fopen(name, H5F_ACC_RDWR, access);
  group = H5Gopen2(file, "group", NONE);
  unlink_many(group, 0, 400, 3);
  CALL(H5Lmove(group, "link1", group, "renamed", NONE, NONE));
  CALL(H5Lcreate_external("other.h5", "/x", group, "external", NONE, NONE));
  show_group(group);
  CALL(H5Ocopy(file, "group", file, "copy", NONE, NONE));
  CALL(H5Gclose(group));
  group = H5Gopen2(file, "copy", NONE);
  show_group(group);
  CALL(H5Gclose(group));
  CALL(H5Fclose(file));
  file = H5Fopen(name, H5F_ACC_RDWR, access);
  CALL(H5Ldelete(file, "copy", NONE));
  group = H5Gopen2(file, "group", NONE);
  unlink_many(group, 2, 400, 3);
  unlink_many(group, 4, 385, 3);
  show_group(group);
  CALL(H5Gclose(group));
  CALL(H5Fclose(file));
  H5Pclose(list);
  H5Pclose(access);
}

static void refused_filters(void) {
  hid_t list = H5Pcreate(H5P_GROUP_CREATE);
  printf("-- other filters\n");
  CALL(H5Pset_shuffle(list));
  CALL(H5Pset_nbit(list));
  CALL(H5Pset_scaleoffset(list, H5Z_SO_INT, 0));
  VALUE(H5Pget_nfilters(list));
  H5Pclose(list);
}

/* The filters of the root group are those of the file creation property list. */
static void filtered_root(void) {
  hid_t list = H5Pcreate(H5P_FILE_CREATE), file, group;
  printf("-- root\n");
  CALL(H5Pset_deflate(list, 3));
  file = H5Fcreate("root.h5", H5F_ACC_TRUNC, list, NONE);
  CALL_ID(file);
  link_many(file, 0, 100);
  group = H5Gopen2(file, "/", NONE);
  show_group(group);
  CALL(H5Gclose(group));
  CALL(H5Fclose(file));
  H5Pclose(list);
}

int main(void) {
  quiet();
  live("earliest.h5", 0);
  live("latest.h5", 1);
  refused_filters();
  filtered_root();
  return 0;
}
