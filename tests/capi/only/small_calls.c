/* SPDX-License-Identifier: Apache-2.0 */
/* What small calls cost: allocations of memory, and system calls that read or write. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static void report(const char* what, long allocated, long transferred, long at_most) {
  /* Reading the counter is a system call or two itself. */
  printf("%s: %s, %s\n", what, allocated == 0 ? "no allocation" : "allocations",
         transferred <= at_most ? "as few system calls as expected" : "too many system calls");
}

#define CALLS 1000
#define COUNT(what, at_most, call)                            \
  do {                                                        \
    long before, reads;                                       \
    for (int i = 0; i < 3; ++i) call;                         \
    reads = transfers();                                      \
    before = allocations;                                     \
    for (int i = 0; i < CALLS; ++i) call;                     \
    before = allocations - before;                            \
    report(what, before, transfers() - reads, (at_most) + 4); \
  } while (0)

int main(void) {
  const hsize_t four = 4;
  int values[4] = {1, 2, 3, 4};
  double number = 1.5, numbers[4];
  float single = 0;
  hid_t file = H5Fcreate("small_calls.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t space = H5Screate_simple(1, &four, NULL), scalar = H5Screate(H5S_SCALAR);
  hid_t compact = H5Pcreate(H5P_DATASET_CREATE), a, b, attribute;
  H5Pset_layout(compact, H5D_COMPACT);
  a = H5Dcreate2(file, "a", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  b = H5Dcreate2(file, "b", H5T_NATIVE_INT, space, H5P_DEFAULT, compact, H5P_DEFAULT);
  attribute = H5Acreate2(a, "x", H5T_NATIVE_DOUBLE, scalar, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(a, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  H5Dwrite(b, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  H5Awrite(attribute, H5T_NATIVE_DOUBLE, &number);

  COUNT("H5Dread", 0, H5Dread(a, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  COUNT("H5Dread, converted", 0, H5Dread(a, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers));
  COUNT("H5Dread, compact", 0, H5Dread(b, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  COUNT("H5Aread", 0, H5Aread(attribute, H5T_NATIVE_DOUBLE, &number));
  COUNT("H5Aread, converted", 0, H5Aread(attribute, H5T_NATIVE_FLOAT, &single));

  /* What is kept is never out of date. */
  for (int i = 0; i < 5; ++i) {
    values[0] = 10 + i;
    H5Dwrite(a, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    values[0] = 20 + i;
    H5Dwrite(b, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    number = i + 0.5;
    H5Awrite(attribute, H5T_NATIVE_DOUBLE, &number);
    values[0] = 0, number = 0;
    H5Dread(a, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    printf("%d ", values[0]);
    H5Dread(b, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    H5Aread(attribute, H5T_NATIVE_DOUBLE, &number);
    printf("%d %g\n", values[0], number);
  }
  /* Another dataset takes the place of the first one; an attribute of the same name is another one. */
  H5Ldelete(file, "a", H5P_DEFAULT);
  H5Aclose(attribute);
  H5Adelete(a, "x");
  attribute = H5Acreate2(a, "x", H5T_NATIVE_SHORT, scalar, H5P_DEFAULT, H5P_DEFAULT);
  {
    const short seven = 7;
    H5Awrite(attribute, H5T_NATIVE_SHORT, &seven);
  }
  H5Aread(attribute, H5T_NATIVE_DOUBLE, &number);
  H5Dread(a, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  printf("%d %g\n", values[0], number);
  return H5Fclose(file) < 0;
}
