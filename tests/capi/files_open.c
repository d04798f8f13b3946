/* SPDX-License-Identifier: Apache-2.0
 *
 * Files: creating, opening, sharing and closing, and errors. */
#include "show.h"

static void refusals(hid_t space) {
  CALL_ID(H5Fopen("missing.h5", H5F_ACC_RDONLY, NONE));
  CALL_ID(H5Fopen(NULL, H5F_ACC_RDONLY, NONE));
  CALL_ID(H5Fopen("", H5F_ACC_RDONLY, NONE));
  CALL_ID(H5Fopen("a.h5", H5F_ACC_TRUNC, NONE));
  CALL_ID(H5Fopen("a.h5", H5F_ACC_SWMR_WRITE, NONE));
  CALL_ID(H5Fopen("a.h5", H5F_ACC_RDWR | H5F_ACC_SWMR_READ, NONE));
  CALL_ID(H5Fopen("a.h5", H5F_ACC_RDONLY, space));
  CALL_ID(H5Fcreate("no/such/folder.h5", H5F_ACC_TRUNC, NONE, NONE));
  CALL_ID(H5Fcreate(NULL, H5F_ACC_TRUNC, NONE, NONE));
  CALL_ID(H5Fcreate("b.h5", H5F_ACC_TRUNC | H5F_ACC_EXCL, NONE, NONE));
  CALL_ID(H5Fcreate("b.h5", H5F_ACC_RDWR, NONE, NONE));
  CALL_ID(H5Fcreate("b.h5", H5F_ACC_TRUNC, space, NONE));
  CALL_ID(H5Fcreate("b.h5", H5F_ACC_TRUNC, NONE, space));
  CALL(H5Fclose(space));
  CALL(H5Fclose(-1));
  CALL(H5Fflush(space, H5F_SCOPE_LOCAL));
  CALL_ID(H5Freopen(space));
}

static void shared(hid_t space) {
  char name[40] = "";
  unsigned intent = 99;
  hid_t list[9], fid, first = new_file("a.h5");
  hid_t second = H5Fopen("a.h5", H5F_ACC_RDWR, NONE);
  hid_t third = H5Freopen(first);
  hid_t reader = H5Fopen("./a.h5", H5F_ACC_RDONLY, NONE);
  CALL(first != second && second != third);
  CALL(H5Fget_intent(reader, &intent));
  printf("intent %u\n", intent);
  CALL(H5Fget_intent(first, NULL));
  CALL(H5Fget_intent(space, &intent));
  CALL(H5Fget_name(reader, name, sizeof name));
  puts(name);
  CALL(H5Fget_name(first, name, 3));
  puts(name);
  CALL(H5Fget_name(first, NULL, 0));
  CALL(H5Fget_name(space, name, sizeof name));
  CALL_ID(H5Fcreate("a.h5", H5F_ACC_TRUNC, NONE, NONE));
  CALL_ID(H5Fcreate("a.h5", H5F_ACC_EXCL, NONE, NONE));
  new_group(second, "made by the second");
  CALL(H5Lexists(first, "made by the second", NONE));
  CALL(H5Fget_obj_count(first, H5F_OBJ_ALL));
  CALL(H5Fget_obj_count(first, H5F_OBJ_ALL | H5F_OBJ_LOCAL));
  {
    hid_t group = H5Gopen2(second, "/", NONE);
    CALL(H5Fget_obj_count(first, H5F_OBJ_GROUP));
    CALL(H5Fget_obj_count(first, H5F_OBJ_GROUP | H5F_OBJ_LOCAL));
    CALL(H5Fget_obj_count(second, H5F_OBJ_GROUP | H5F_OBJ_LOCAL));
    CALL(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL));
    CALL(H5Fget_obj_count(group, H5F_OBJ_ALL));
    CALL(H5Fget_obj_count(first, 0));
    CALL(H5Fget_obj_ids(first, H5F_OBJ_ALL, 9, list));
    CALL(H5Fget_obj_ids(first, H5F_OBJ_ALL, 2, list));
    CALL(H5Fget_obj_ids(first, H5F_OBJ_GROUP, 9, list));
    CALL(list[0] == group);
    CALL(H5Fget_obj_ids(first, H5F_OBJ_ALL, 9, NULL));
    CALL(H5Fget_obj_ids(first, 0, 9, list));
    fid = H5Iget_file_id(group);
    CALL(fid == second);
    CALL(H5Iget_ref(second));
    CALL(H5Fclose(fid));
    CALL(H5Gclose(group));
  }
  CALL(H5Fclose(first));
  CALL(H5Fclose(first));
  CALL(H5Fclose(second));
  CALL(H5Lexists(third, "made by the second", NONE));
  CALL(H5Fclose(third));
  CALL(H5Fclose(reader));
}

static void read_only(void) {
  hid_t file = H5Fopen("a.h5", H5F_ACC_RDONLY, NONE);
  unsigned intent = 99;
  CALL(H5Fget_intent(file, &intent));
  printf("intent %u\n", intent);
  CALL_ID(H5Fopen("a.h5", H5F_ACC_RDWR, NONE));
  CALL_ID(H5Gcreate2(file, "x", NONE, NONE, NONE));
  CALL(H5Ldelete(file, "made by the second", NONE));
  CALL(H5Fflush(file, H5F_SCOPE_GLOBAL));
  CALL(H5Fclose(file));
}

static void kinds(void) {
  FILE* text = fopen("text.h5", "w");
  fputs("this is no HDF5 file, and it is long enough to be looked at", text);
  fclose(text);
  fclose(fopen("empty.h5", "w"));
  CALL(H5Fis_hdf5("a.h5"));
  CALL(H5Fis_hdf5("text.h5"));
  CALL(H5Fis_hdf5("empty.h5"));
  CALL(H5Fis_hdf5("missing.h5"));
  CALL(H5Fis_hdf5(NULL));
  CALL_ID(H5Fopen("text.h5", H5F_ACC_RDONLY, NONE));
  CALL_ID(H5Fopen("empty.h5", H5F_ACC_RDONLY, NONE));
}

static void lists(void) {
  hid_t file, create = H5Pcreate(H5P_FILE_CREATE), access = H5Pcreate(H5P_FILE_ACCESS), got;
  hsize_t block = 0;
  unsigned lk = 0, ik = 0;
  size_t offset = 0, length = 0;
  H5F_close_degree_t degree = H5F_CLOSE_DEFAULT;
  H5F_libver_t low, high;
  H5Pset_userblock(create, 1024);
  H5Pset_sym_k(create, 8, 6);
  H5Pset_sizes(create, 4, 4);
  H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18);
  file = H5Fcreate("lists.h5", H5F_ACC_TRUNC, create, access);
  CALL_ID(file);
  got = H5Fget_create_plist(file);
  CALL(H5Pget_userblock(got, &block));
  CALL(H5Pget_sym_k(got, &ik, &lk));
  CALL(H5Pget_sizes(got, &offset, &length));
  printf("%lu, %u %u, %lu %lu\n", (unsigned long)block, ik, lk, (unsigned long)offset, (unsigned long)length);
  H5Pclose(got);
  got = H5Fget_access_plist(file);
  CALL(H5Pget_fclose_degree(got, &degree));
  CALL(H5Pget_libver_bounds(got, &low, &high));
  printf("degree %d, versions %d %d\n", (int)degree, (int)low, (int)high);
  H5Pclose(got);
  CALL_ID(H5Fget_create_plist(create));
  CALL_ID(H5Fget_access_plist(create));
  H5Fclose(file);
  H5Pclose(create);
  H5Pclose(access);
}

static hid_t locking_list(int choice) {
  hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_file_locking(list, (hbool_t)(choice / 2), (hbool_t)(choice % 2));
  return list;
}

/* A file that is open with locks cannot be opened without them, nor the other way round. */
static void locking(void) {
  int first, second;
  for (first = 0; first < 4; ++first) {
    hid_t file = H5Fcreate("locked.h5", H5F_ACC_TRUNC, NONE, locking_list(first));
    for (second = 0; second < 4; ++second) {
      hid_t again;
      CALL_ID(again = H5Fopen("locked.h5", H5F_ACC_RDONLY, locking_list(second)));
      if (again >= 0) H5Fclose(again);
    }
    CALL(H5Fclose(file));
  }
}

/* The handle of a file in memory points to the address of its bytes. */
static void memory_handle(void) {
  void** handle = NULL;
  hid_t file, list = H5Pcreate(H5P_FILE_ACCESS);
  CALL(H5Pset_fapl_core(list, 4096, 0));
  file = H5Fcreate("memory.h5", H5F_ACC_TRUNC, NONE, list);
  new_group(file, "group");
  CALL(H5Fflush(file, H5F_SCOPE_LOCAL));
  CALL(H5Fget_vfd_handle(file, NONE, (void**)&handle));
  printf("signature %d\n", handle != NULL && memcmp(*handle, "\211HDF", 4) == 0);
  CALL(H5Fclose(file));
}

/* An empty file that is opened for writing is a new one, with the core driver as well. */
static void empty_in_memory(void) {
  int saved, writing;
  for (saved = 0; saved < 2; ++saved) {
    for (writing = 0; writing < 2; ++writing) {
      hid_t file, list = H5Pcreate(H5P_FILE_ACCESS);
      fclose(fopen("empty.raw", "w"));
      H5Pset_fapl_core(list, 4096, (hbool_t)saved);
      CALL_ID(file = H5Fopen("empty.raw", writing ? H5F_ACC_RDWR : H5F_ACC_RDONLY, list));
      if (file < 0) continue;
      new_group(file, "group");
      CALL(H5Fclose(file));
    }
  }
  remove("empty.raw");
}

int main(void) {
  hid_t space;
  quiet();
  space = H5Screate(H5S_SCALAR);
  refusals(space);
  shared(space);
  read_only();
  kinds();
  lists();
  CALL(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL));
  H5Sclose(space);
  locking();
  memory_handle();
  empty_in_memory();
  return 0;
}
