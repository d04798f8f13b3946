/* SPDX-License-Identifier: Apache-2.0
 *
 * A user-defined link that opens itself: an error, not a stack overflow. */
#include <hdf5.h>
#include <stdio.h>

static int traversals = 0;

static hid_t again(const char* name, hid_t group, const void* data, size_t bytes, hid_t access,
                   hid_t transfer) {
  (void)data, (void)bytes, (void)access, (void)transfer;
  ++traversals;
  return H5Oopen(group, name, H5P_DEFAULT);
}

int main(void) {
  H5L_class_t class = {0};
  hid_t file = H5Fcreate("link_to_itself.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  class.version = H5L_LINK_CLASS_T_VERS;
  class.id = (H5L_type_t)200;
  class.comment = "again";
  class.trav_func = again;
  printf("registered: %d\n", H5Lregister(&class));
  printf("created: %d\n", H5Lcreate_ud(file, "self", (H5L_type_t)200, NULL, 0, H5P_DEFAULT, H5P_DEFAULT));
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  traversals = 0;
  printf("opened: %d\n", (int)H5Oopen(file, "self", H5P_DEFAULT));
  printf("traversals: %d\n", traversals);
  printf("closed: %d\n", H5Fclose(file));
  return 0;
}
