/* SPDX-License-Identifier: Apache-2.0
 *
 * Virtual datasets and files: copies, open objects, source files that are replaced or open, and access lists.
 */
#include "virtual.h"

static void new_source_file(const char* path, int first) {
  hid_t file = new_file(path);
  new_source(file, "d", 4, first);
  show_result(path, H5Fclose(file));
}

static void copies(hid_t file) {
  hid_t space = line(4), list = mapped(space, ".", "inside", part(4, 0, 1, 1, 4)), other, set;
  puts("-- copies");
  new_source(file, "inside", 4, 1);
  create_virtual(file, "v", space, list);
  CALL(H5Ocopy(file, "v", file, "copy", NONE, NONE));
  set = H5Dopen2(file, "copy", NONE);
  show_virtual("copy", set);
  H5Dclose(set);
  other = new_file("copied.h5");
  CALL(H5Ocopy(file, "v", other, "v", NONE, NONE));
  set = H5Dopen2(other, "v", NONE);
  show_virtual("in another file", set);
  list = H5Dget_create_plist(set);
  show_mappings("mappings", list);
  H5Pclose(list);
  new_source(other, "inside", 4, 50);
  show_virtual("with a source", set);
  H5Dclose(set);
  CALL(H5Fclose(other));
}

static void counts(hid_t file, hid_t set, const char* what) {
  printf("%s: %d files, %d datasets, %d in all files\n", what, (int)H5Fget_obj_count(file, H5F_OBJ_FILE),
         (int)H5Fget_obj_count(file, H5F_OBJ_DATASET), (int)H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL));
  (void)set;
}

static void open_objects(hid_t file) {
  hid_t space = line(4), list, set, copy;
  puts("-- open objects");
  new_source_file("objects.h5", 1);
  list = mapped(space, "objects.h5", "d", space);
  set = H5Dcreate2(file, "objects", H5T_STD_I32LE, space, NONE, list, NONE);
  counts(file, set, "created");
  show_virtual("objects", set);
  counts(file, set, "read");
  copy = H5Dopen2(file, "objects", NONE);
  H5Dclose(set);
  show_virtual("objects", copy);
  H5Dclose(copy);
  counts(file, set, "closed");
  H5Pclose(list);
}

/* The dataset outlives the id of its file. */
static void without_file(void) {
  hid_t file = new_file("outlived.h5"), space = line(4), list, set;
  puts("-- without the file");
  new_source(file, "inside", 4, 5);
  list = mapped(space, ".", "inside", space);
  set = H5Dcreate2(file, "v", H5T_STD_I32LE, space, NONE, list, NONE);
  CALL(H5Fclose(file));
  show_virtual("v", set);
  CALL(H5Dclose(set));
  H5Pclose(list);
}

static void replaced(hid_t file) {
  hid_t space = line(4), list, set;
  puts("-- replaced source files");
  new_source_file("replaced.h5", 1);
  list = mapped(space, "replaced.h5", "d", space);
  set = H5Dcreate2(file, "replaced", H5T_STD_I32LE, space, NONE, list, NONE);
  show_virtual("first", set);
  H5Dclose(set);
  new_source_file("replaced.h5", 21);
  set = H5Dopen2(file, "replaced", NONE);
  show_virtual("second", set);
  H5Dclose(set);
  remove("replaced.h5");
  set = H5Dopen2(file, "replaced", NONE);
  show_virtual("removed", set);
  new_source_file("replaced.h5", 31);
  show_virtual("there again", set);
  H5Dclose(set);
  H5Pclose(list);
}

/* What is written through a virtual dataset is in the source file after a flush. */
static void flushed(void) {
  hid_t file = new_file("flushed.h5"), space = line(4), list, set, other;
  int values[4] = {9, 8, 7, 6};
  puts("-- flushes");
  new_source_file("flushed_source.h5", 1);
  list = mapped(space, "flushed_source.h5", "d", space);
  set = H5Dcreate2(file, "v", H5T_STD_I32LE, space, NONE, list, NONE);
  CALL(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values));
  CALL(H5Fflush(file, H5F_SCOPE_GLOBAL));
  H5Dclose(set);
  CALL(H5Fclose(file));
  other = H5Fopen("flushed_source.h5", H5F_ACC_RDONLY, NONE);
  set = H5Dopen2(other, "d", NONE);
  show_virtual("source", set);
  H5Dclose(set);
  H5Fclose(other);
  /* Sources of a file that is open for reading cannot be written. */
  file = H5Fopen("flushed.h5", H5F_ACC_RDONLY, NONE);
  set = H5Dopen2(file, "v", NONE);
  show_virtual("for reading", set);
  TRY(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values));
  H5Dclose(set);
  H5Fclose(file);
  H5Pclose(list);
}

/* Access lists of ids that are open at the same time. */
static void views(hid_t file) {
  hid_t list = mapped(part(0, 0, 4, H5S_UNLIMITED, 4), ".", "w%b", line(4)), access, first, second, set;
  hsize_t gap = 99;
  puts("-- views");
  new_source(file, "w0", 4, 1);
  new_source(file, "w2", 4, 21);
  set = H5Dcreate2(file, "views", H5T_STD_I32LE, line_up_to(0, H5S_UNLIMITED), NONE, list, NONE);
  show_virtual("created", set);
  H5Dclose(set);
  access = H5Pcreate(H5P_DATASET_ACCESS);
  H5Pset_virtual_printf_gap(access, 1);
  first = H5Dopen2(file, "views", access);
  show_virtual("gap 1", first);
  second = H5Dopen2(file, "views", NONE);
  show_virtual("second id", second);
  show_virtual("first id", first);
  H5Pclose(access);
  access = H5Dget_access_plist(second);
  H5Pget_virtual_printf_gap(access, &gap);
  VALUE(gap);
  H5Pclose(access);
  H5Dclose(first);
  show_virtual("second id alone", second);
  H5Dclose(second);
  second = H5Dopen2(file, "views", NONE);
  show_virtual("opened again", second);
  H5Dclose(second);
  H5Pclose(list);
}

int main(void) {
  hid_t file;
  quiet();
  file = new_file("virtual_files.h5");
  copies(file);
  open_objects(file);
  without_file();
  replaced(file);
  flushed();
  views(file);
  CALL(H5Fclose(file));
  return 0;
}
