/* SPDX-License-Identifier: Apache-2.0 */
/* Datasets behind the drivers of memory_driver.h, whose requests are counted by their form. */
#ifndef SELECTION_REQUESTS_H
#define SELECTION_REQUESTS_H

#include "../memory_driver.h"

#define NONE H5P_DEFAULT
#define ROWS 16
#define COLUMNS 20
#define ALL (ROWS * COLUMNS)

enum { SINGLE, VECTOR, SELECTION };

static int regular, others;

static void watch(hid_t memory, hid_t space) {
  const H5S_sel_type type = H5Sget_select_type(space);
  (void)memory;
  if (type == H5S_SEL_ALL || (type == H5S_SEL_HYPERSLABS && H5Sis_regular_hyperslab(space) > 0))
    ++regular;
  else
    ++others;
}

static void reset(void) {
  memory_reads = memory_vectors = memory_selections = memory_pieces = regular = others = 0;
}

static int requests(int single, int vectors, int selections) {
  return memory_reads == single && memory_vectors == vectors && memory_selections == selections;
}

static hid_t create_file(int form, size_t page_buffer) {
  static const char* const names[] = {"single", "vector", "selection"};
  const H5FD_class_t cls = memory_class(form == VECTOR, form == SELECTION);
  const hid_t driver = H5FDregister(&cls), fapl = H5Pcreate(H5P_FILE_ACCESS),
              fcpl = H5Pcreate(H5P_FILE_CREATE);
  hid_t file;
  H5Pset_driver(fapl, driver, NULL);
  H5FDunregister(driver);
  if (page_buffer > 0) {
    H5Pset_file_space_strategy(fcpl, H5F_FSPACE_STRATEGY_PAGE, 0, 1);
    H5Pset_file_space_page_size(fcpl, 4096);
    H5Pset_page_buffer_size(fapl, page_buffer, 0, 0);
  }
  file = H5Fcreate(names[form], H5F_ACC_TRUNC, fcpl, fapl);
  H5Pclose(fapl), H5Pclose(fcpl);
  return file;
}

static hid_t create(hid_t file, const char* name, hid_t type, int chunked, int filtered) {
  const hsize_t dims[2] = {ROWS, COLUMNS}, chunk[2] = {4, 8};
  const hid_t space = H5Screate_simple(2, dims, NULL), list = H5Pcreate(H5P_DATASET_CREATE);
  hid_t set;
  if (chunked) H5Pset_chunk(list, 2, chunk);
  if (filtered) H5Pset_shuffle(list);
  set = H5Dcreate2(file, name, type, space, NONE, list, NONE);
  H5Pclose(list), H5Sclose(space);
  return set;
}

/* Every second row from row 1 on, every third column. */
static hid_t stripes(void) {
  const hsize_t dims[2] = {ROWS, COLUMNS}, start[2] = {1, 0}, stride[2] = {2, 3}, count[2] = {7, 6};
  const hid_t space = H5Screate_simple(2, dims, NULL);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, NULL);
  return space;
}

/* The first change of a file marks it in the superblock. */
static void warm_up(hid_t file) {
  const int value = 0;
  const hid_t space = H5Screate(H5S_SCALAR);
  const hid_t set = H5Dcreate2(file, "first", H5T_NATIVE_INT, space, NONE, NONE, NONE);
  H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, &value);
  H5Dclose(set), H5Sclose(space);
}

static void fill(int* values, int first) {
  int i;
  for (i = 0; i < ALL; ++i) values[i] = first + i;
}

/* Whether the elements of stripes() are those that fill(values, first) has. */
static int has_stripes(const int* packed, int first) {
  int row, column, right = 1;
  for (row = 0; row < 7; ++row)
    for (column = 0; column < 6; ++column)
      right = right && packed[row * 6 + column] == first + (1 + 2 * row) * COLUMNS + 3 * column;
  return right;
}

static int values[ALL], got[ALL];

/* Whether there was one request of several datasets. */
static int is_once(int form) { return requests(0, form == VECTOR, form == SELECTION); }

static int read_equals(hid_t set, const int* wanted) {
  return H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, got) >= 0 &&
         memcmp(got, wanted, sizeof got) == 0;
}

#endif
