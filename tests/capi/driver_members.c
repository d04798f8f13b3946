/* SPDX-License-Identifier: Apache-2.0
 *
 * File sets of the split and multi drivers that lack some of their files. */
#include <unistd.h>
#include "show.h"

static int access_is_possible(const char* path) { return access(path, F_OK) == 0; }

static hid_t multi_list(int relax) {
  static char texts[H5FD_MEM_NTYPES][20];
  H5FD_mem_t map[H5FD_MEM_NTYPES];
  hid_t lists[H5FD_MEM_NTYPES], access = H5Pcreate(H5P_FILE_ACCESS);
  const char* names[H5FD_MEM_NTYPES];
  haddr_t addresses[H5FD_MEM_NTYPES];
  int i;
  for (i = 0; i < H5FD_MEM_NTYPES; ++i) {
    map[i] = (H5FD_mem_t)i;
    lists[i] = NONE;
    snprintf(texts[i], sizeof texts[i], "%%s-%d.part", i);
    names[i] = texts[i];
    addresses[i] = i < 1 ? 0 : (haddr_t)(i - 1) * (HADDR_MAX / 10);
  }
  CALL(H5Pset_fapl_multi(access, map, lists, names, addresses, relax));
  return access;
}

static void make(const char* name, hid_t access) {
  hsize_t size = 100;
  int values[100], i;
  hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, NONE, access), space = H5Screate_simple(1, &size, NULL), set;
  for (i = 0; i < 100; ++i) values[i] = i;
  set = H5Dcreate2(file, "data", H5T_STD_I32LE, space, NONE, NONE, NONE);
  H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values);
  H5Dclose(set);
  H5Sclose(space);
  new_group(file, "group");
  H5Fclose(file);
}

static void try_open(const char* name, unsigned flags, hid_t access) {
  int values[100] = {0};
  hid_t file = H5Fopen(name, flags, access), set;
  printf("%s: %s", flags == H5F_ACC_RDONLY ? "to read" : "to write", file < 0 ? "refused\n" : "opened");
  if (file < 0) return;
  set = H5Dopen2(file, "data", NONE);
  printf(", dataset %s", set < 0 ? "refused" : "opened");
  if (set >= 0) {
    printf(", read %d", (int)H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values));
    printf(" %d", values[99]);
    H5Dclose(set);
  }
  printf(", group %d", H5Gclose(H5Gopen2(file, "group", NONE)) >= 0);
  printf(", closed %d\n", (int)H5Fclose(file));
}

/* Tries a set without one of its files. */
static void without(const char* name, const char* member, hid_t access) {
  printf("-- without %s\n", member);
  rename(member, "away");
  try_open(name, H5F_ACC_RDONLY, access);
  try_open(name, H5F_ACC_RDWR, access);
  VALUE(access_is_possible(member));
  rename("away", member);
  try_open(name, H5F_ACC_RDONLY, access);
}

int main(void) {
  hid_t list;
  int relax, i;
  quiet();
  list = H5Pcreate(H5P_FILE_ACCESS);
  CALL(H5Pset_fapl_split(list, "-m.part", NONE, "-r.part", NONE));
  make("split", list);
  without("split", "split-r.part", list);
  without("split", "split-m.part", list);
  H5Pclose(list);
  for (relax = 0; relax < 2; ++relax) {
    char name[16], member[32];
    printf("-- relax %d\n", relax);
    list = multi_list(relax);
    snprintf(name, sizeof name, "multi%d", relax);
    make(name, list);
    for (i = 1; i < H5FD_MEM_NTYPES; ++i) {
      snprintf(member, sizeof member, "%s-%d.part", name, i);
      if (access_is_possible(member)) without(name, member, list);
    }
    H5Pclose(list);
  }
  return 0;
}
