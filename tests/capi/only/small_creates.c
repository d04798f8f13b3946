/* SPDX-License-Identifier: Apache-2.0 */
/* What small new objects cost: system calls and allocations of memory. What is written is there at once for
 * every other call, and in the file after a flush. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static long allocations;

/* Counts the allocations of all libraries of the process. */
void* malloc(size_t bytes) {
  static void* (*next)(size_t);
  if (next == NULL) next = (void* (*)(size_t))dlsym(RTLD_NEXT, "malloc");
  ++allocations;
  return next(bytes);
}

static long transfers(void) {
  char line[64];
  long reads = 0, writes = 0;
  FILE* io = fopen("/proc/self/io", "r");
  if (io == NULL) return 0;
  while (fgets(line, sizeof line, io) != NULL) {
    sscanf(line, "syscr: %ld", &reads);
    sscanf(line, "syscw: %ld", &writes);
  }
  fclose(io);
  return reads + writes;
}

#define OBJECTS 2000

static void report(const char* what, long allocated, long most_allocated, long transferred) {
  printf("%s: %s, %s\n", what, allocated <= most_allocated * OBJECTS ? "few allocations" : "many allocations",
         transferred <= OBJECTS / 50 ? "few system calls" : "many system calls");
}

static hid_t fapl, space, scalar;

static hid_t create_dataset(hid_t file, int number) {
  char name[16];
  int values[4] = {number, 1, 2, 3};
  sprintf(name, "d%d", number);
  hid_t set = H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  return set;
}

static void create_attribute(hid_t object, int number) {
  hid_t attribute = H5Acreate2(object, "a", H5T_NATIVE_INT, scalar, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(attribute, H5T_NATIVE_INT, &number);
  H5Aclose(attribute);
}

static void check(hid_t file, int number) {
  char name[16];
  int values[4] = {0}, value = -1;
  sprintf(name, "d%d", number);
  hid_t set = H5Dopen2(file, name, H5P_DEFAULT), attribute = H5Aopen(set, "a", H5P_DEFAULT);
  H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  H5Aread(attribute, H5T_NATIVE_INT, &value);
  if (values[0] != number || values[3] != 3 || value != number) printf("%s is wrong\n", name);
  H5Aclose(attribute);
  H5Dclose(set);
}

static void many_datasets(H5F_libver_t low, const char* what, const char* path) {
  H5Pset_libver_bounds(fapl, low, H5F_LIBVER_LATEST);
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
  long before = allocations, calls = transfers();
  for (int i = 0; i < OBJECTS; ++i) {
    hid_t set = create_dataset(file, i);
    create_attribute(set, i);
    H5Dclose(set);
  }
  report(what, allocations - before, 50, transfers() - calls);
  for (int i = 0; i < OBJECTS; i += 3) check(file, i);
  H5Fclose(file);
  file = H5Fopen(path, H5F_ACC_RDONLY, fapl);
  for (int i = 0; i < OBJECTS; ++i) check(file, i);
  H5Fclose(file);
}

static void many_groups(void) {
  char name[16];
  hid_t file = H5Fcreate("small_creates_groups.h5", H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
  long before = allocations, calls = transfers();
  for (int i = 0; i < OBJECTS; ++i) {
    sprintf(name, "g%d", i);
    H5Gclose(H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  }
  report("groups", allocations - before, 25, transfers() - calls);
  H5Fclose(file);
}

/* The bytes of a dataset in the file itself. */
static int stored(hid_t set) {
  int value = -1, descriptor = open("small_creates.h5", O_RDONLY);
  if (pread(descriptor, &value, sizeof value, (off_t)H5Dget_offset(set)) < 0) value = -2;
  close(descriptor);
  return value;
}

static void flushed(void) {
  hid_t file = H5Fcreate("small_creates.h5", H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
  hid_t set = create_dataset(file, 41), other = create_dataset(file, 42);
  H5Fflush(file, H5F_SCOPE_LOCAL);
  printf("after a flush: %d %d\n", stored(set), stored(other));
  H5Dclose(set);
  set = create_dataset(file, 43);
  H5Dflush(set);
  printf("after a flush of the dataset: %d\n", stored(set));
  H5Dclose(set);
  H5Dclose(other);
  H5Fclose(file);
}

int main(void) {
  const hsize_t four = 4;
  fapl = H5Pcreate(H5P_FILE_ACCESS);
  space = H5Screate_simple(1, &four, NULL);
  scalar = H5Screate(H5S_SCALAR);
  many_datasets(H5F_LIBVER_EARLIEST, "datasets, earliest format", "small_creates_earliest.h5");
  many_datasets(H5F_LIBVER_LATEST, "datasets, latest format", "small_creates_latest.h5");
  many_groups();
  flushed();
  return 0;
}
