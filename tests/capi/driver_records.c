/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver information block of a user-defined driver does not keep other drivers from opening the file. */
#include "logging_driver.h"

static void to_disk(const char* name) {
  FILE* file = fopen(name, "wb");
  fwrite(logging_bytes, 1, logging_size, file);
  fclose(file);
}

static void from_disk(const char* name) {
  FILE* file = fopen(name, "rb");
  logging_bytes = (unsigned char*)realloc(logging_bytes, 100000);
  logging_size = fread(logging_bytes, 1, 100000, file);
  fclose(file);
}

static void look(const char* name, const char* group, hid_t fapl) {
  const hid_t file = H5Fopen(name, H5F_ACC_RDONLY, fapl);
  CALL_ID(file);
  if (file < 0) return;
  CALL(H5Lexists(file, group, NONE));
  CALL(H5Fclose(file));
}

static void turn(const char* name, H5F_libver_t low) {
  H5FD_class_t made = logging_class();
  hid_t fapl = H5Pcreate(H5P_FILE_ACCESS), core = H5Pcreate(H5P_FILE_ACCESS), family, file;
  printf("-- %s\n", name);
  made.sb_size = logging_sb_size;
  made.sb_encode = logging_sb_encode;
  made.sb_decode = logging_sb_decode;
  H5Pset_driver(fapl, H5FDregister(&made), NULL);
  H5Pset_libver_bounds(fapl, low, H5F_LIBVER_LATEST);
  file = H5Fcreate("x", H5F_ACC_TRUNC, NONE, fapl);
  new_group(file, "first");
  CALL(H5Fclose(file));
  to_disk(name);

  look(name, "first", NONE);
  H5Pset_fapl_core(core, 1000, 0);
  look(name, "first", core);
  H5Pset_fapl_stdio(core);
  look(name, "first", core);
  family = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_family(family, 100000, NONE);
  CALL_ID(H5Fopen("x%d.h5", H5F_ACC_RDONLY, family));
  file = H5Fopen(name, H5F_ACC_RDWR, NONE);
  CALL_ID(file);
  new_group(file, "second");
  CALL(H5Fclose(file));
  look(name, "second", NONE);

  /* The same driver gets the block again. */
  from_disk(name);
  logged_calls = RECORDS;
  look("x", "second", fapl);
  /* Another driver without callbacks for the block. */
  made = logging_class();
  H5Pset_driver(fapl, H5FDregister(&made), NULL);
  look("x", "second", fapl);
  logged_calls = 0;
  H5Pclose(fapl);
  H5Pclose(core);
  H5Pclose(family);
}

int main(void) {
  quiet();
  turn("old.h5", H5F_LIBVER_EARLIEST);
  turn("new.h5", H5F_LIBVER_LATEST);
  return 0;
}
