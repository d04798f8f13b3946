/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that tune an open file: headers without space for attributes, formats, the end of the file,
 * callbacks and flushes of single objects, the log and the image of the metadata cache. */
#include <sys/stat.h>

#include "show.h"

static long long bytes_of(const char* name) {
  struct stat status;
  return stat(name, &status) == 0 ? (long long)status.st_size : -1;
}

static void show_header(hid_t loc, const char* name) {
  H5O_info1_t info;
  H5Oget_info_by_name(loc, name, &info, NONE);
  printf("  %s: version %u, %llu bytes, %llu free, %u chunks, %u messages\n", name, info.hdr.version,
         (unsigned long long)info.hdr.space.total, (unsigned long long)info.hdr.space.free, info.hdr.nchunks,
         info.hdr.nmesgs);
}

/* A dataset of a kind, in a header of usual or least size. Then an attribute, which needs space. */
static void make_dataset(hid_t file, int kind, int minimise) {
  static const hsize_t dims[2] = {6, 10}, open[2] = {H5S_UNLIMITED, 10}, chunk[2] = {3, 5};
  char name[20];
  int fill = 5;
  hid_t list = H5Pcreate(H5P_DATASET_CREATE), set, attribute, type = H5Tcopy(H5T_STD_I32LE);
  hid_t space = H5Screate_simple(2, dims, kind == 3 ? open : NULL), scalar = H5Screate(H5S_SCALAR);
  sprintf(name, "%d%s", kind, minimise ? "least" : "usual");
  if (minimise) H5Pset_dset_no_attrs_hint(list, 1);
  if (kind == 1) H5Pset_layout(list, H5D_COMPACT);
  if (kind >= 2 && kind <= 4) H5Pset_chunk(list, 2, chunk);
  if (kind == 2) H5Pset_deflate(list, 6);
  if (kind == 4) H5Pset_shuffle(list), H5Pset_fletcher32(list), H5Pset_fill_value(list, type, &fill);
  if (kind == 5) H5Pset_fill_value(list, type, &fill);
  if (kind == 6) H5Pset_external(list, "a.raw", 0, 120), H5Pset_external(list, "b.raw", 0, H5F_UNLIMITED);
  if (kind == 7) H5Pset_attr_creation_order(list, H5P_CRT_ORDER_TRACKED);
  if (kind == 8) H5Pset_obj_track_times(list, 0);
  if (kind == 9) H5Tcommit2(file, minimise ? "type of least" : "type of usual", type, NONE, NONE, NONE);
  set = H5Dcreate2(file, name, type, space, NONE, list, NONE);
  show_header(file, name);
  attribute = H5Acreate2(set, "a", H5T_STD_I64LE, scalar, NONE, NONE);
  H5Aclose(attribute);
  H5Dclose(set);
  H5Sclose(space);
  H5Sclose(scalar);
  H5Tclose(type);
  H5Pclose(list);
}

static void use_headers(const char* name, H5F_libver_t low) {
  int kind;
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), file;
  printf("-- headers of %s\n", name);
  H5Pset_libver_bounds(access, low, H5F_LIBVER_LATEST);
  file = H5Fcreate(name, H5F_ACC_TRUNC, NONE, access);
  for (kind = 0; kind <= 9; ++kind) {
    if (kind == 7 && low == H5F_LIBVER_EARLIEST) continue; /* HDF5 reserves four bytes more */
    make_dataset(file, kind, 0);
    make_dataset(file, kind, 1);
  }
  H5Fclose(file);
  H5Pclose(access);
}

static void use_hint(void) {
  hbool_t minimised = 2;
  hid_t file = new_file("hint.h5"), again, set, list, group;
  puts("-- hint of a file");
  CALL(H5Fget_dset_no_attrs_hint(file, &minimised));
  VALUE(minimised);
  CALL(H5Fset_dset_no_attrs_hint(file, 1));
  CALL(H5Fget_dset_no_attrs_hint(file, &minimised));
  VALUE(minimised);
  again = H5Freopen(file);
  CALL(H5Fget_dset_no_attrs_hint(again, &minimised));
  VALUE(minimised);
  H5Fclose(again);
  new_dataset(file, "least");
  show_header(file, "least");
  CALL(H5Fset_dset_no_attrs_hint(file, 0));
  new_dataset(file, "usual");
  show_header(file, "usual");
  set = H5Dopen2(file, "least", NONE);
  list = H5Dget_create_plist(set);
  CALL(H5Pget_dset_no_attrs_hint(list, &minimised));
  VALUE(minimised);
  H5Pset_dset_no_attrs_hint(list, 1);
  H5Dclose(set);
  {
    hid_t space = H5Screate(H5S_SCALAR);
    set = H5Dcreate2(file, "again", H5T_STD_I32LE, space, NONE, list, NONE);
    H5Pclose(list);
    list = H5Dget_create_plist(set);
    CALL(H5Pget_dset_no_attrs_hint(list, &minimised));
    VALUE(minimised);
    H5Sclose(space);
  }
  H5Pclose(list);
  H5Dclose(set);
  CALL(H5Fget_dset_no_attrs_hint(file, NULL));
  CALL(H5Fget_dset_no_attrs_hint(-1, NULL));
  CALL(H5Fget_dset_no_attrs_hint(-1, &minimised));
  CALL(H5Fset_dset_no_attrs_hint(-1, 1));
  group = H5Gopen2(file, "/", NONE);
  CALL(H5Fset_dset_no_attrs_hint(group, 1));
  CALL(H5Fget_dset_no_attrs_hint(group, &minimised));
  H5Gclose(group);
  H5Fclose(file);
}

static void use_formats(void) {
  H5F_libver_t low = H5F_LIBVER_EARLIEST, high = H5F_LIBVER_EARLIEST;
  hid_t file = new_file("formats.h5"), list;
  puts("-- latest format");
  CALL(H5Fset_latest_format(file, 1));
  new_group(file, "new");
  show_header(file, "new");
  list = H5Fget_access_plist(file);
  H5Pget_libver_bounds(list, &low, &high);
  VALUE(low == H5F_LIBVER_LATEST && high == H5F_LIBVER_LATEST);
  H5Pclose(list);
  CALL(H5Fset_latest_format(file, 0));
  new_group(file, "old");
  show_header(file, "old");
  list = H5Fget_access_plist(file);
  H5Pget_libver_bounds(list, &low, &high);
  VALUE(low == H5F_LIBVER_EARLIEST && high == H5F_LIBVER_LATEST);
  H5Pclose(list);
  CALL(H5Fset_latest_format(-1, 1));
  CALL(H5Fset_latest_format(H5P_DEFAULT, 1));
  H5Fclose(file);
}

static void use_end(void) {
  haddr_t before = 0, end = 0;
  hid_t file = new_file("end.h5"), core;
  puts("-- end of the file");
  new_dataset(file, "d");
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  H5Fget_eoa(file, &before);
  CALL(H5Fincrement_filesize(file, 1000));
  H5Fget_eoa(file, &end);
  VALUE(end - before);
  CALL(H5Fincrement_filesize(file, 0));
  H5Fget_eoa(file, &end);
  VALUE(end - before);
  CALL(H5Fincrement_filesize(-1, 0));
  H5Fclose(file);
  VALUE(bytes_of("end.h5") == (long long)end);
  file = H5Fopen("end.h5", H5F_ACC_RDONLY, NONE);
  TRY(H5Fincrement_filesize(file, 10));
  H5Fclose(file);
  VALUE(bytes_of("end.h5") == (long long)end);
  core = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_core(core, 1024, 0);
  file = H5Fcreate("none.h5", H5F_ACC_TRUNC, NONE, core);
  CALL(H5Fincrement_filesize(file, 10));
  H5Fclose(file);
  H5Pclose(core);
}

static herr_t on_flush(hid_t object, void* data) {
  printf("    flushed: type %d, %s\n", (int)H5Iget_type(object), (const char*)data);
  return strcmp((const char*)data, "fails") == 0 ? -1 : 0;
}

static void use_callback(void) {
  static const char* const words[] = {"works", "fails"};
  int i;
  for (i = 0; i < 2; ++i) {
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), file, group, set, type, list;
    H5F_flush_cb_t function = NULL;
    void* data = NULL;
    printf("-- callback that %s\n", words[i]);
    H5Pset_object_flush_cb(access, on_flush, (void*)words[i]);
    file = H5Fcreate("callback.h5", H5F_ACC_TRUNC, NONE, access);
    H5Pclose(access);
    new_group(file, "g");
    new_dataset(file, "d");
    new_type(file, "t");
    group = H5Gopen2(file, "g", NONE);
    set = H5Dopen2(file, "d", NONE);
    type = H5Topen2(file, "t", NONE);
    CALL(H5Oflush(group));
    CALL(H5Oflush(set));
    CALL(H5Oflush(type));
    CALL(H5Oflush(file));
    CALL(H5Gflush(group));
    CALL(H5Dflush(set));
    CALL(H5Tflush(type));
    CALL(H5Fflush(file, H5F_SCOPE_GLOBAL));
    CALL(H5Fflush(set, H5F_SCOPE_LOCAL));
    list = H5Fget_access_plist(file);
    CALL(H5Pget_object_flush_cb(list, &function, &data));
    VALUE(function == on_flush && data == (void*)words[i]);
    H5Pclose(list);
    H5Gclose(group);
    H5Dclose(set);
    H5Tclose(type);
    H5Fclose(file);
    file = H5Fopen("callback.h5", H5F_ACC_RDWR, NONE);
    group = H5Gopen2(file, "g", NONE);
    CALL(H5Oflush(group));
    H5Gclose(group);
    H5Fclose(file);
  }
}

/* Whether a name is in the bytes of the file. */
static int stored(const char* path, const char* name) {
  FILE* file = fopen(path, "rb");
  char* bytes = (char*)malloc(1 << 20);
  const size_t count = fread(bytes, 1, 1 << 20, file), length = strlen(name);
  size_t i;
  int found = 0;
  for (i = 0; i + length <= count && !found; ++i) found = memcmp(bytes + i, name, length) == 0;
  fclose(file);
  free(bytes);
  return found;
}

static void add_attribute(hid_t object, const char* name) {
  hid_t space = H5Screate(H5S_SCALAR), attribute = H5Acreate2(object, name, H5T_STD_I32LE, space, NONE, NONE);
  H5Aclose(attribute);
  H5Sclose(space);
}

static void use_corks(void) {
  hbool_t off = 2;
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), file, group, set, twin;
  puts("-- objects that are not flushed");
  H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  file = H5Fcreate("corks.h5", H5F_ACC_TRUNC, NONE, access);
  H5Pclose(access);
  new_dataset(file, "kept");
  new_group(file, "free");
  set = H5Dopen2(file, "kept", NONE);
  group = H5Gopen2(file, "free", NONE);
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  CALL(H5Oare_mdc_flushes_disabled(set, &off));
  VALUE(off);
  CALL(H5Oenable_mdc_flushes(set));
  CALL(H5Odisable_mdc_flushes(set));
  CALL(H5Oare_mdc_flushes_disabled(set, &off));
  VALUE(off);
  CALL(H5Odisable_mdc_flushes(set));
  twin = H5Dopen2(file, "kept", NONE);
  CALL(H5Oare_mdc_flushes_disabled(twin, &off));
  VALUE(off);
  CALL(H5Oare_mdc_flushes_disabled(group, &off));
  VALUE(off);
  add_attribute(set, "quiet attribute");
  add_attribute(group, "loud attribute");
  CALL(H5Fflush(file, H5F_SCOPE_GLOBAL));
  VALUE(stored("corks.h5", "loud attribute"));
  VALUE(stored("corks.h5", "quiet attribute"));
  CALL(H5Oenable_mdc_flushes(set));
  CALL(H5Oare_mdc_flushes_disabled(twin, &off));
  VALUE(off);
  H5Dclose(twin);
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  VALUE(stored("corks.h5", "quiet attribute"));
  CALL(H5Odisable_mdc_flushes(set));
  H5Dclose(set);
  set = H5Dopen2(file, "kept", NONE);
  CALL(H5Oare_mdc_flushes_disabled(set, &off));
  VALUE(off);
  CALL(H5Odisable_mdc_flushes(file));
  CALL(H5Oare_mdc_flushes_disabled(file, &off));
  VALUE(off);
  CALL(H5Oenable_mdc_flushes(file));
  CALL(H5Odisable_mdc_flushes(-1));
  CALL(H5Oenable_mdc_flushes(H5P_DEFAULT));
  CALL(H5Oare_mdc_flushes_disabled(-1, &off));
  CALL(H5Oare_mdc_flushes_disabled(set, NULL));
  CALL(H5Odisable_mdc_flushes(H5T_NATIVE_INT));
  CALL(H5Odisable_mdc_flushes(set));
  add_attribute(set, "last attribute");
  H5Dclose(set);
  H5Gclose(group);
  H5Fclose(file);
  VALUE(stored("corks.h5", "last attribute"));
}

static void show_log(hid_t file) {
  hbool_t enabled = 2, logging = 2;
  CALL(H5Fget_mdc_logging_status(file, &enabled, &logging));
  printf("  %d %d, bytes: %d\n", (int)enabled, (int)logging, bytes_of("cache.log") > 0);
}

static void use_log(void) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), file = new_file("log.h5");
  puts("-- log of the metadata cache");
  remove("cache.log");
  show_log(file);
  CALL(H5Fstart_mdc_logging(file));
  CALL(H5Fstop_mdc_logging(file));
  H5Fclose(file);
  H5Pset_mdc_log_options(access, 1, "cache.log", 0);
  file = H5Fcreate("log.h5", H5F_ACC_TRUNC, NONE, access);
  show_log(file);
  CALL(H5Fstop_mdc_logging(file));
  CALL(H5Fstart_mdc_logging(file));
  show_log(file);
  CALL(H5Fstart_mdc_logging(file));
  new_group(file, "g");
  CALL(H5Fstop_mdc_logging(file));
  show_log(file);
  CALL(H5Fstart_mdc_logging(file));
  H5Fclose(file);
  VALUE(bytes_of("cache.log") > 0);
  remove("cache.log");
  H5Pset_mdc_log_options(access, 1, "cache.log", 1);
  file = H5Fopen("log.h5", H5F_ACC_RDONLY, access);
  show_log(file);
  CALL(H5Fget_mdc_logging_status(-1, NULL, NULL));
  CALL(H5Fstart_mdc_logging(-1));
  CALL(H5Fstop_mdc_logging(-1));
  H5Fclose(file);
  VALUE(bytes_of("cache.log") > 0);
  H5Pset_mdc_log_options(access, 1, "no/such/folder/cache.log", 1);
  CALL_ID(H5Fopen("log.h5", H5F_ACC_RDONLY, access));
  H5Pset_mdc_log_options(access, 0, "no/such/folder/cache.log", 1);
  file = H5Fopen("log.h5", H5F_ACC_RDONLY, access);
  show_log(file);
  H5Fclose(file);
  H5Pclose(access);
}

int main(void) {
  quiet();
  use_headers("old.h5", H5F_LIBVER_EARLIEST);
  use_headers("new.h5", H5F_LIBVER_LATEST);
  use_hint();
  use_formats();
  use_end();
  use_callback();
  use_corks();
  use_log();
  return 0;
}
