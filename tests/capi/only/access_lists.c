/* SPDX-License-Identifier: Apache-2.0
 *
 * Access property lists that are invalid, or of another class. HDF5 1.10 does not look at some of them. */
#include "show.h"

int main(void) {
  hid_t file, space, lists[3];
  size_t i;
  quiet();
  file = new_file("access_lists.h5");
  space = H5Screate(H5S_SCALAR);
  H5Aclose(H5Acreate2(file, "there", H5T_NATIVE_INT, space, NONE, NONE));
  lists[0] = H5I_INVALID_HID;
  lists[1] = H5Pcreate(H5P_FILE_CREATE);
  lists[2] = space;
  for (i = 0; i < 3; ++i) {
    hid_t type = H5Tcopy(H5T_NATIVE_INT);
    printf("-- list %d\n", (int)i);
    TRY(H5Gcreate_anon(file, NONE, lists[i]) < 0);
    TRY(H5Tcommit_anon(file, type, NONE, lists[i]) < 0);
    TRY(H5Dcreate_anon(file, H5T_NATIVE_INT, space, NONE, lists[i]) < 0);
    TRY(H5Acreate2(file, "new", H5T_NATIVE_INT, space, NONE, lists[i]) < 0);
    TRY(H5Acreate_by_name(file, ".", "new", H5T_NATIVE_INT, space, NONE, lists[i], NONE) < 0);
    TRY(H5Aopen(file, "there", lists[i]) < 0);
    TRY(H5Aopen_by_name(file, ".", "there", lists[i], NONE) < 0);
    TRY(H5Aexists(file, "new"));
    H5Tclose(type);
  }
  TRY(H5Gclose(H5Gcreate_anon(file, NONE, H5Pcreate(H5P_GROUP_ACCESS))));
  TRY(H5Aclose(H5Aopen(file, "there", H5Pcreate(H5P_ATTRIBUTE_ACCESS))));
  H5Fclose(file);
  return 0;
}
