/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that end without closing what they opened: the library closes it, and nothing is lost. */
#include <sys/wait.h>
#include <unistd.h>

#include "show.h"

enum { N = 100 };

static hid_t make(hid_t file, const char* name, int kind) {
  const hsize_t dims[1] = {N}, chunk[1] = {10}, most[1] = {H5S_UNLIMITED};
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  if (kind > 0) H5Pset_chunk(list, 1, chunk);
  if (kind == 2) H5Pset_shuffle(list), H5Pset_deflate(list, 6);
  if (kind == 3) H5Pset_fletcher32(list);
  return H5Dcreate2(file, name, H5T_STD_I32LE, H5Screate_simple(1, dims, kind == 4 ? most : NULL),
                    H5P_DEFAULT, list, H5P_DEFAULT);
}

static void write_one(hid_t set, hsize_t at, int value) {
  const hsize_t one = 1;
  hid_t space = H5Dget_space(set);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &at, NULL, &one, NULL);
  H5Dwrite(set, H5T_NATIVE_INT, H5Screate_simple(1, &one, NULL), space, H5P_DEFAULT, &value);
}

static const char* const names[5] = {"contiguous", "chunks", "deflated", "checked", "growing"};

/* Leaves everything open; `close_file` closes the id of the file, while objects keep it open. */
static void leave_open(const char* path, int create, int close_file) {
  hid_t file = create ? H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)
                      : H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  const char* const words[1] = {"a string"};
  hid_t text = H5Tcopy(H5T_C_S1), attribute;
  H5Tset_size(text, H5T_VARIABLE);
  for (int kind = 0; kind < 5; ++kind) {
    hid_t set = create ? make(file, names[kind], kind) : H5Dopen2(file, names[kind], H5P_DEFAULT);
    for (int i = 0; i < 5; ++i) write_one(set, (hsize_t)(i * 20 + create), 100 * kind + i + 1);
  }
  attribute =
      H5Acreate2(file, create ? "first" : "second", text, H5Screate(H5S_SCALAR), H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(attribute, text, words);
  H5Gcreate2(file, create ? "one" : "two", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (close_file) H5Fclose(file);
}

static void show(const char* path) {
  int values[N];
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  printf("%s: %s\n", path, file < 0 ? "does not open" : "opens");
  for (int kind = 0; kind < 5; ++kind) {
    hid_t set = H5Dopen2(file, names[kind], H5P_DEFAULT);
    memset(values, 0, sizeof values);
    H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    printf("%s:", names[kind]);
    for (int i = 0; i < N; ++i)
      if (values[i] != 0) printf(" %d=%d", i, values[i]);
    printf("\n");
    H5Dclose(set);
  }
  SHOW(H5Aexists(file, "first"));
  SHOW(H5Aexists(file, "second"));
  SHOW(H5Lexists(file, "two", H5P_DEFAULT));
  H5Fclose(file);
}

static void run(const char* path, int create, int close_file) {
  int status = 0;
  pid_t child;
  fflush(stdout);
  child = fork();
  if (child == 0) {
    leave_open(path, create, close_file);
    exit(0);
  }
  waitpid(child, &status, 0);
  printf("%s: %s\n", path, WIFEXITED(status) && WEXITSTATUS(status) == 0 ? "ended" : "crashed");
}

int main(void) {
  for (int close_file = 0; close_file < 2; ++close_file) {
    const char* const path = close_file ? "file_closed.h5" : "all_open.h5";
    run(path, 1, close_file);
    run(path, 0, close_file);
    show(path);
  }
  return 0;
}
