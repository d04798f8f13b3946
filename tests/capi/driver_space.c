/* SPDX-License-Identifier: Apache-2.0
 *
 * A user-defined driver that allocates the space of a file. The library uses the addresses that it returns,
 * with gaps and addresses below the end. */
#include "logging_driver.h"

enum { N = 1000 };

static int values[N], back[N];

static hid_t list_for(H5FD_class_t* made) {
  hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_driver(fapl, H5FDregister(made), NULL);
  return fapl;
}

static void write_plain(hid_t file, const char* name, hsize_t elements) {
  hid_t space = H5Screate_simple(1, &elements, NULL);
  hid_t set = H5Dcreate2(file, name, H5T_NATIVE_INT, space, NONE, NONE, NONE);
  CALL(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values));
  H5Dclose(set);
  H5Sclose(space);
}

static void write_chunked(hid_t file, const char* name) {
  hsize_t elements = N, chunk = 100;
  hid_t space = H5Screate_simple(1, &elements, NULL), list = H5Pcreate(H5P_DATASET_CREATE), set;
  H5Pset_chunk(list, 1, &chunk);
  set = H5Dcreate2(file, name, H5T_NATIVE_INT, space, NONE, list, NONE);
  CALL(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values));
  H5Dclose(set);
  H5Pclose(list);
  H5Sclose(space);
}

static void check(hid_t file, const char* name, int elements) {
  hid_t set = H5Dopen2(file, name, NONE);
  memset(back, 0, sizeof back);
  CALL(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, back));
  printf("%s: %s\n", name, memcmp(values, back, elements * sizeof values[0]) == 0 ? "as written" : "wrong");
  H5Dclose(set);
}

/* Without aggregation, every allocation goes to the driver. The order within a chunked dataset may differ.
 */
static void turn(haddr_t gap, int low) {
  H5FD_class_t made = logging_class();
  hid_t fapl, file;
  printf("-- gaps of %d bytes%s\n", (int)gap, low == H5F_LIBVER_EARLIEST ? "" : ", latest version");
  made.alloc = logging_alloc;
  made.free = logging_free;
  logging_flags = 0;
  logging_gap = gap;
  fapl = list_for(&made);
  H5Pset_libver_bounds(fapl, (H5F_libver_t)low, H5F_LIBVER_LATEST);
  logged_calls = SPACE;
  puts("create");
  file = H5Fcreate("x", H5F_ACC_TRUNC, NONE, fapl);
  puts("group");
  new_group(file, "group");
  puts("dataset");
  write_plain(file, "plain", N);
  puts("close");
  CALL(H5Fclose(file));
  SHOW(logging_size);
  puts("open");
  file = H5Fopen("x", H5F_ACC_RDWR, fapl);
  check(file, "plain", N);
  puts("one more");
  write_plain(file, "more", N);
  puts("freed space is the file's");
  CALL(H5Ldelete(file, "plain", NONE));
  write_plain(file, "small", 10);
  logged_calls = 0;
  write_chunked(file, "chunked");
  CALL(H5Fclose(file));
  file = H5Fopen("x", H5F_ACC_RDONLY, fapl);
  check(file, "more", N);
  check(file, "small", 10);
  check(file, "chunked", N);
  CALL(H5Fclose(file));
  H5Pclose(fapl);
}

/* Raw data at high addresses, metadata below it: two ends of allocation. */
static haddr_t near_end, far_end;
static haddr_t two_ends(H5FD_t* f, H5FD_mem_t type, hid_t dxpl, hsize_t size) {
  logging_file_t* file = (logging_file_t*)f;
  haddr_t* end = type == H5FD_MEM_DRAW ? &far_end : &near_end;
  const haddr_t at = *end;
  (void)dxpl;
  *end += size;
  if (*end > file->eoa) file->eoa = *end;
  LOG(SPACE, "    alloc %d: %llu bytes at %llu\n", (int)type, (unsigned long long)size,
      (unsigned long long)at);
  return at;
}

static void apart(unsigned long flags) {
  H5FD_class_t made = logging_class();
  hid_t fapl, file;
  printf("-- two ends, flags %lu\n", flags);
  made.alloc = two_ends;
  logging_flags = flags;
  near_end = 0;
  far_end = 100000;
  fapl = list_for(&made);
  file = H5Fcreate("x", H5F_ACC_TRUNC, NONE, fapl);
  logged_calls = flags == 0 ? SPACE : 0;
  write_plain(file, "first", N);
  new_group(file, "group");
  write_plain(file, "second", N);
  logged_calls = 0;
  write_chunked(file, "chunked");
  CALL(H5Fclose(file));
  SHOW(near_end < 100000 && far_end > 100000);
  file = H5Fopen("x", H5F_ACC_RDONLY, fapl);
  check(file, "first", N);
  check(file, "second", N);
  check(file, "chunked", N);
  CALL(H5Lexists(file, "group", NONE));
  CALL(H5Fclose(file));
  H5Pclose(fapl);
}

static haddr_t nowhere(H5FD_t* f, H5FD_mem_t type, hid_t dxpl, hsize_t size) {
  (void)dxpl;
  return type == H5FD_MEM_DRAW ? HADDR_UNDEF : logging_alloc(f, type, dxpl, size);
}

static void without_space(void) {
  H5FD_class_t made = logging_class();
  hid_t fapl, file, space, set;
  hsize_t elements = N;
  puts("-- no space for elements");
  made.alloc = nowhere;
  logging_flags = 0;
  logging_gap = 0;
  fapl = list_for(&made);
  file = H5Fcreate("x", H5F_ACC_TRUNC, NONE, fapl);
  space = H5Screate_simple(1, &elements, NULL);
  set = H5Dcreate2(file, "set", H5T_NATIVE_INT, space, NONE, NONE, NONE);
  TRY(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values));
  H5Dclose(set);
  H5Sclose(space);
  TRY(H5Fclose(file));
  H5Pclose(fapl);
}

int main(void) {
  int i;
  quiet();
  for (i = 0; i < N; ++i) values[i] = i;
  turn(0, H5F_LIBVER_EARLIEST);
  turn(512, H5F_LIBVER_EARLIEST);
  turn(512, H5F_LIBVER_LATEST);
  apart(0);
  apart(H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_AGGREGATE_SMALLDATA);
  without_space();
  return 0;
}
