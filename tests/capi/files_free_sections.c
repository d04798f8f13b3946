/* SPDX-License-Identifier: Apache-2.0
 *
 * The free sections of files: those of a session, and those that the file records. */
#include "show.h"

static void show_sections(hid_t file) {
  H5F_sect_info_t found[40];
  int type;
  for (type = H5FD_MEM_DEFAULT; type < H5FD_MEM_NTYPES; ++type) {
    long long i, count = (long long)H5Fget_free_sections(file, (H5F_mem_t)type, 0, NULL), stored;
    if (type != H5FD_MEM_DRAW) continue; /* metadata of the two libraries have different gaps */
    stored = (long long)H5Fget_free_sections(file, (H5F_mem_t)type, 40, found);
    printf("  type %d: %lld %lld,", type, count, stored);
    for (i = 0; i < stored && i < 40; ++i)
      printf(" %llu+%llu", (unsigned long long)found[i].addr, (unsigned long long)found[i].size);
    printf("\n");
  }
}

static void add(hid_t file, const char* name, hsize_t count) {
  char* values = (char*)calloc(1, (size_t)count);
  hid_t space = H5Screate_simple(1, &count, NULL);
  hid_t set = H5Dcreate2(file, name, H5T_STD_I8LE, space, NONE, NONE, NONE);
  H5Dwrite(set, H5T_NATIVE_SCHAR, H5S_ALL, H5S_ALL, NONE, values);
  H5Dclose(set);
  H5Sclose(space);
  free(values);
}

static void use(const char* name, H5F_fspace_strategy_t strategy, hbool_t persist) {
  hid_t creation = H5Pcreate(H5P_FILE_CREATE), file;
  printf("-- %s\n", name);
  H5Pset_file_space_strategy(creation, strategy, persist, 1);
  file = H5Fcreate(name, H5F_ACC_TRUNC, creation, NONE);
  show_sections(file);
  add(file, "a", 3000);
  add(file, "b", 9000);
  add(file, "c", 700);
  add(file, "d", 20000);
  add(file, "e", 10);
  H5Fclose(file);
  file = H5Fopen(name, H5F_ACC_RDWR, NONE);
  show_sections(file);
  H5Ldelete(file, "b", NONE);
  H5Fclose(file);
  file = H5Fopen(name, H5F_ACC_RDONLY, NONE);
  show_sections(file);
  H5Fclose(file);
  H5Pclose(creation);
}

int main(void) {
  H5F_sect_info_t one;
  hid_t file;
  quiet();
  use("plain.h5", H5F_FSPACE_STRATEGY_FSM_AGGR, 0);
  use("persistent.h5", H5F_FSPACE_STRATEGY_FSM_AGGR, 1);
  use("paged.h5", H5F_FSPACE_STRATEGY_PAGE, 1);
  file = H5Fopen("persistent.h5", H5F_ACC_RDONLY, NONE);
  CALL(H5Fget_free_sections(file, H5FD_MEM_DRAW, 0, &one));
  CALL(H5Fget_free_sections(-1, H5FD_MEM_DRAW, 1, &one));
  H5Fclose(file);
  return 0;
}
