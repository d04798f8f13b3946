/* SPDX-License-Identifier: Apache-2.0
 *
 * Sequences of references. HDF5 declares the elements with 64 bytes, their size in memory, and stores 18. */
#include "show.h"

/* Declares references of 18 bytes with 64 bytes, as HDF5 does. */
static void declare_like_hdf5(const char* name) {
  static const char ours[8] = {0x47, 0x12, 0, 0, 18, 0, 0, 0};
  static char bytes[100000];
  FILE* file = fopen(name, "r+b");
  size_t size = fread(bytes, 1, sizeof bytes, file), i;
  for (i = 0; i + sizeof ours <= size; ++i)
    if (memcmp(bytes + i, ours, sizeof ours) == 0) bytes[i + 4] = 64;
  rewind(file);
  fwrite(bytes, 1, size, file);
  fclose(file);
}

int main(void) {
  H5R_ref_t items[3];
  hvl_t value = {3, items}, back = {0, NULL};
  hid_t file, set, type = H5Tvlen_create(H5T_STD_REF), scalar = H5Screate(H5S_SCALAR);
  size_t i;
  quiet();
  file = new_file("references_sequences.h5");
  new_group(file, "group");
  new_dataset(file, "set");
  H5Rcreate_object(file, "group", H5P_DEFAULT, &items[0]);
  H5Rcreate_region(file, "set", scalar, H5P_DEFAULT, &items[1]);
  H5Rcreate_object(file, "set", H5P_DEFAULT, &items[2]);
  set = H5Dcreate2(file, "sequence", type, scalar, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  CALL(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value));
  for (i = 0; i < 3; ++i) H5Rdestroy(&items[i]);
  H5Dclose(set);
  CALL(H5Fclose(file));
  declare_like_hdf5("references_sequences.h5");
  file = H5Fopen("references_sequences.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  set = H5Dopen2(file, "sequence", H5P_DEFAULT);
  CALL(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &back));
  VALUE(back.len);
  for (i = 0; i < back.len; ++i) {
    H5R_ref_t* reference = (H5R_ref_t*)back.p + i;
    char name[40] = "";
    CALL(H5Rget_type(reference));
    CALL(H5Rget_obj_name(reference, H5P_DEFAULT, name, sizeof name));
    printf("  %s\n", name);
  }
  CALL(H5Treclaim(type, scalar, H5P_DEFAULT, &back));
  H5Tclose(type);
  H5Sclose(scalar);
  H5Dclose(set);
  CALL(H5Fclose(file));
  return 0;
}
