/* SPDX-License-Identifier: Apache-2.0
 *
 * RFC "Selection I/O" (2021), the data set code: what reaches drivers that take selections, vectors or single
 * ranges when elements of datasets are transferred. */
#include "../memory_driver.h"
#include "check.h"

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

static int written_and_read(hid_t set, hid_t part, hid_t packed) {
  int right;
  fill(values, 7);
  memset(got, 0, sizeof got);
  right = H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values) >= 0;
  reset();
  return right && H5Dread(set, H5T_NATIVE_INT, packed, part, NONE, got) >= 0 && has_stripes(got, 7);
}

static void selections(void) {
  const hsize_t size = 42, points[4] = {0, 0, 15, 19};
  const hid_t file = create_file(SELECTION, 0), part = stripes(), packed = H5Screate_simple(1, &size, NULL);
  const hsize_t two = 2;
  const hid_t pair = H5Screate_simple(1, &two, NULL), listed = stripes();
  hid_t set = create(file, "contiguous", H5T_NATIVE_INT, 0, 0);
  CHECK("2.1", "a hyperslab of contiguous data is one regular selection in one request",
        written_and_read(set, part, packed) && requests(0, 0, 1) && memory_pieces == 1 && regular == 1);
  H5Dclose(set);
  set = create(file, "chunked", H5T_NATIVE_INT, 1, 0);
  CHECK("2.1", "a hyperslab of unfiltered chunks is one request, with regular selections of the chunks",
        written_and_read(set, part, packed) && requests(0, 0, 1) && memory_pieces == 8 && regular == 8);
  reset();
  CHECK("2.1", "it is written as one request too",
        H5Dwrite(set, H5T_NATIVE_INT, packed, part, NONE, got) >= 0 && requests(0, 0, 1) && regular == 8);
  reset();
  fill(values, 3);
  CHECK("2.1", "complete chunks are written as selections of one request",
        H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values) >= 0 && requests(0, 0, 1) &&
            H5Dread(set, H5T_NATIVE_INT, packed, part, NONE, got) >= 0 && has_stripes(got, 3));
  H5Sselect_elements(listed, H5S_SELECT_SET, 2, points);
  reset();
  CHECK("2.1", "a list of points is one request",
        H5Dread(set, H5T_NATIVE_INT, pair, listed, NONE, got) >= 0 &&
            memory_selections + memory_vectors == 1 && got[0] == 3 && got[1] == 3 + ALL - 1);
  H5Dclose(set);
  set = create(file, "filtered", H5T_NATIVE_INT, 1, 1);
  CHECK("2.1", "filtered chunks are no selections",
        written_and_read(set, part, packed) && memory_selections == 0);
  H5Dclose(set);
  H5Sclose(part), H5Sclose(packed), H5Sclose(pair), H5Sclose(listed);
  H5Fclose(file);
}

static void conversions(void) {
  const hsize_t size = 42;
  const hid_t file = create_file(SELECTION, 0), part = stripes(), packed = H5Screate_simple(1, &size, NULL);
  hid_t set = create(file, "contiguous", H5T_STD_I64BE, 0, 0);
  CHECK("1.1", "elements that are converted are read by one request, and converted after it",
        written_and_read(set, part, packed) && requests(0, 0, 1) && regular == 1);
  reset();
  CHECK("1.1", "elements are converted before they are written by one request",
        H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values) >= 0 && requests(0, 0, 1));
  CHECK("1.1", "the program's buffer is not changed by a conversion",
        values[0] == 7 && values[ALL - 1] == 6 + ALL);
  H5Dclose(set);
  set = create(file, "chunked", H5T_IEEE_F32BE, 1, 0);
  CHECK("1.1", "this holds for unfiltered chunks as well",
        written_and_read(set, part, packed) && requests(0, 0, 1) && regular == 8);
  H5Dclose(set);
  set = create(file, "filtered", H5T_IEEE_F32BE, 1, 1);
  CHECK("1.1, footnote 7", "filtered chunks are converted before and after the filters",
        written_and_read(set, part, packed));
  H5Dclose(set);
  H5Sclose(part), H5Sclose(packed);
  H5Fclose(file);
}

/* 80 MB of elements that are converted take several requests, because staging buffers are bounded. */
static void large_conversion(void) {
  const hsize_t size = 10000, thousand = 1000;
  const hid_t stored = H5Tarray_create2(H5T_STD_I64BE, 1, &thousand),
              memory = H5Tarray_create2(H5T_NATIVE_INT, 1, &thousand);
  const hid_t file = create_file(SELECTION, 0), space = H5Screate_simple(1, &size, NULL);
  const hid_t set = H5Dcreate2(file, "large", stored, space, NONE, NONE, NONE);
  const size_t bytes = size * thousand * sizeof(int);
  int *from = (int*)malloc(bytes), *into = (int*)malloc(bytes);
  hsize_t i;
  for (i = 0; i < size * thousand; ++i) from[i] = (int)(i * 7);
  reset();
  CHECK("1.1", "a conversion that would take too much memory is divided into requests of selections",
        H5Dwrite(set, memory, H5S_ALL, H5S_ALL, NONE, from) >= 0 && memory_selections == 2 && regular == 2);
  CHECK("1.1", "all pieces arrive",
        H5Dread(set, memory, H5S_ALL, H5S_ALL, NONE, into) >= 0 && memcmp(from, into, bytes) == 0);
  free(from), free(into);
  H5Dclose(set), H5Sclose(space), H5Fclose(file), H5Tclose(stored), H5Tclose(memory);
}

/* The chunk cache and the file agree, whichever of them has the newer elements. */
static void cache(void) {
  const hid_t file = create_file(SELECTION, 0), set = create(file, "set", H5T_NATIVE_INT, 1, 0),
              part = stripes();
  int i, right = 1;
  fill(values, 100);
  reset();
  H5Dwrite(set, H5T_NATIVE_INT, part, part, NONE, values);
  CHECK("2.1", "parts of chunks that are not in the file wait in the chunk cache", requests(0, 0, 0));
  memset(got, 1, sizeof got);
  H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, got);
  for (i = 0; i < ALL; ++i) {
    const int row = i / COLUMNS, column = i % COLUMNS;
    const int selected = row % 2 == 1 && row < 15 && column % 3 == 0 && column < 18;
    right = right && got[i] == (selected ? 100 + i : 0);
  }
  CHECK("2.1", "a chunk that is dirty in the cache is read from there", right && memory_selections == 0);
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  reset();
  fill(values, 500);
  H5Dwrite(set, H5T_NATIVE_INT, part, part, NONE, values);
  H5Dread(set, H5T_NATIVE_INT, part, part, NONE, got);
  CHECK("2.1", "a write to the file is not hidden by an older chunk in the cache",
        memory_selections == 2 && got[COLUMNS] == 500 + COLUMNS);
  H5Dclose(set), H5Sclose(part), H5Fclose(file);
}

static void several(int form, int conversion) {
  const hid_t file = create_file(form, 0);
  hid_t sets[3], types[3] = {H5T_NATIVE_INT, H5T_NATIVE_INT, H5T_NATIVE_INT}, spaces[3], packed[3];
  const hid_t stored = conversion ? H5T_STD_I64BE : H5T_NATIVE_INT;
  const hsize_t size = 42;
  int data[3][ALL], back[3][ALL], i, right = 1;
  const void* from[3];
  void* into[3];
  sets[0] = create(file, "a", stored, 0, 0), sets[1] = create(file, "b", stored, 1, 0);
  sets[2] = create(file, "c", H5T_NATIVE_INT, 0, 0);
  warm_up(file);
  for (i = 0; i < 3; ++i) {
    fill(data[i], 1000 * i);
    from[i] = data[i], into[i] = back[i], spaces[i] = packed[i] = H5S_ALL;
  }
  reset();
  CHECK("1, footnote 5", "the writes of several datasets are one request",
        H5Dwrite_multi(3, sets, types, packed, spaces, NONE, from) >= 0 &&
            requests(0, form == VECTOR, form == SELECTION));
  for (i = 0; i < 3; ++i) spaces[i] = stripes(), packed[i] = H5Screate_simple(1, &size, NULL);
  reset();
  CHECK("1, footnote 5", "the reads of several datasets are one request",
        H5Dread_multi(3, sets, types, packed, spaces, NONE, into) >= 0 &&
            requests(0, form == VECTOR, form == SELECTION));
  for (i = 0; i < 3; ++i) right = right && has_stripes(back[i], 1000 * i);
  CHECK("1, footnote 5", "every dataset gets its elements", right);
  for (i = 0; i < 3; ++i) H5Dclose(sets[i]), H5Sclose(spaces[i]), H5Sclose(packed[i]);
  H5Fclose(file);
}

/* Every second dataset has filters, is sparse or is virtual. */
static hid_t create_kind(hid_t file, int kind) {
  static const char* const names[] = {"contiguous", "filtered", "sparse", "virtual", "chunked"};
  const hsize_t dims[2] = {ROWS, COLUMNS}, chunk[2] = {4, 8};
  const hid_t space = H5Screate_simple(2, dims, NULL), list = H5Pcreate(H5P_DATASET_CREATE);
  hid_t set;
  if (kind == 1 || kind == 4) H5Pset_chunk(list, 2, chunk);
  if (kind == 2) H5Pset_sparse_chunk(list, 2, chunk);
  if (kind == 1 || kind == 2) H5Pset_deflate(list, 1);
  if (kind == 3) H5Pset_virtual(list, space, ".", "filtered", space);
  set = H5Dcreate2(file, names[kind], H5T_NATIVE_INT, space, NONE, list, NONE);
  H5Pclose(list), H5Sclose(space);
  return set;
}

static int multi(int writes, size_t count, hid_t* sets, hid_t* spaces, int data[][ALL]) {
  hid_t types[6], memory[6];
  const void* from[6];
  void* into[6];
  size_t i;
  for (i = 0; i < count; ++i) types[i] = H5T_NATIVE_INT, memory[i] = spaces[i], from[i] = into[i] = data[i];
  if (writes) return H5Dwrite_multi(count, sets, types, memory, spaces, NONE, from) >= 0;
  return H5Dread_multi(count, sets, types, memory, spaces, NONE, into) >= 0;
}

/* A quarter of the rows, which are complete chunks. */
static hid_t quarter(int number) {
  const hsize_t dims[2] = {ROWS, COLUMNS}, start[2] = {4 * (hsize_t)number, 0}, count[2] = {4, COLUMNS};
  const hid_t space = H5Screate_simple(2, dims, NULL);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
  return space;
}

static void several_kinds(int form) {
  const hid_t file = create_file(form, 0);
  hid_t sets[6], spaces[6], pair[2];
  int data[6][ALL], back[6][ALL], i, right = 1;
  for (i = 0; i < 5; ++i) sets[i] = create_kind(file, i), spaces[i] = H5S_ALL, fill(data[i], 100 * i);
  warm_up(file);
  sets[3] = sets[4]; /* a virtual dataset is written by the datasets that it consists of */
  reset();
  CHECK("1, footnote 5", "filtered and sparse datasets are written in the same request",
        multi(1, 4, sets, spaces, data) && requests(0, form == VECTOR, form == SELECTION));
  sets[3] = H5Dopen2(file, "virtual", NONE);
  memset(back, 0, sizeof back);
  reset();
  CHECK("1, footnote 5", "filtered, sparse and virtual datasets are read in the same request",
        multi(0, 5, sets, spaces, back) && requests(0, form == VECTOR, form == SELECTION));
  for (i = 0; i < 3; ++i) right = right && memcmp(data[i], back[i], sizeof data[i]) == 0;
  CHECK("1, footnote 5", "they have their elements",
        right && memcmp(data[1], back[3], sizeof data[1]) == 0 &&
            memcmp(data[3], back[4], sizeof data[3]) == 0);
  for (i = 0; i < 4; ++i) spaces[i] = stripes();
  reset();
  CHECK("2.1", "parts of filtered chunks are merged in the cache; chunks for that are read by one request",
        multi(1, 3, sets, spaces, data) && requests(0, form == VECTOR ? 2 : 0, form == SELECTION ? 2 : 0));
  for (i = 0; i < 4; ++i) H5Sclose(spaces[i]), spaces[i] = quarter(i);
  for (i = 0; i < 4; ++i) {
    pair[0] = pair[1] = sets[i == 3 ? 4 : i];
    fill(data[0], 7 * i), fill(data[1], 8 * i);
    reset();
    CHECK("1, footnote 5", "different chunks of a dataset that is listed twice are one request",
          multi(1, 2, pair, spaces, data) && requests(0, form == VECTOR, form == SELECTION) &&
              H5Dread(pair[0], H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, got) >= 0 && got[0] == 7 * i &&
              got[4 * COLUMNS] == 8 * i + 4 * COLUMNS);
  }
  for (i = 0; i < 4; ++i) H5Sclose(spaces[i]);
  for (i = 0; i < 5; ++i) H5Dclose(sets[i]);
  H5Fclose(file);
}

/* What drivers without selections get, and metadata. */
static void other_forms(void) {
  const hsize_t size = 42;
  const hid_t part = stripes(), packed = H5Screate_simple(1, &size, NULL);
  hid_t file = create_file(VECTOR, 0), set = create(file, "set", H5T_NATIVE_INT, 0, 0);
  CHECK("2.1", "a driver with vectors alone gets a vector",
        written_and_read(set, part, packed) && requests(0, 1, 0));
  reset();
  H5Dclose(set);
  set = create(file, "other", H5T_NATIVE_INT, 1, 0);
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  CHECK("2.2", "a flush writes the changed metadata as vectors", memory_vectors > 0 && memory_reads == 0);
  H5Dwrite(set, H5T_NATIVE_INT, part, part, NONE, values);
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  H5Dwrite(set, H5T_NATIVE_INT, part, part, NONE, values);
  reset();
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  CHECK("2.1", "the chunk cache writes eight chunks by one vector, besides those for metadata",
        memory_vectors <= 3 && memory_reads == 0);
  H5Dclose(set), H5Fclose(file);
  file = create_file(SINGLE, 0);
  set = create(file, "set", H5T_NATIVE_INT, 0, 0);
  CHECK("2.1", "a driver without both gets single ranges",
        written_and_read(set, part, packed) && memory_reads > 0 && memory_vectors + memory_selections == 0);
  H5Dclose(set), H5Fclose(file);
  file = create_file(SELECTION, 1 << 20);
  set = create(file, "set", H5T_NATIVE_INT, 0, 0);
  CHECK("2.3", "page buffer and selection I/O exclude each other",
        written_and_read(set, part, packed) && memory_selections == 0);
  H5Dclose(set), H5Fclose(file);
  H5Sclose(part), H5Sclose(packed);
}

int main(void) {
  memory_watch = watch;
  selections();
  conversions();
  large_conversion();
  cache();
  several(SELECTION, 0), several(SELECTION, 1);
  several(VECTOR, 0), several(VECTOR, 1);
  several_kinds(SELECTION), several_kinds(VECTOR);
  other_forms();
  CHECK("2.4.1.2", "no call of a driver overlapped another one", memory_clashes == 0);
  return check_summary();
}
