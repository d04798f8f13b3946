/* SPDX-License-Identifier: Apache-2.0
 *
 * Write tracking of the core driver: pages that were not changed are not written back. The program changes
 * such a page in the file while it is open, which a complete write would undo. */
#include "show.h"

static void put(const char* name, long at, unsigned char value) {
  FILE* file = fopen(name, "r+b");
  fseek(file, at, SEEK_SET);
  fputc(value, file);
  fclose(file);
}

static int get(const char* name, long at) {
  FILE* file = fopen(name, "rb");
  int value;
  fseek(file, at, SEEK_SET);
  value = fgetc(file);
  fclose(file);
  return value;
}

int main(void) {
  const hsize_t dims[1] = {100000}, one[1] = {1}, last[1] = {99999};
  signed char* values = (signed char*)calloc(1, 100000);
  signed char seven = 7;
  haddr_t at;
  hid_t core = H5Pcreate(H5P_FILE_ACCESS), space = H5Screate_simple(1, dims, NULL), scalar, set;
  hid_t file;
  quiet();
  file = new_file("tracked.h5");
  set = H5Dcreate2(file, "d", H5T_STD_I8LE, space, NONE, NONE, NONE);
  H5Dwrite(set, H5T_NATIVE_SCHAR, H5S_ALL, H5S_ALL, NONE, values);
  at = H5Dget_offset(set);
  H5Dclose(set);
  H5Fclose(file);
  H5Pset_fapl_core(core, 1024, 1);
  CALL(H5Pset_core_write_tracking(core, 1, 512));
  file = H5Fopen("tracked.h5", H5F_ACC_RDWR, core);
  CALL_ID(file);
  put("tracked.h5", (long)at + 50000, 99);
  set = H5Dopen2(file, "d", NONE);
  scalar = H5Screate_simple(1, one, NULL);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, last, NULL, one, NULL);
  CALL(H5Dwrite(set, H5T_NATIVE_SCHAR, scalar, space, NONE, &seven));
  H5Dclose(set);
  CALL(H5Fclose(file));
  VALUE(get("tracked.h5", (long)at + 50000));
  VALUE(get("tracked.h5", (long)at + 99999));
  H5Pclose(core);
  H5Sclose(space);
  H5Sclose(scalar);
  free(values);
  return 0;
}
