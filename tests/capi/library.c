/* SPDX-License-Identifier: Apache-2.0
 *
 * The library as a whole: memory, closing and reopening. */
#include "show.h"

int main(void) {
  unsigned major = 99, minor = 99, release = 99;
  size_t sizes[4];
  hbool_t safe = 7;
  char* memory;
  hid_t file, group;
  CALL(H5dont_atexit());
  quiet();
  CALL(H5open());
  CALL(H5get_libversion(&major, &minor, &release));
  VALUE(major);
  CALL(H5get_libversion(NULL, NULL, NULL));
  CALL(H5is_library_threadsafe(&safe));
  VALUE(safe == 0 || safe == 1);
  memory = (char*)H5allocate_memory(16, 1);
  VALUE(memory[0] + memory[15]);
  strcpy(memory, "kept");
  memory = (char*)H5resize_memory(memory, 4000);
  puts(memory);
  CALL(H5free_memory(memory));
  CALL(H5free_memory(NULL));
  CALL(H5allocate_memory(0, 0) == NULL);
  memory = (char*)H5resize_memory(NULL, 10);
  VALUE(memory != NULL);
  CALL(H5resize_memory(memory, 0) == NULL);
  CALL(H5garbage_collect());
  CALL(H5set_free_list_limits(-1, -1, 1000, 100, 1000, 100));
  CALL(H5get_free_list_sizes(&sizes[0], &sizes[1], &sizes[2], &sizes[3]));
  file = new_file("library.h5");
  new_group(file, "kept");
  group = H5Gopen2(file, "kept", NONE);
  CALL_ID(group);
  CALL(H5close());
  CALL(H5open());
  quiet();
  CALL(H5Iis_valid(group));
  CALL(H5Iis_valid(file));
  file = H5Fopen("library.h5", H5F_ACC_RDONLY, NONE);
  CALL_ID(file);
  CALL(H5Lexists(file, "kept", NONE));
  CALL(H5Fclose(file));
  CALL(H5close());
  return 0;
}
