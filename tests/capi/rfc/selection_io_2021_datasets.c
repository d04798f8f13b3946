/* SPDX-License-Identifier: Apache-2.0
 *
 * RFC "Selection I/O" (2021), the data set code: what reaches drivers that take selections, vectors or single
 * ranges when elements of datasets are transferred. */
#include "check.h"
#include "selection_requests.h"

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
  other_forms();
  CHECK("2.4.1.2", "no call of a driver overlapped another one", memory_clashes == 0);
  return check_summary();
}
