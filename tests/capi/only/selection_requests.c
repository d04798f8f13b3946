/* SPDX-License-Identifier: Apache-2.0
 *
 * How elements of datasets reach drivers that take selections, vectors or single ranges: contiguous data,
 * chunks, conversions and several datasets at once. Requests are counted. */
#include "../memory_driver.h"
#include "../show.h"

#define NONE H5P_DEFAULT

static int regular, irregular;

static void look(hid_t memory, hid_t space) {
  const H5S_sel_type type = H5Sget_select_type(space);
  (void)memory;
  if (type == H5S_SEL_ALL || (type == H5S_SEL_HYPERSLABS && H5Sis_regular_hyperslab(space) > 0))
    ++regular;
  else
    ++irregular;
}

static void reset(void) {
  memory_reads = memory_vectors = memory_selections = memory_pieces = regular = irregular = 0;
}

/* How many single calls and vectors there are may depend on the number of cores. */
static void counted(const char* what) {
  printf("  %s: single calls %s, vectors %s, %d selections of %d pieces (%d regular, %d others)\n", what,
         memory_reads ? "yes" : "no", memory_vectors ? "yes" : "no", memory_selections, memory_pieces,
         regular, irregular);
  reset();
}

static hid_t make(hid_t file, const char* name, hid_t type, int chunked, int filtered) {
  const hsize_t dims[2] = {12, 10}, chunk[2] = {4, 4};
  const hid_t space = H5Screate_simple(2, dims, NULL), list = H5Pcreate(H5P_DATASET_CREATE);
  hid_t set;
  if (chunked) H5Pset_chunk(list, 2, chunk);
  if (filtered) H5Pset_shuffle(list);
  set = H5Dcreate2(file, name, type, space, NONE, list, NONE);
  H5Pclose(list);
  H5Sclose(space);
  return set;
}

static int sum(const int* values, int count) {
  int i, all = 0;
  for (i = 0; i < count; ++i) all += values[i] * (i % 7 + 1);
  return all;
}

static hid_t slab(hsize_t start0, hsize_t stride0, hsize_t count0, hsize_t start1, hsize_t stride1,
                  hsize_t count1) {
  const hsize_t dims[2] = {12, 10};
  const hsize_t start[2] = {start0, start1}, stride[2] = {stride0, stride1}, count[2] = {count0, count1};
  const hid_t space = H5Screate_simple(2, dims, NULL);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, NULL);
  return space;
}

/* Writes, reads back and counts for one dataset. */
static void one(hid_t file, const char* name, hid_t type, int chunked, int filtered) {
  const hid_t set = make(file, name, type, chunked, filtered);
  const hid_t part = slab(1, 2, 4, 0, 3, 3), whole = slab(0, 1, 12, 0, 1, 10);
  const hsize_t twelve = 12, points[6] = {0, 0, 5, 5, 11, 9}, three = 3;
  const hid_t packed = H5Screate_simple(1, &twelve, NULL), list = H5Screate_simple(1, &three, NULL);
  int values[120], got[120], i;
  for (i = 0; i < 120; ++i) values[i] = i, got[i] = -1;
  printf("-- %s\n", name);
  reset();
  SHOW(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values));
  counted("written");
  SHOW(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, got));
  counted("read");
  SHOW(sum(got, 120));
  SHOW(H5Dread(set, H5T_NATIVE_INT, packed, part, NONE, got));
  counted("read every third of every second row");
  SHOW(sum(got, 12));
  for (i = 0; i < 12; ++i) got[i] = 1000 + i;
  SHOW(H5Dwrite(set, H5T_NATIVE_INT, packed, part, NONE, got));
  counted("written there");
  SHOW(H5Dread(set, H5T_NATIVE_INT, part, part, NONE, got));
  counted("read into the same offsets");
  SHOW(got[10]);
  SHOW(got[73]);
  SHOW(H5Dread(set, H5T_NATIVE_INT, whole, whole, NONE, got));
  SHOW(sum(got, 120));
  reset();
  H5Sselect_elements(whole, H5S_SELECT_SET, 3, points);
  SHOW(H5Dread(set, H5T_NATIVE_INT, list, whole, NONE, got));
  counted("read points");
  printf("%d %d %d\n", got[0], got[1], got[2]);
  H5Sclose(part), H5Sclose(whole), H5Sclose(packed), H5Sclose(list);
  H5Dclose(set);
}

/* Parts of chunks that exist nowhere stay in the chunk cache, and are read from there. */
static void cached(hid_t file) {
  const hid_t set = make(file, "cached", H5T_STD_I32BE, 1, 0), row = slab(1, 1, 1, 0, 1, 10);
  const hid_t all = slab(0, 1, 12, 0, 1, 10);
  int values[120], got[120], i;
  for (i = 0; i < 120; ++i) values[i] = i + 1;
  puts("-- the chunk cache");
  reset();
  SHOW(H5Dwrite(set, H5T_NATIVE_INT, row, row, NONE, values));
  counted("a row of new chunks");
  SHOW(H5Dread(set, H5T_NATIVE_INT, all, all, NONE, got));
  counted("read");
  printf("%d %d %d %d\n", got[9], got[10], got[19], got[20]);
  SHOW(H5Fflush(file, H5F_SCOPE_GLOBAL));
  reset();
  values[12] = 777;
  SHOW(H5Dwrite(set, H5T_NATIVE_INT, row, row, NONE, values));
  counted("the same row of stored chunks");
  SHOW(H5Dread(set, H5T_NATIVE_INT, row, row, NONE, got));
  counted("read");
  printf("%d %d %d\n", got[10], got[12], got[19]);
  H5Sclose(row), H5Sclose(all);
  H5Dclose(set);
}

static void several(hid_t file) {
  hid_t sets[4], types[4], spaces[4], other;
  int values[4][120], got[4][120], i, j;
  const void* from[4];
  void* into[4];
  sets[0] = make(file, "m0", H5T_STD_I32LE, 0, 0), sets[1] = make(file, "m1", H5T_STD_I16BE, 0, 0);
  sets[2] = make(file, "m2", H5T_STD_I32LE, 1, 0), sets[3] = make(file, "m3", H5T_IEEE_F64BE, 1, 0);
  for (i = 0; i < 4; ++i) {
    types[i] = H5T_NATIVE_INT, spaces[i] = H5S_ALL, from[i] = values[i], into[i] = got[i];
    for (j = 0; j < 120; ++j) values[i][j] = 1000 * i + j;
  }
  puts("-- several datasets");
  H5Dwrite(sets[0], H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values); /* the first change since the flush */
  reset();
  SHOW(H5Dwrite_multi(4, sets, types, spaces, spaces, NONE, from));
  printf("  %d vectors\n", memory_vectors);
  counted("written");
  SHOW(H5Dread_multi(4, sets, types, spaces, spaces, NONE, into));
  printf("  %d vectors\n", memory_vectors);
  counted("read");
  SHOW(memcmp(values, got, sizeof values));
  other = sets[1];
  sets[1] = sets[0];
  SHOW(H5Dwrite_multi(2, sets, types, spaces, spaces, NONE, from));
  SHOW(H5Dread(sets[0], H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, got));
  SHOW(got[0][1]);
  into[1] = NULL;
  TRY(H5Dread_multi(2, sets, types, spaces, spaces, NONE, into));
  sets[1] = other;
  for (i = 0; i < 4; ++i) H5Dclose(sets[i]);
}

/* Mode and cause that the transfer property list reports, and a driver that must not get selections. */
static void check_reports(hid_t file) {
  const hid_t set = make(file, "reported", H5T_STD_I32LE, 1, 0), list = H5Pcreate(H5P_DATASET_XFER);
  int values[120] = {0};
  uint32_t mode = 9, cause = 9;
  puts("-- what the list reports");
  H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values);
  SHOW(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, values));
  H5Pget_actual_selection_io_mode(list, &mode);
  H5Pget_no_selection_io_cause(list, &cause);
  printf("mode %x, cause %x\n", (unsigned)mode, (unsigned)cause);
  SHOW(H5Pset_selection_io(list, H5D_SELECTION_IO_MODE_OFF));
  reset();
  SHOW(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, values));
  printf("  without selection I/O: %d selections\n", memory_selections);
  H5Pget_actual_selection_io_mode(list, &mode);
  H5Pget_no_selection_io_cause(list, &cause);
  printf("mode %x, cause %x\n", (unsigned)mode, (unsigned)cause);
  H5Pclose(list);
  H5Dclose(set);
}

/* A request that fails leaves the file usable, and frees the space of new chunks. */
static void failing(hid_t file) {
  const hid_t set = make(file, "failing", H5T_STD_I32LE, 1, 0);
  int values[120] = {5}, got[120], i, failed = 0;
  puts("-- failures");
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  for (i = 1; i < 4; ++i) {
    memory_fail_at = memory_calls + i;
    H5E_BEGIN_TRY { failed += H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values) < 0; }
    H5E_END_TRY
    memory_fail_at = 0;
  }
  SHOW(failed > 0);
  SHOW(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values));
  SHOW(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, got));
  SHOW(memcmp(values, got, sizeof values));
  memory_fail_at = memory_calls + 1;
  TRY(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, got) < 0);
  memory_fail_at = 0;
  SHOW(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, got));
  H5Dclose(set);
}

int main(void) {
  static const char* const names[] = {"single", "vector", "selection"};
  int form;
  memory_watch = look;
  for (form = 0; form < 3; ++form) {
    const H5FD_class_t cls = memory_class(form == 1, form == 2);
    const hid_t driver = H5FDregister(&cls), fapl = H5Pcreate(H5P_FILE_ACCESS);
    hid_t file;
    int got[120], i;
    H5Pset_driver(fapl, driver, NULL);
    H5FDunregister(driver);
    printf("---- a driver that takes the form: %s\n", names[form]);
    file = H5Fcreate(names[form], H5F_ACC_TRUNC, NONE, fapl);
    one(file, "contiguous", H5T_STD_I32LE, 0, 0);
    one(file, "contiguous, converted", H5T_STD_I64BE, 0, 0);
    one(file, "chunked", H5T_STD_I32LE, 1, 0);
    one(file, "chunked, converted", H5T_STD_I16BE, 1, 0);
    one(file, "filtered", H5T_STD_I32LE, 1, 1);
    cached(file);
    several(file);
    check_reports(file);
    failing(file);
    SHOW(H5Fclose(file));
    file = H5Fopen(names[form], H5F_ACC_RDONLY, fapl);
    for (i = 0; i < 2; ++i) {
      const hid_t set = H5Dopen2(file, i == 0 ? "m3" : "cached", NONE);
      SHOW(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, got));
      SHOW(sum(got, 120));
      H5Dclose(set);
    }
    SHOW(H5Fclose(file));
    SHOW(H5Pclose(fapl));
  }
  SHOW(memory_open);
  SHOW(memory_clashes);
  return 0;
}
