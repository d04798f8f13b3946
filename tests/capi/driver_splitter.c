/* SPDX-License-Identifier: Apache-2.0
 *
 * The splitter driver: a file, and a copy of it that is written and never read. */
#include <sys/stat.h>

#include "show.h"

static long long bytes_of(const char* name) {
  struct stat status;
  return stat(name, &status) == 0 ? (long long)status.st_size : -1;
}

static int same_bytes(const char* a, const char* b) {
  FILE *x = fopen(a, "rb"), *y = fopen(b, "rb");
  int c = 0, d = 0;
  if (x == NULL || y == NULL) return -1;
  do {
    c = fgetc(x);
    d = fgetc(y);
  } while (c == d && c != EOF);
  fclose(x);
  fclose(y);
  return c == d;
}

static H5FD_splitter_vfd_config_t config;

static hid_t splitter(const char* copy, const char* log, int ignore) {
  hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  memset(&config, 0, sizeof config);
  config.magic = H5FD_SPLITTER_MAGIC;
  config.version = H5FD_CURR_SPLITTER_VFD_CONFIG_VERSION;
  config.rw_fapl_id = config.wo_fapl_id = H5P_DEFAULT;
  strcpy(config.wo_path, copy);
  strcpy(config.log_file_path, log);
  config.ignore_wo_errs = ignore;
  CALL(H5Pset_fapl_splitter(list, &config));
  return list;
}

static void use_lists(void) {
  H5FD_splitter_vfd_config_t got;
  hid_t list = splitter("copy.h5", "some.log", 1), other = H5Pcreate(H5P_LINK_CREATE), core, copy;
  puts("-- lists");
  memset(&got, 0, sizeof got);
  CALL(H5Pget_fapl_splitter(list, &got));
  got.magic = H5FD_SPLITTER_MAGIC;
  CALL(H5Pget_fapl_splitter(list, &got));
  got.version = H5FD_CURR_SPLITTER_VFD_CONFIG_VERSION;
  CALL(H5Pget_fapl_splitter(list, &got));
  printf("  '%s' '%s' %d, lists: %d %d\n", got.wo_path, got.log_file_path, (int)got.ignore_wo_errs,
         H5Iget_type(got.rw_fapl_id) == H5I_GENPROP_LST, H5Iget_type(got.wo_fapl_id) == H5I_GENPROP_LST);
  VALUE(H5Pget_driver(list) == H5FD_SPLITTER);
  H5Pclose(got.rw_fapl_id);
  H5Pclose(got.wo_fapl_id);
  copy = H5Pcopy(list);
  CALL(H5Pget_fapl_splitter(copy, &got));
  printf("  '%s'\n", got.wo_path);
  H5Pclose(copy);
  CALL(H5Pget_fapl_splitter(H5P_FILE_ACCESS_DEFAULT, &got));
  CALL(H5Pget_fapl_splitter(list, NULL));
  CALL(H5Pget_fapl_splitter(other, &got));
  config.magic = 1;
  CALL(H5Pset_fapl_splitter(list, &config));
  config.magic = H5FD_SPLITTER_MAGIC;
  config.version = 99;
  CALL(H5Pset_fapl_splitter(list, &config));
  config.version = H5FD_CURR_SPLITTER_VFD_CONFIG_VERSION;
  CALL(H5Pset_fapl_splitter(-1, &config));
  core = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_core(core, 1024, 1);
  config.wo_fapl_id = core;
  CALL(H5Pset_fapl_splitter(list, &config));
  config.wo_fapl_id = other;
  CALL(H5Pset_fapl_splitter(list, &config));
  H5Pclose(core);
  H5Pclose(other);
  H5Pclose(list);
}

static void fill(hid_t file) {
  new_group(file, "g");
  new_dataset(file, "g/d");
}

static void use_files(void) {
  hid_t list = splitter("copy.h5", "", 0), file;
  puts("-- files");
  file = H5Fcreate("first.h5", H5F_ACC_TRUNC, NONE, list);
  CALL_ID(file);
  fill(file);
  CALL(H5Fflush(file, H5F_SCOPE_GLOBAL));
  CALL(H5Fclose(file));
  VALUE(same_bytes("first.h5", "copy.h5"));
  file = H5Fopen("first.h5", H5F_ACC_RDWR, list);
  CALL_ID(file);
  new_group(file, "more");
  H5Fclose(file);
  VALUE(same_bytes("first.h5", "copy.h5"));
  file = H5Fopen("copy.h5", H5F_ACC_RDONLY, NONE);
  OPEN(file, "/more");
  OPEN(file, "/g/d");
  H5Fclose(file);
  file = H5Fopen("first.h5", H5F_ACC_RDONLY, list);
  CALL_ID(file);
  OPEN(file, "/more");
  H5Fclose(file);
  H5Pclose(list);
}

static void use_faults(void) {
  hid_t list = splitter("no/such/folder/copy.h5", "fault.log", 0), file;
  puts("-- faults");
  CALL_ID(H5Fcreate("fault.h5", H5F_ACC_TRUNC, NONE, list));
  H5Pclose(list);
  remove("fault.h5");
  VALUE(bytes_of("fault.log") >= 0);
  list = splitter("copy2.h5", "no/such/folder/fault.log", 0);
  CALL_ID(H5Fcreate("fault.h5", H5F_ACC_TRUNC, NONE, list));
  H5Pclose(list);
  remove("copy2.h5");
  remove("fault.h5");
  list = splitter("copy2.h5", "fault.log", 0);
  file = new_file("alone.h5");
  H5Fclose(file);
  CALL_ID(H5Fopen("alone.h5", H5F_ACC_RDWR, list));
  CALL_ID(H5Fopen("alone.h5", H5F_ACC_RDONLY, list));
  H5Pclose(list);
}

int main(void) {
  quiet();
  use_lists();
  use_files();
  use_faults();
  return 0;
}
