/* SPDX-License-Identifier: Apache-2.0 */
/* The multi driver with default arguments. */
#include <sys/stat.h>
#include "show.h"

static const char* const members[] = {"s", "b", "r", "g", "l", "o"};

static void show_members(const char* base) {
  size_t i;
  for (i = 0; i < 6; ++i) {
    char name[64];
    struct stat found;
    snprintf(name, sizeof name, "%s-%s.h5", base, members[i]);
    if (stat(name, &found) == 0) printf("%s exists, %s\n", name, found.st_size == 0 ? "empty" : "with bytes");
  }
}

static void show_list(hid_t plist) {
  H5FD_mem_t map[H5FD_MEM_NTYPES];
  hid_t access[H5FD_MEM_NTYPES];
  char* names[H5FD_MEM_NTYPES] = {NULL};
  haddr_t addresses[H5FD_MEM_NTYPES];
  hbool_t relax = 0;
  int i;
  CALL(H5Pget_fapl_multi(plist, map, access, names, addresses, &relax));
  printf("relax %d\n", (int)relax);
  for (i = 0; i < H5FD_MEM_NTYPES; ++i)
    printf("%d: map %d, name %s, address %llu, %s\n", i, (int)map[i], names[i] ? names[i] : "(none)",
           (unsigned long long)addresses[i],
           access[i] < 0              ? "no list"
           : access[i] == H5P_DEFAULT ? "default"
                                      : "list");
}

static void exchange(const char* base, hid_t access) {
  hsize_t size = 100, i;
  int values[100], found[100] = {0}, equal = 1;
  char name[16];
  hid_t file = H5Fcreate(base, H5F_ACC_TRUNC, NONE, access), space, set;
  CALL_ID(file);
  if (file < 0) return;
  for (i = 0; i < 100; ++i) values[i] = (int)i;
  space = H5Screate_simple(1, &size, NULL);
  set = H5Dcreate2(file, "set", H5T_STD_I32LE, space, NONE, NONE, NONE);
  CALL(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values));
  H5Dclose(set);
  for (i = 0; i < 20; ++i) {
    snprintf(name, sizeof name, "group%d", (int)i);
    new_group(file, name);
  }
  CALL(H5Fclose(file));
  show_members(base);
  file = H5Fopen(base, H5F_ACC_RDWR, access);
  CALL_ID(file);
  set = H5Dopen2(file, "set", NONE);
  CALL(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, found));
  for (i = 0; i < 100; ++i) equal = equal && found[i] == values[i];
  VALUE(equal);
  H5Dclose(set);
  new_group(file, "later");
  CALL(H5Lexists(file, "group7", NONE));
  CALL(H5Fclose(file));
  H5Sclose(space);
}

int main(void) {
  H5FD_mem_t map[H5FD_MEM_NTYPES];
  const char* names[H5FD_MEM_NTYPES];
  haddr_t addresses[H5FD_MEM_NTYPES];
  hid_t access, lists[H5FD_MEM_NTYPES];
  int i;
  quiet();
  access = H5Pcreate(H5P_FILE_ACCESS);
  CALL(H5Pset_fapl_multi(access, NULL, NULL, NULL, NULL, 1));
  show_list(access);
  exchange("defaults", access);
  CALL(H5Pset_fapl_multi(access, NULL, NULL, NULL, NULL, 0));
  exchange("strict", access);
  /* Only a part of the arguments. */
  for (i = 0; i < H5FD_MEM_NTYPES; ++i) {
    map[i] = H5FD_MEM_SUPER;
    names[i] = "%s-s.h5";
    addresses[i] = 0;
    lists[i] = H5P_DEFAULT;
  }
  map[H5FD_MEM_DRAW] = H5FD_MEM_DRAW;
  names[H5FD_MEM_DRAW] = "%s-r.h5";
  addresses[H5FD_MEM_DRAW] = HADDR_MAX / 2;
  CALL(H5Pset_fapl_multi(access, map, NULL, names, addresses, 1));
  show_list(access);
  exchange("mapped", access);
  CALL(H5Pset_fapl_multi(access, map, lists, names, addresses, 0));
  exchange("listed", access);
  map[H5FD_MEM_BTREE] = map[H5FD_MEM_LHEAP] = H5FD_MEM_BTREE;
  names[H5FD_MEM_BTREE] = "%s-b.h5";
  addresses[H5FD_MEM_BTREE] = HADDR_MAX / 4;
  CALL(H5Pset_fapl_multi(access, map, lists, names, addresses, 1));
  exchange("three", access);
  CALL(H5Pset_fapl_multi(access, NULL, lists, NULL, NULL, 1));
  exchange("lists", access);
  H5Pclose(access);
  return 0;
}
