/* SPDX-License-Identifier: Apache-2.0
 *
 * SWMR access: which opens are allowed, and which flags are reported. */
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "show.h"

#define WRITER (H5F_ACC_RDWR | H5F_ACC_SWMR_WRITE)
#define READER (H5F_ACC_RDONLY | H5F_ACC_SWMR_READ)

static void show_open(hid_t file) {
  unsigned how = 99, attempts = 99;
  H5F_retry_info_t retries;
  int i, counted = 0;
  hid_t list = H5Fget_access_plist(file);
  CALL(H5Fget_intent(file, &how));
  CALL(H5Pget_metadata_read_attempts(list, &attempts));
  printf("opened with %x, %u attempts\n", how, attempts);
  CALL(H5Fget_metadata_read_retry_info(file, &retries));
  for (i = 0; i < 21; ++i) counted += retries.retries[i] != NULL;
  printf("%u bins, %d of them counted\n", retries.nbins, counted);
  H5Pclose(list);
}

/* The status flags of the superblock, which other processes see. */
static void show_flags(const char* path) {
  unsigned char start[16] = {0};
  int file = open(path, O_RDONLY);
  if (read(file, start, sizeof start) == sizeof start)
    printf("%s: superblock %d, flags %d\n", path, start[8], start[11]);
  close(file);
}

/* In another process, which does not share the files that are open here. */
static void open_elsewhere(const char* path, unsigned flags) {
  fflush(stdout);
  if (fork() == 0) {
    execl("/proc/self/exe", "program", path,
          flags == WRITER         ? "w"
          : flags == READER       ? "r"
          : flags == H5F_ACC_RDWR ? "b"
                                  : "o",
          (char*)NULL);
    _exit(9);
  }
  wait(NULL);
}

static int elsewhere(const char* path, char how) {
  hid_t file;
  quiet();
  if (how == 'w') CALL_ID(file = H5Fopen(path, WRITER, NONE));
  if (how == 'r') CALL_ID(file = H5Fopen(path, READER, NONE));
  if (how == 'b') CALL_ID(file = H5Fopen(path, H5F_ACC_RDWR, NONE));
  if (how == 'o') CALL_ID(file = H5Fopen(path, H5F_ACC_RDONLY, NONE));
  return 0;
}

static void old_format(void) {
  hid_t file = new_file("old.h5");
  CALL(H5Fstart_swmr_write(file));
  show_open(file);
  H5Fclose(file);
  CALL_ID(H5Fopen("old.h5", WRITER, NONE));
  CALL_ID(file = H5Fopen("old.h5", READER, NONE));
  show_open(file);
  H5Fclose(file);
}

static void made_so(void) {
  hid_t file, other;
  CALL_ID(file = H5Fcreate("made.h5", H5F_ACC_TRUNC | H5F_ACC_SWMR_WRITE, NONE, NONE));
  show_flags("made.h5");
  show_open(file);
  CALL(H5Fstart_swmr_write(file));
  new_group(file, "g");
  new_dataset(file, "d");
  open_elsewhere("made.h5", H5F_ACC_RDONLY);
  open_elsewhere("made.h5", H5F_ACC_RDWR);
  open_elsewhere("made.h5", WRITER);
  open_elsewhere("made.h5", READER);
  CALL_ID(other = H5Fopen("made.h5", H5F_ACC_RDWR, NONE));
  H5Fclose(other);
  CALL_ID(other = H5Fopen("made.h5", WRITER, NONE));
  show_open(other);
  H5Fclose(other);
  CALL_ID(other = H5Fopen("made.h5", READER, NONE));
  show_open(other);
  H5Fclose(other);
  CALL_ID(other = H5Fopen("made.h5", H5F_ACC_RDONLY, NONE));
  H5Fclose(other);
  H5Fclose(file);
  show_flags("made.h5");
  CALL_ID(H5Fcreate("made.h5", H5F_ACC_TRUNC | H5F_ACC_SWMR_READ, NONE, NONE));
}

static void started(void) {
  hid_t newest = H5Pcreate(H5P_FILE_ACCESS), space = H5Screate(H5S_SCALAR), type = H5Tcopy(H5T_STD_I32LE);
  hid_t file, group, set, attribute, other;
  H5Pset_libver_bounds(newest, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  file = H5Fcreate("started.h5", H5F_ACC_TRUNC, NONE, newest);
  show_open(file);
  attribute = H5Acreate2(file, "a", H5T_STD_I32LE, space, NONE, NONE);
  CALL(H5Fstart_swmr_write(file));
  H5Aclose(attribute);
  H5Tcommit2(file, "t", type, NONE, NONE, NONE);
  CALL(H5Fstart_swmr_write(file));
  CALL(H5Tflush(type));
  CALL(H5Trefresh(type));
  H5Tclose(type);
  group = H5Gcreate2(file, "g", NONE, NONE, NONE);
  set = H5Dcreate2(file, "d", H5T_STD_I32LE, space, NONE, NONE, NONE);
  CALL(H5Fstart_swmr_write(group));
  CALL(H5Fstart_swmr_write(set));
  CALL(H5Fstart_swmr_write(-1));
  CALL_ID(H5Fopen("started.h5", WRITER, newest));
  CALL(H5Fstart_swmr_write(file));
  show_flags("started.h5");
  show_open(file);
  CALL(H5Fstart_swmr_write(file));
  open_elsewhere("started.h5", READER);
  CALL(H5Drefresh(set));
  CALL(H5Grefresh(group));
  CALL(H5Orefresh(set));
  CALL(H5Dflush(set));
  CALL(H5Gflush(group));
  CALL(H5Oflush(group));
  CALL(H5Fflush(file, H5F_SCOPE_GLOBAL));
  show_flags("started.h5");
  H5Dclose(set);
  H5Gclose(group);
  H5Fclose(file);
  show_flags("started.h5");
  CALL_ID(file = H5Fopen("started.h5", H5F_ACC_RDONLY, NONE));
  CALL(H5Fstart_swmr_write(file));
  CALL_ID(other = H5Fopen("started.h5", READER, NONE));
  H5Fclose(file);
  CALL_ID(file = H5Fopen("started.h5", READER, NONE));
  CALL(H5Fstart_swmr_write(file));
  show_open(file);
  CALL_ID(other = H5Fopen("started.h5", H5F_ACC_RDONLY, NONE));
  H5Fclose(other);
  CALL_ID(other = H5Fopen("started.h5", H5F_ACC_RDWR, NONE));
  set = H5Dopen2(file, "d", NONE);
  CALL(H5Drefresh(set));
  H5Dclose(set);
  H5Fclose(file);
  CALL_ID(file = H5Fopen("started.h5", WRITER, newest));
  show_flags("started.h5");
  H5Fclose(file);
  H5Pclose(newest);
  H5Sclose(space);
}

static void lists_and_drivers(void) {
  hid_t list = H5Pcreate(H5P_FILE_ACCESS), file;
  unsigned attempts = 0;
  CALL(H5Pget_metadata_read_attempts(list, &attempts));
  printf("%u\n", attempts);
  CALL(H5Pset_metadata_read_attempts(list, 0));
  CALL(H5Pset_metadata_read_attempts(list, 7));
  CALL(H5Pget_metadata_read_attempts(list, &attempts));
  printf("%u\n", attempts);
  CALL(H5Pget_metadata_read_attempts(-1, &attempts));
  CALL(H5Pset_metadata_read_attempts(-1, 5));
  CALL_ID(file = H5Fopen("started.h5", READER, list));
  show_open(file);
  H5Fclose(file);
  H5Pset_libver_bounds(list, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  H5Pset_fapl_stdio(list);
  CALL_ID(H5Fcreate("stdio.h5", H5F_ACC_TRUNC | H5F_ACC_SWMR_WRITE, NONE, list));
  remove("stdio.h5"); /* HDF5 leaves an empty file */
  H5Pset_fapl_core(list, 4096, 0);
  CALL_ID(H5Fcreate("core.h5", H5F_ACC_TRUNC | H5F_ACC_SWMR_WRITE, NONE, list));
  H5Pclose(list);
}

int main(int count, char** given) {
  if (count == 3) return elsewhere(given[1], given[2][0]);
  quiet();
  old_format();
  made_so();
  started();
  lists_and_drivers();
  return 0;
}
