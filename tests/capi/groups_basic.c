/* SPDX-License-Identifier: Apache-2.0
 *
 * Groups: creation, opening and information. */
#include "show.h"

static void show_info(hid_t loc, const char* path) {
  H5G_info_t info;
  CALL(H5Gget_info_by_name(loc, path, &info, NONE));
  printf("%s: storage %d, %lu links, order %lld, mounted %d\n", path, (int)info.storage_type,
         (unsigned long)info.nlinks, (long long)info.max_corder, (int)info.mounted);
}

static void paths(hid_t file) {
  static const char* const all[] = {"a",    "/a",   "//a//b/", "./a/./b", "a/b/.", ".",   "/",
                                    "a/..", "a//c", "d",       "d/",      "d/x",   "x/y", "soft/b"};
  unsigned i;
  new_group(file, "a");
  new_group(file, "a/b");
  new_group(file, "a//c");
  new_dataset(file, "d");
  H5Lcreate_soft("a", file, "soft", NONE, NONE);
  for (i = 0; i < sizeof all / sizeof *all; ++i) {
    hid_t id = H5Oopen(file, all[i], NONE);
    printf("%s: ", all[i]);
    show_result("open", id < 0 ? -1 : 0);
    if (id >= 0) {
      show_name(id);
      H5Oclose(id);
    }
  }
  CALL_ID(H5Gopen2(file, "d", NONE));
  CALL_ID(H5Gopen2(file, "missing", NONE));
  CALL_ID(H5Gopen2(file, NULL, NONE));
  CALL_ID(H5Gopen2(file, "", NONE));
  CALL_ID(H5Gopen2(-1, "a", NONE));
  CALL_ID(H5Gopen2(H5T_NATIVE_INT, "a", NONE));
  CALL_ID(H5Gcreate2(file, "a", NONE, NONE, NONE));
  CALL_ID(H5Gcreate2(file, "/", NONE, NONE, NONE));
  CALL_ID(H5Gcreate2(file, ".", NONE, NONE, NONE));
  CALL_ID(H5Gcreate2(file, "x/y/z", NONE, NONE, NONE));
  CALL_ID(H5Gcreate2(file, "d/x", NONE, NONE, NONE));
  CALL_ID(H5Gcreate2(file, NULL, NONE, NONE, NONE));
  CALL_ID(H5Gcreate2(file, "", NONE, NONE, NONE));
  CALL_ID(H5Gcreate2(file, "..", NONE, NONE, NONE));
  CALL_ID(H5Gcreate2(file, "new", H5T_NATIVE_INT, NONE, NONE));
  CALL_ID(H5Gcreate2(file, "new", NONE, H5T_NATIVE_INT, NONE));
  CALL(H5Lexists(file, "new", NONE));
  {
    hid_t set = H5Dopen2(file, "d", NONE);
    CALL_ID(H5Gopen2(set, "/a", NONE));
    CALL_ID(H5Gopen2(set, "a", NONE));
    CALL(H5Gclose(set));
    H5Dclose(set);
  }
  CALL(H5Gclose(file));
  CALL(H5Gclose(-1));
}

static void parents(hid_t file) {
  hid_t link = H5Pcreate(H5P_LINK_CREATE), group;
  H5Pset_create_intermediate_group(link, 1);
  CALL_ID(group = H5Gcreate2(file, "p/q/r", link, NONE, NONE));
  show_name(group);
  show_info(file, "p");
  H5Gclose(group);
  CALL_ID(H5Gcreate2(file, "p/q/r", link, NONE, NONE));
  H5Pclose(link);
}

static void orders(hid_t file) {
  hid_t create = H5Pcreate(H5P_GROUP_CREATE), group, got;
  unsigned flags = 9, most = 0, least = 0, i;
  char name[20];
  H5G_info_t info;
  H5Pset_link_creation_order(create, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  H5Pset_link_phase_change(create, 4, 2);
  H5Pset_est_link_info(create, 10, 20);
  group = H5Gcreate2(file, "ordered", NONE, create, NONE);
  got = H5Gget_create_plist(group);
  CALL(H5Pget_link_creation_order(got, &flags));
  CALL(H5Pget_link_phase_change(got, &most, &least));
  printf("%u, %u %u\n", flags, most, least);
  CALL(H5Pget_est_link_info(got, &most, &least));
  printf("%u %u\n", most, least);
  H5Pclose(got);
  for (i = 0; i < 6; ++i) {
    sprintf(name, "g%u", (i * 5) % 6);
    new_group(group, name);
    CALL(H5Gget_info(group, &info));
    printf("storage %d, %lu links, order %lld\n", (int)info.storage_type, (unsigned long)info.nlinks,
           (long long)info.max_corder);
  }
  for (i = 0; i < 6; ++i) {
    sprintf(name, "g%u", (i * 5) % 6);
    H5Ldelete(group, name, NONE);
  }
  show_info(file, "ordered");
  CALL(H5Gget_info_by_idx(file, "/", H5_INDEX_NAME, H5_ITER_INC, 1, &info, NONE));
  printf("%lu links\n", (unsigned long)info.nlinks);
  CALL(H5Gget_info_by_idx(file, "/", H5_INDEX_CRT_ORDER, H5_ITER_INC, 1, &info, NONE));
  CALL(H5Gget_info_by_idx(file, "/", H5_INDEX_NAME, H5_ITER_INC, 99, &info, NONE));
  CALL(H5Gget_info_by_idx(file, "", H5_INDEX_NAME, H5_ITER_INC, 0, &info, NONE));
  CALL(H5Gget_info_by_idx(file, "/", H5_INDEX_N, H5_ITER_INC, 0, &info, NONE));
  CALL(H5Gget_info_by_idx(file, "/", H5_INDEX_NAME, H5_ITER_N, 0, &info, NONE));
  CALL(H5Gget_info_by_name(file, "d", &info, NONE));
  CALL(H5Gget_info_by_name(file, "a", NULL, NONE));
  CALL(H5Gget_info(group, NULL));
  CALL(H5Gget_info(create, &info));
  CALL_ID(H5Gget_create_plist(file));
  H5Gclose(group);
  H5Pclose(create);
}

static void anonymous(hid_t file) {
  hid_t group = H5Gcreate_anon(file, NONE, NONE);
  H5O_info1_t info;
  CALL_ID(group);
  show_name(group);
  CALL(H5Oget_info1(group, &info));
  printf("%u links\n", info.rc);
  new_group(group, "in it");
  CALL(H5Olink(group, file, "now linked", NONE, NONE));
  show_name(group);
  CALL(H5Oget_info1(group, &info));
  printf("%u links\n", info.rc);
  H5Gclose(group);
  OPEN(file, "now linked/in it");
  CALL_ID(H5Gcreate_anon(-1, NONE, NONE));
  group = H5Gcreate_anon(file, NONE, NONE);
  CALL(H5Gflush(group));
  CALL(H5Grefresh(group));
  CALL(H5Gflush(file));
  CALL(H5Gclose(group));
}

int main(void) {
  hid_t file;
  quiet();
  file = new_file("groups.h5");
  show_info(file, "/");
  paths(file);
  parents(file);
  orders(file);
  anonymous(file);
  H5Fclose(file);
  return 0;
}
