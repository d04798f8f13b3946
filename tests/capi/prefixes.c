/* SPDX-License-Identifier: Apache-2.0
 *
 * Prefixes of external files and of virtual source files. */
#include <sys/stat.h>
#include "show.h"

static void show(const char* path, hid_t list) {
  int values[4] = {-1, -1, -1, -1};
  hid_t file = H5Fopen("prefixes.h5", H5F_ACC_RDONLY, NONE), set;
  set = H5Dopen2(file, path, list);
  TRY(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values));
  printf("%d %d %d %d\n", values[0], values[1], values[2], values[3]);
  H5Dclose(set);
  H5Fclose(file);
}

int main(void) {
  const hsize_t dims[1] = {4};
  int values[4] = {1, 2, 3, 4};
  char text[50] = "";
  hid_t file, space, list, access, set;
  quiet();
  mkdir("below", 0777);
  file = new_file("below/source.h5");
  space = H5Screate_simple(1, dims, NULL);
  set = H5Dcreate2(file, "data", H5T_STD_I32LE, space, NONE, NONE, NONE);
  H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values);
  H5Dclose(set);
  H5Fclose(file);
  file = new_file("prefixes.h5");
  access = H5Pcreate(H5P_DATASET_ACCESS);
  CALL(H5Pset_efile_prefix(access, "below"));
  CALL(H5Pset_virtual_prefix(access, "below"));
  list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(list, "raw.bin", 0, H5F_UNLIMITED);
  set = H5Dcreate2(file, "external", H5T_STD_I32LE, space, NONE, list, access);
  CALL_ID(set);
  CALL(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values));
  H5Pclose(list);
  list = H5Dget_access_plist(set);
  CALL(H5Pget_efile_prefix(list, text, sizeof text));
  puts(text);
  CALL(H5Pget_virtual_prefix(list, text, sizeof text));
  puts(text);
  H5Pclose(list);
  H5Dclose(set);
  list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_virtual(list, space, "source.h5", "data", space);
  set = H5Dcreate2(file, "virtual", H5T_STD_I32LE, space, NONE, list, NONE);
  CALL_ID(set);
  H5Pclose(list);
  H5Dclose(set);
  CALL(H5Fclose(file));
  show("external", NONE);
  show("external", access);
  show("virtual", NONE);
  show("virtual", access);
  CALL(H5Pset_efile_prefix(access, "${ORIGIN}/below"));
  CALL(H5Pset_virtual_prefix(access, "${ORIGIN}/below"));
  show("external", access);
  show("virtual", access);
  H5Pclose(access);
  H5Sclose(space);
  remove("prefixes.h5"); /* it cannot be read completely without the prefix */
  return 0;
}
