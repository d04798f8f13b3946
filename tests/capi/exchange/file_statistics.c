/* SPDX-License-Identifier: Apache-2.0 */
/* H5Fget_info2: superblock, shared messages and free space, as h5stat prints them. "write FOLDER" makes files
 * there, "show FOLDER" describes them. */
#include "show.h"

static void show_info(const char* what, hid_t file) {
  H5F_info2_t info;
  memset(&info, 0x55, sizeof info);
  printf("-- %s\n", what);
  CALL(H5Fget_info2(file, &info));
  printf("super: version %u, %d bytes, extension %d\n", info.super.version, (int)info.super.super_size,
         (int)info.super.super_ext_size);
  printf("free: version %u, metadata %d, space %d\n", info.free.version, (int)info.free.meta_size,
         (int)info.free.tot_space);
  printf("shared: version %u, header %d, index %d, heap %d\n", info.sohm.version, (int)info.sohm.hdr_size,
         (int)info.sohm.msgs_info.index_size, (int)info.sohm.msgs_info.heap_size);
}

static void add_sets(hid_t file, int count) {
  hsize_t dims[2] = {2, 3};
  int i;
  for (i = 0; i < count; ++i) {
    char name[16];
    hid_t space, set, scalar = H5Screate(H5S_SCALAR), attribute;
    dims[0] = (hsize_t)i + 1;
    space = H5Screate_simple(2, dims, NULL);
    snprintf(name, sizeof name, "set%d", i);
    set = H5Dcreate2(file, name, H5T_STD_I32LE, space, NONE, NONE, NONE);
    attribute = H5Acreate2(set, "a long name of an attribute", H5T_STD_I64LE, scalar, NONE, NONE);
    H5Aclose(attribute);
    H5Dclose(set);
    H5Sclose(space);
    H5Sclose(scalar);
  }
}

static const char* const names[] = {"plain", "lists", "trees", "latest", "persistent", "paged"};
enum { files = sizeof names / sizeof *names };

static void make(const char* path, hid_t creation, hid_t access) {
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, creation, access);
  add_sets(file, 3);
  H5Fclose(file);
  file = H5Fopen(path, H5F_ACC_RDWR, access);
  H5Ldelete(file, "set0", NONE);
  H5Ldelete(file, "set1", NONE);
  H5Fclose(file);
}

static void make_kind(const char* path, int kind) {
  hid_t creation = H5Pcreate(H5P_FILE_CREATE), access = H5Pcreate(H5P_FILE_ACCESS);
  if (kind >= 1 && kind <= 3) {
    H5Pset_shared_mesg_nindexes(creation, 2);
    H5Pset_shared_mesg_index(creation, 0, H5O_SHMESG_SDSPACE_FLAG | H5O_SHMESG_DTYPE_FLAG, 1);
    H5Pset_shared_mesg_index(creation, 1, H5O_SHMESG_ATTR_FLAG, 1);
  }
  if (kind >= 2 && kind <= 3) H5Pset_shared_mesg_phase_change(creation, 0, 0);
  if (kind == 3) H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  if (kind == 4) H5Pset_file_space_strategy(creation, H5F_FSPACE_STRATEGY_FSM_AGGR, 1, 1);
  if (kind == 5) H5Pset_file_space_strategy(creation, H5F_FSPACE_STRATEGY_PAGE, 1, 1);
  make(path, creation, access);
  H5Pclose(creation);
  H5Pclose(access);
}

int main(int count, char** arguments) {
  int kind;
  if (count != 3) return 1;
  quiet();
  for (kind = 0; kind < files; ++kind) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.hdf", arguments[2], names[kind]);
    if (strcmp(arguments[1], "write") == 0) {
      make_kind(path, kind);
    } else {
      hid_t file = H5Fopen(path, H5F_ACC_RDONLY, NONE);
      show_info(names[kind], file);
      H5Fclose(file);
    }
  }
  return 0;
}
