/* SPDX-License-Identifier: Apache-2.0
 *
 * "Chunking in HDF5": the layout, its limits, and the numbers of reads that chunk shapes and the chunk cache
 * cause. The document has no section numbers: the names here are those of its subjects. */
#include "../memory_driver.h"
#include "check.h"

#define NONE H5P_DEFAULT

static unsigned long extra_features;

static herr_t query(const H5FD_t* file, unsigned long* flags) {
  memory_query(file, flags);
  *flags |= extra_features;
  return 0;
}

/* A file whose driver takes one range at a time, so that the reads can be counted. */
static hid_t counted_file(const char* name, unsigned long features) {
  H5FD_class_t cls = memory_class(0, 0);
  const hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
  hid_t driver, file;
  extra_features = features;
  cls.query = query;
  driver = H5FDregister(&cls);
  H5Pset_driver(fapl, driver, NULL);
  H5FDunregister(driver);
  file = H5Fcreate(name, H5F_ACC_TRUNC, NONE, fapl);
  H5Pclose(fapl);
  return file;
}

static hid_t create(hid_t file, const char* name, hsize_t rows, hsize_t columns, hsize_t high, hsize_t wide) {
  const hsize_t dims[2] = {rows, columns}, chunk[2] = {high, wide};
  const hid_t space = H5Screate_simple(2, dims, NULL), list = H5Pcreate(H5P_DATASET_CREATE);
  hid_t set;
  if (high > 0) H5Pset_chunk(list, 2, chunk);
  set = H5Dcreate2(file, name, H5T_NATIVE_INT, space, NONE, list, NONE);
  H5Pclose(list), H5Sclose(space);
  return set;
}

static hid_t box(hid_t set, hsize_t row, hsize_t column, hsize_t high, hsize_t wide) {
  const hsize_t start[2] = {row, column}, count[2] = {high, wide};
  const hid_t space = H5Dget_space(set);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
  return space;
}

static int values[100 * 100], got[100 * 100];

/* Reads a box into contiguous memory. Returns the number of reads, or -1 if the elements are wrong. */
static int reads(hid_t set, hsize_t width, hsize_t row, hsize_t column, hsize_t high, hsize_t wide) {
  const hsize_t count = high * wide;
  const hid_t space = box(set, row, column, high, wide), memory = H5Screate_simple(1, &count, NULL);
  hsize_t i, j;
  int right;
  memory_reads = 0;
  right = H5Dread(set, H5T_NATIVE_INT, memory, space, NONE, got) >= 0;
  for (i = 0; i < high; ++i)
    for (j = 0; j < wide; ++j) right = right && got[i * wide + j] == (int)((row + i) * width + column + j);
  H5Sclose(space), H5Sclose(memory);
  return right ? memory_reads : -1;
}

static void write_all(hid_t set, hsize_t count) {
  hsize_t i;
  for (i = 0; i < count; ++i) values[i] = (int)i;
  H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values);
}

static void layout(void) {
  const hid_t file = counted_file("layout", 0);
  hid_t set = create(file, "example 1", 12, 12, 4, 4), flat = create(file, "contiguous", 12, 12, 0, 0);
  const hsize_t three[2] = {3, 3}, more[2] = {24, 12}, most[2] = {H5S_UNLIMITED, 12};
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(2, three, NULL),
              growing = H5Screate_simple(2, three, most);
  hsize_t count = 0, offset[2] = {9, 9}, size = 0;
  haddr_t first = 0, second = 0;
  unsigned mask;
  hid_t filtered, extendible;
  herr_t resized;
  write_all(set, 144), write_all(flat, 144);
  H5Dget_num_chunks(set, H5S_ALL, &count);
  CHECK("layout", "12x12 elements in chunks of 4x4 are nine chunks", count == 9);
  H5Dget_chunk_info(set, H5S_ALL, 0, offset, &mask, &first, &size);
  CHECK("layout", "the first chunk begins at (0,0), and has 4x4 elements",
        offset[0] == 0 && offset[1] == 0 && size == 64);
  H5Dget_chunk_info(set, H5S_ALL, 1, offset, &mask, &second, &size);
  CHECK("layout", "the second begins at (0,4): chunks are cut along the array",
        offset[0] == 0 && offset[1] == 4);
  CHECK("layout", "chunks are stored separately", first != second);
  CHECK("layout", "the same calls read both layouts",
        reads(set, 12, 0, 0, 12, 12) >= 0 && reads(flat, 12, 0, 0, 12, 12) >= 0);
  H5Pset_deflate(list, 6);
  H5E_BEGIN_TRY {
    filtered = H5Dcreate2(file, "filtered", H5T_NATIVE_INT, space, NONE, list, NONE);
    extendible = H5Dcreate2(file, "growing", H5T_NATIVE_INT, growing, NONE, NONE, NONE);
    resized = H5Dset_extent(flat, more);
  }
  H5E_END_TRY
  CHECK("layout", "compression requires chunks", filtered < 0);
  CHECK("layout", "resizing requires chunks", extendible < 0 && resized < 0);
  H5Dclose(set), H5Dclose(flat), H5Sclose(space), H5Sclose(growing), H5Pclose(list), H5Fclose(file);
}

static void shapes(void) {
  const hid_t file = counted_file("shapes", 0);
  hid_t rows = create(file, "rows", 10, 10, 0, 0), columns = create(file, "columns", 10, 10, 10, 1);
  hid_t wide = create(file, "wide", 40, 40, 0, 0), tiles = create(file, "tiles", 40, 40, 20, 20), sieved;
  hid_t other;
  write_all(rows, 100), write_all(columns, 100), write_all(wide, 1600), write_all(tiles, 1600);
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  CHECK("order of elements", "a part of a row of contiguous data is one read",
        reads(rows, 10, 2, 3, 1, 5) == 1);
  CHECK("order of elements", "a part of a column of contiguous data is one read per element",
        reads(rows, 10, 3, 2, 5, 1) == 5);
  CHECK("chunk shapes", "in chunks of 10x1 a part of a column is one read",
        reads(columns, 10, 3, 2, 5, 1) == 1);
  CHECK("chunk shapes", "20x20 elements of wider contiguous data are 20 reads",
        reads(wide, 40, 20, 0, 20, 20) == 20);
  CHECK("chunk shapes", "in chunks of 20x20 they are one read", reads(tiles, 40, 20, 0, 20, 20) == 1);
  H5Dclose(rows), H5Dclose(columns), H5Dclose(wide), H5Dclose(tiles), H5Fclose(file);
  other = counted_file("sieve", H5FD_FEAT_DATA_SIEVE);
  sieved = create(other, "rows", 10, 10, 0, 0);
  write_all(sieved, 100);
  H5Fflush(other, H5F_SCOPE_GLOBAL);
  CHECK("order of elements", "with sieving, a part of a column is one larger read",
        reads(sieved, 10, 3, 2, 5, 1) == 1);
  H5Dclose(sieved), H5Fclose(other);
}

/* Example 2: a part of a column is written to chunks of 10x1. */
static void example(void) {
  const hid_t file = counted_file("example 2", 0), set = create(file, "dataset", 10, 10, 10, 1);
  const hid_t column = box(set, 3, 2, 5, 1);
  const hsize_t five = 5;
  const hid_t memory = H5Screate_simple(1, &five, NULL);
  const int buffer[5] = {1, 2, 3, 4, 5};
  hsize_t chunks = 0;
  int all[100], i, right;
  right = H5Dwrite(set, H5T_NATIVE_INT, memory, column, NONE, buffer) >= 0 &&
          H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, all) >= 0;
  for (i = 0; i < 100; ++i) right = right && all[i] == (i % 10 == 2 && i >= 30 && i < 80 ? i / 10 - 2 : 0);
  CHECK("chunk shapes", "example 2 writes five elements of one column", right);
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  CHECK("chunk shapes", "only the chunk of that column is stored",
        H5Dget_num_chunks(set, H5S_ALL, &chunks) >= 0 && chunks == 1);
  H5Sclose(column), H5Sclose(memory), H5Dclose(set), H5Fclose(file);
}

/* A dataset of 40x40 elements in tiles of 10x10, opened with a cache of its own. */
static hid_t tiles(hid_t file, size_t slots, size_t bytes, double w0) {
  const hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
  hid_t set = create(file, "tiles", 40, 40, 10, 10);
  write_all(set, 1600);
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  H5Dclose(set);
  H5Pset_chunk_cache(access, slots, bytes, w0);
  set = H5Dopen2(file, "tiles", access);
  H5Pclose(access);
  reads(set, 40, 39, 39, 1, 1); /* the metadata */
  return set;
}

static void cache(void) {
  hid_t file = counted_file("cache", 0), set = tiles(file, 521, 1 << 20, 0.75);
  CHECK("chunk cache", "a row brings the chunks that have it into the cache",
        reads(set, 40, 1, 0, 1, 40) > 0);
  CHECK("chunk cache", "another row of the same chunks is read from the cache",
        reads(set, 40, 7, 0, 1, 40) == 0);
  H5Dclose(set), H5Fclose(file);
  file = counted_file("small cache", 0), set = tiles(file, 521, 2 * 400, 0);
  reads(set, 40, 1, 0, 1, 1), reads(set, 40, 1, 10, 1, 1);
  CHECK("chunk cache", "chunks stay in the cache while it has space",
        reads(set, 40, 2, 0, 1, 1) == 0 && reads(set, 40, 2, 10, 1, 1) == 0);
  reads(set, 40, 1, 20, 1, 1);
  CHECK("chunk cache", "with w0 = 0 the least recently used chunk is evicted",
        reads(set, 40, 3, 10, 1, 1) == 0 && reads(set, 40, 3, 0, 1, 1) > 0);
  H5Dclose(set), H5Fclose(file);
  file = counted_file("w0", 0), set = tiles(file, 521, 2 * 400, 1);
  reads(set, 40, 1, 0, 1, 1), reads(set, 40, 0, 10, 10, 10), reads(set, 40, 1, 20, 1, 1);
  CHECK("chunk cache", "with w0 = 1 a chunk that was read completely is evicted first",
        reads(set, 40, 3, 0, 1, 1) == 0);
  H5Dclose(set), H5Fclose(file);
  file = counted_file("no bytes", 0), set = tiles(file, 521, 0, 0.75);
  reads(set, 40, 1, 0, 1, 1);
  CHECK("pitfalls", "a cache of no bytes is off: all reads go to the file", reads(set, 40, 1, 0, 1, 1) == 1);
  H5Dclose(set), H5Fclose(file);
  file = counted_file("no slots", 0), set = tiles(file, 0, 1 << 20, 0.75);
  reads(set, 40, 1, 0, 1, 1);
  CHECK("pitfalls", "a cache of no slots is off as well", reads(set, 40, 1, 0, 1, 1) == 1);
  H5Dclose(set), H5Fclose(file);
  file = counted_file("slots", 0), set = tiles(file, 4, 1 << 20, 0.75);
  reads(set, 40, 1, 0, 1, 1), reads(set, 40, 11, 0, 1, 1);
  CHECK("future", "chunks whose indices are equal modulo the slots are cached together",
        reads(set, 40, 2, 0, 1, 1) == 0 && reads(set, 40, 12, 0, 1, 1) == 0);
  H5Dclose(set), H5Fclose(file);
}

static int encoded, decoded;

static size_t count_filter(unsigned flags, size_t n, const unsigned parameters[], size_t bytes, size_t* size,
                           void** buffer) {
  (void)n, (void)parameters, (void)size, (void)buffer;
  ++*((flags & H5Z_FLAG_REVERSE) != 0 ? &decoded : &encoded);
  return bytes;
}

static int filter_calls(const char* name, size_t cache_bytes) {
  const H5Z_class2_t cls = {H5Z_CLASS_T_VERS, 300, 1, 1, "counts", NULL, NULL, count_filter};
  const hsize_t dims[2] = {10, 10};
  const hid_t file = counted_file(name, 0), space = H5Screate_simple(2, dims, NULL);
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE), access = H5Pcreate(H5P_DATASET_ACCESS);
  hid_t set;
  hsize_t i;
  H5Zregister(&cls);
  H5Pset_chunk(list, 2, dims);
  H5Pset_filter(list, 300, 0, 0, NULL);
  H5Pset_chunk_cache(access, 521, cache_bytes, 0.75);
  set = H5Dcreate2(file, "set", H5T_NATIVE_INT, space, NONE, list, access);
  encoded = decoded = 0;
  for (i = 0; i < 10; ++i) {
    const hid_t row = box(set, i, 0, 1, 10);
    H5Dwrite(set, H5T_NATIVE_INT, row, row, NONE, values);
    H5Sclose(row);
  }
  H5Dclose(set), H5Pclose(list), H5Pclose(access), H5Sclose(space), H5Fclose(file);
  return encoded + decoded;
}

static size_t file_size(const char* name, hsize_t high, hsize_t wide) {
  const hid_t file = counted_file(name, 0), set = create(file, "set", 60, 60, high, wide);
  write_all(set, 3600);
  H5Dclose(set), H5Fclose(file);
  return memory_find(name)->size;
}

static void filters_and_sizes(void) {
  const int with = filter_calls("filtered", 1 << 20), without = filter_calls("filtered 2", 0);
  memory_del("filtered", NONE), memory_del("filtered 2", NONE);
  CHECK("filters", "a cached chunk is filtered once for many small writes", with == 1);
  CHECK("filters", "without a cache the whole chunk is filtered for each of them", without >= 19);
  CHECK("small chunks", "more and smaller chunks need a larger file for their index",
        file_size("small", 2, 2) > file_size("large", 30, 30) + 10000);
}

static void plans(void) {
  const hsize_t dims[2] = {6, 6}, most[2] = {H5S_UNLIMITED, 6}, chunk[2] = {4, 4};
  const hid_t fapl = H5Pcreate(H5P_FILE_ACCESS), list = H5Pcreate(H5P_DATASET_CREATE),
              space = H5Screate_simple(2, dims, most);
  hid_t file, set;
  unsigned options = 0, mask = 9;
  hsize_t offset[2], size = 0;
  haddr_t address;
  H5Pset_libver_bounds(fapl, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  file = H5Fcreate("plans.h5", H5F_ACC_TRUNC, NONE, fapl);
  H5Pset_chunk(list, 2, chunk);
  H5Pset_shuffle(list), H5Pset_deflate(list, 6);
  CHECK("future", "filters can be disabled for chunks over the edge of a dataset",
        H5Pset_chunk_opts(list, H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS) >= 0 &&
            H5Pget_chunk_opts(list, &options) >= 0 && options == H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS);
  set = H5Dcreate2(file, "set", H5T_NATIVE_INT, space, NONE, list, NONE);
  memset(values, 0, sizeof values);
  H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values);
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  CHECK("future", "then they are stored with the size of a whole chunk",
        H5Dget_chunk_info(set, H5S_ALL, 3, offset, &mask, &address, &size) >= 0 && size == 64 &&
            H5Dget_chunk_info(set, H5S_ALL, 0, offset, &mask, &address, &size) >= 0 && size < 64);
  CHECK("future", "one process can write while others read", H5Fstart_swmr_write(file) >= 0);
  H5Dclose(set), H5Fclose(file), H5Sclose(space), H5Pclose(list), H5Pclose(fapl);
}

int main(void) {
  layout();
  shapes();
  memory_del("layout", NONE), memory_del("shapes", NONE), memory_del("sieve", NONE);
  example();
  memory_del("example 2", NONE);
  cache();
  memory_del("cache", NONE), memory_del("small cache", NONE), memory_del("w0", NONE),
      memory_del("no bytes", NONE);
  memory_del("no slots", NONE), memory_del("slots", NONE);
  filters_and_sizes();
  plans();
  return check_summary();
}
