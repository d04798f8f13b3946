/* SPDX-License-Identifier: Apache-2.0
 *
 * Files mounted on groups of other files. */
#include "show.h"

/* A file can be mounted on another object than a group while that object is open. */
static void on_others(void) {
  hid_t parent = new_file("others.h5"), child = new_file("guest.h5"), data, type, opened;
  int value = 0;
  new_dataset(parent, "data");
  new_type(parent, "type");
  new_dataset(child, "inside");
  CALL(H5Fmount(parent, "data", child, NONE));
  OPEN(parent, "data");
  OPEN(parent, "data/inside");
  CALL(H5Funmount(parent, "data"));
  data = H5Dopen2(parent, "data", NONE);
  CALL(H5Fmount(data, ".", child, NONE));
  CALL(H5Funmount(data, "."));
  CALL(H5Fmount(parent, "data", child, NONE));
  OPEN(parent, "data");
  OPEN(parent, "data/inside");
  CALL(H5Lexists(parent, "data/inside", NONE));
  opened = H5Oopen(parent, "data", NONE);
  CALL(H5Iget_type(opened));
  H5Oclose(opened);
  CALL_ID(H5Dopen2(parent, "data", NONE));
  CALL(H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, &value));
  VALUE(value);
  show_name(data);
  CALL(H5Dclose(data));
  OPEN(parent, "data/inside");
  CALL(H5Funmount(parent, "data"));
  OPEN(parent, "data/inside");
  CALL(H5Fmount(parent, "type", child, NONE));
  type = H5Topen2(parent, "type", NONE);
  CALL(H5Fmount(type, ".", child, NONE));
  CALL(H5Fmount(parent, "type", child, NONE));
  OPEN(parent, "type/inside");
  CALL(H5Tget_size(type));
  CALL(H5Funmount(parent, "type"));
  CALL(H5Tclose(type));
  CALL(H5Fclose(child));
  CALL(H5Fclose(parent));
}

/* A mount on the start of a path is not visible. */
static void on_roots(void) {
  hid_t parent = new_file("root.h5"), child = new_file("guest_of_root.h5"),
        third = new_file("second_guest.h5"), group;
  new_group(parent, "own");
  new_group(child, "inside");
  new_group(third, "third");
  CALL(H5Fmount(parent, "/", child, NONE));
  OPEN(parent, "own");
  OPEN(parent, "inside");
  OPEN(parent, "/inside");
  OPEN(parent, "/");
  OPEN(child, "inside");
  OPEN(child, "/own");
  group = H5Gopen2(parent, "own", NONE);
  OPEN(group, "/inside");
  OPEN(group, "/own");
  CALL(H5Lexists(parent, "inside", NONE));
  CALL(H5Fmount(parent, "/", third, NONE));
  CALL(H5Fmount(group, ".", third, NONE));
  OPEN(parent, "own/third");
  OPEN(group, "third");
  OPEN(group, ".");
  CALL(H5Funmount(group, "."));
  CALL(H5Funmount(parent, "own"));
  CALL(H5Funmount(parent, "/"));
  CALL(H5Funmount(parent, "/"));
  OPEN(child, "inside");
  CALL(H5Gclose(group));
  CALL(H5Fclose(third));
  CALL(H5Fclose(child));
  CALL(H5Fclose(parent));
}

int main(void) {
  hid_t parent, child, third, group, inner, space, file;
  H5G_info_t info;
  char name[60] = "";
  quiet();
  space = H5Screate(H5S_SCALAR);
  parent = new_file("parent.h5");
  child = new_file("child.h5");
  third = new_file("third.h5");
  new_group(parent, "mount");
  new_group(parent, "mount/hidden");
  new_group(child, "inside");
  new_group(child, "inside/deeper");
  new_group(third, "third");
  H5Lcreate_soft("/mount/inside", parent, "soft", NONE, NONE);

  CALL(H5Fmount(parent, "missing", child, NONE));
  CALL(H5Fmount(parent, "mount", parent, NONE));
  CALL(H5Fmount(parent, "mount", space, NONE));
  CALL(H5Fmount(parent, NULL, child, NONE));
  CALL(H5Fmount(parent, "", child, NONE));
  CALL(H5Fmount(space, "mount", child, NONE));
  CALL(H5Fmount(parent, "mount", child, space));
  CALL(H5Funmount(parent, "mount"));
  CALL(H5Funmount(parent, NULL));
  CALL(H5Funmount(parent, "missing"));

  group = H5Gopen2(parent, "mount", NONE);
  CALL(H5Fmount(parent, "mount", child, NONE));
  CALL(H5Fmount(parent, "mount", child, NONE));
  OPEN(parent, "mount/hidden");
  OPEN(parent, "mount/inside/deeper");
  OPEN(parent, "soft");
  OPEN(parent, "soft/deeper");
  OPEN(group, "hidden");
  OPEN(child, "/mount");
  inner = H5Gopen2(parent, "mount/inside", NONE);
  CALL(H5Fget_name(inner, name, sizeof name));
  puts(name);
  OPEN(inner, "/soft");
  new_group(inner, "made");
  CALL(H5Gget_info(parent, &info));
  printf("%lu links\n", (unsigned long)info.nlinks);
  CALL(H5Gget_info_by_name(parent, "mount", &info, NONE));
  printf("%lu links\n", (unsigned long)info.nlinks);

  /* Mounted on a group of the mounted file. */
  CALL(H5Fmount(parent, "mount/inside", third, NONE));
  OPEN(parent, "mount/inside/third");
  CALL(H5Fmount(parent, "mount/inside", parent, NONE));
  CALL(H5Funmount(parent, "mount/inside"));
  OPEN(parent, "mount/inside/third");
  /* Mounted over the mounted file. */
  CALL(H5Fmount(parent, "mount", third, NONE));
  OPEN(parent, "mount/third");
  CALL(H5Funmount(parent, "mount"));
  OPEN(parent, "mount/inside");

  /* It stays open as long as it is mounted. */
  CALL(H5Fclose(child));
  OPEN(parent, "mount/inside");
  CALL(H5Fflush(parent, H5F_SCOPE_GLOBAL));
  CALL(H5Funmount(parent, "mount"));
  OPEN(parent, "mount/hidden");
  CALL(H5Gclose(inner));
  CALL(H5Gclose(group));
  CALL(H5Fclose(third));
  CALL(H5Fclose(parent));
  file = H5Fopen("child.h5", H5F_ACC_RDONLY, NONE);
  OPEN(file, "inside/made");
  H5Fclose(file);
  H5Sclose(space);
  on_others();
  on_roots();
  return 0;
}
