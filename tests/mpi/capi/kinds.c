/* SPDX-License-Identifier: Apache-2.0 */
/* Datasets of all kinds of extents and layouts, and what cannot be transferred together. */
#include "ranks.h"

static void serial_file(hid_t together) {
  const hsize_t dims = 10;
  char name[30];
  int values[10] = {1};
  hid_t file, space = H5Screate_simple(1, &dims, NULL), set;
  sprintf(name, "serial%d.h5", rank);
  file = new_file(name);
  set = H5Dcreate2(file, "set", H5T_STD_I32LE, space, NONE, NONE, NONE);
  CALL(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, together, values));
  show_transfer(together);
  CALL(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values));
  CALL(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, together, values));
  H5Sselect_none(space);
  CALL(H5Dwrite(set, H5T_NATIVE_INT, space, space, together, NULL));
  CALL(H5Dwrite(set, H5T_NATIVE_INT, space, space, NONE, NULL));
  H5Sclose(space);
  H5Dclose(set);
  H5Fclose(file);
}

static void transfer(hid_t file, const char* name, hid_t space, hid_t creation, hid_t together) {
  int value = 5;
  hid_t set = H5Dcreate2(file, name, H5T_STD_I32LE, space, NONE, creation, NONE);
  printf("%s\n", name);
  CALL(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, together, &value));
  show_transfer(together);
  value = 0;
  if (strcmp(name, "deflated") == 0) together = transfer_list(H5FD_MPIO_COLLECTIVE); /* shown by multi.c */
  CALL(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, together, &value));
  if (strcmp(name, "deflated") == 0)
    H5Pclose(together);
  else
    show_transfer(together);
  VALUE(value);
  H5Dclose(set);
}

static void strings(hid_t file, hid_t space, hid_t together) {
  const char* text = "abc";
  hid_t type = H5Tcopy(H5T_C_S1), set, attribute;
  H5Tset_size(type, H5T_VARIABLE);
  set = H5Dcreate2(file, "strings", type, space, NONE, NONE, NONE);
  CALL_ID(set);
  CALL(H5Dwrite(set, type, H5S_ALL, H5S_ALL, together, &text));
  attribute = H5Acreate2(file, "strings", type, space, NONE, NONE);
  CALL(H5Awrite(attribute, type, &text));
  H5Aclose(attribute);
  H5Dclose(set);
  H5Tclose(type);
}

int main(int argc, char** argv) {
  hid_t file, space, creation, together;
  const hsize_t one = 1;
  start(&argc, &argv);
  together = transfer_list(H5FD_MPIO_COLLECTIVE);
  serial_file(together);
  file = create_file("kinds.h5");
  creation = H5Pcreate(H5P_DATASET_CREATE);
  space = H5Screate(H5S_NULL);
  transfer(file, "null", space, creation, together);
  H5Sclose(space);
  space = H5Screate(H5S_SCALAR);
  transfer(file, "scalar", space, creation, together);
  strings(file, space, together);
  H5Pset_layout(creation, H5D_COMPACT);
  transfer(file, "compact", space, creation, together);
  H5Sclose(space);
  space = H5Screate_simple(1, &one, NULL);
  H5Pset_chunk(creation, 1, &one);
  transfer(file, "chunked", space, creation, together);
  H5Pset_deflate(creation, 1);
  transfer(file, "deflated", space, creation, together);
  H5Sclose(space);
  H5Pclose(creation);
  H5Pclose(together);
  CALL(H5Fclose(file));
  MPI_Finalize();
  return 0;
}
