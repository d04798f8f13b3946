/* SPDX-License-Identifier: Apache-2.0
 *
 * RFC "Direct Chunk Write" (2013). Chunks are encoded here, outside of the library: shuffled, or as a zlib
 * stream whose blocks are stored without compression. */
#include <hdf5.h>
#include <hdf5_hl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

#define NONE H5P_DEFAULT
#define N 8
#define C 4
#define CHUNK (C * C * sizeof(int))

static hid_t create(hid_t file, const char* name, const hsize_t dims[2], int shuffle, int deflate) {
  const hsize_t chunk[2] = {C, C}, most[2] = {H5S_UNLIMITED, H5S_UNLIMITED};
  const hid_t space = H5Screate_simple(2, dims, most), list = H5Pcreate(H5P_DATASET_CREATE);
  hid_t set;
  H5Pset_chunk(list, 2, chunk);
  if (shuffle) H5Pset_shuffle(list);
  if (deflate) H5Pset_deflate(list, 9);
  set = H5Dcreate2(file, name, H5T_STD_I32LE, space, NONE, list, NONE);
  H5Pclose(list), H5Sclose(space);
  return set;
}

/* A zlib stream of one stored block. Returns its size. */
static size_t zlib_stream(const void* bytes, size_t count, unsigned char* into) {
  const unsigned char* from = (const unsigned char*)bytes;
  unsigned a = 1, b = 0;
  size_t i;
  into[0] = 0x78, into[1] = 0x01, into[2] = 0x01;
  into[3] = (unsigned char)count, into[4] = (unsigned char)(count >> 8);
  into[5] = (unsigned char)~into[3], into[6] = (unsigned char)~into[4];
  memcpy(into + 7, from, count);
  for (i = 0; i < count; ++i) a = (a + from[i]) % 65521, b = (b + a) % 65521;
  into[count + 7] = (unsigned char)(b >> 8), into[count + 8] = (unsigned char)b;
  into[count + 9] = (unsigned char)(a >> 8), into[count + 10] = (unsigned char)a;
  return count + 11;
}

static void shuffled(const int* values, unsigned char* into) {
  size_t i, j;
  for (i = 0; i < C * C; ++i)
    for (j = 0; j < sizeof(int); ++j)
      into[j * C * C + i] = ((const unsigned char*)values)[i * sizeof(int) + j];
}

static void fill(int* values, int first) {
  int i;
  for (i = 0; i < C * C; ++i) values[i] = first + i;
}

/* The first element of the chunk at a position, as the dataset reads. */
static int element(hid_t set, hsize_t row, hsize_t column) {
  const hsize_t one[2] = {1, 1}, start[2] = {row, column};
  const hid_t space = H5Dget_space(set), memory = H5Screate(H5S_SCALAR);
  int value = -1;
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, one, NULL);
  if (H5Dread(set, H5T_NATIVE_INT, memory, space, NONE, &value) < 0) value = -2;
  H5Sclose(space), H5Sclose(memory);
  return value;
}

static void functionality(hid_t file) {
  const hsize_t dims[2] = {N, N}, at[2] = {4, 4}, other[2] = {0, 4};
  const hid_t set = create(file, "functionality", dims, 1, 1);
  int values[C * C];
  unsigned char plain[CHUNK], stream[CHUNK + 16], before[CHUNK + 16];
  size_t bytes;
  unsigned mask = 99;
  hsize_t stored = 0, offset[2];
  haddr_t address = HADDR_UNDEF;
  fill(values, 100);
  shuffled(values, plain);
  bytes = zlib_stream(plain, CHUNK, stream);
  memcpy(before, stream, sizeof before);
  CHECK("3.1", "a chunk that the application has filtered is accepted from memory",
        H5DOwrite_chunk(set, NONE, 0, at, bytes, stream) >= 0);
  CHECK("3.1", "the offset says where the chunk is in the dataset",
        element(set, 4, 4) == 100 && element(set, 7, 7) == 115 && element(set, 0, 0) == 0);
  CHECK("3.1", "a filter mask of 0 means that reading skips no filter", element(set, 5, 6) == 106);
  CHECK("3.1", "bits of the mask say which filters reading skips",
        H5DOwrite_chunk(set, NONE, 0x2, other, CHUNK, plain) >= 0 && element(set, 1, 5) == 105);
  H5Dget_chunk_info(set, H5S_ALL, 1, offset, &mask, &address, &stored);
  CHECK("3.1", "mask, size and position are stored with the chunk",
        mask == 0 && stored == bytes && offset[0] == 4 && offset[1] == 4 && address != HADDR_UNDEF);
  CHECK("3.2", "the application's buffer is not modified", memcmp(before, stream, bytes) == 0);
  memset(stream, 0, sizeof stream);
  CHECK("3.2", "the application may reuse its buffer after the call", element(set, 4, 4) == 100);
  mask = 99;
  CHECK("3.2", "the stored bytes are those of the buffer",
        H5Dread_chunk(set, NONE, at, &mask, stream) >= 0 && memcmp(stream, before, bytes) == 0 && mask == 0);
  H5Dclose(set);
}

static void sizes(hid_t file) {
  const hsize_t dims[2] = {N, N}, at[2] = {0, 0};
  const hid_t set = create(file, "sizes", dims, 0, 1);
  unsigned char bytes[300], back[300];
  unsigned mask;
  size_t size;
  int all = 1, values[C * C];
  herr_t none;
  memset(bytes, 7, sizeof bytes);
  for (size = 1; size <= sizeof bytes; size += 13) {
    hsize_t stored = 0;
    all = all && H5DOwrite_chunk(set, NONE, 0, at, size, bytes) >= 0 &&
          H5Dget_chunk_storage_size(set, at, &stored) >= 0 && stored == size &&
          H5Dread_chunk(set, NONE, at, &mask, back) >= 0 && memcmp(bytes, back, size) == 0;
  }
  CHECK("3.2", "data of any size are accepted, smaller or larger than a chunk", all);
  CHECK("3.2", "the data are not checked: these are no zlib stream", all);
  H5E_BEGIN_TRY { none = H5DOwrite_chunk(set, NONE, 0, at, 0, bytes); }
  H5E_END_TRY
  CHECK("3.2", "a size of zero is refused", none < 0);
  fill(values, 0);
  size = zlib_stream(values, CHUNK, bytes);
  CHECK("3.2", "existing chunks are overwritten, also by chunks of another size",
        H5DOwrite_chunk(set, NONE, 0, at, size, bytes) >= 0 && element(set, 3, 3) == 15);
  H5Dclose(set);
}

static void edges(hid_t file) {
  const hsize_t dims[2] = {6, 7}, at[2] = {4, 4}, outside[2] = {8, 0}, between[2] = {2, 0};
  const hid_t set = create(file, "edges", dims, 0, 0);
  int values[C * C];
  herr_t far, inside;
  fill(values, 50);
  CHECK("3.2", "a partial chunk at the edge of the dataset is written",
        H5DOwrite_chunk(set, NONE, 0, at, CHUNK, values) >= 0 && element(set, 5, 6) == 56);
  H5E_BEGIN_TRY {
    far = H5DOwrite_chunk(set, NONE, 0, outside, CHUNK, values);
    inside = H5DOwrite_chunk(set, NONE, 0, between, CHUNK, values);
  }
  H5E_END_TRY
  CHECK("appendix B", "an offset beyond the dimensions is refused", far < 0);
  CHECK("appendix B", "an offset that is no boundary of chunks is refused", inside < 0);
  H5Dclose(set);
}

/* Steps of the implementation in section 4.1. */
static void steps(hid_t file) {
  const hsize_t dims[2] = {N, N}, at[2] = {0, 0}, one[2] = {1, 1}, start[2] = {2, 2};
  const hid_t set = create(file, "steps", dims, 0, 0), space = H5Dget_space(set),
              memory = H5Screate(H5S_SCALAR);
  int values[C * C], dirty = 999;
  hsize_t count = 99;
  haddr_t first = 1, second = 2;
  CHECK("4.1, step 1", "the dataset has no storage before", H5Dget_storage_size(set) == 0);
  fill(values, 10);
  CHECK("4.1, step 1", "the first direct write initialises the storage",
        H5DOwrite_chunk(set, NONE, 0, at, CHUNK, values) >= 0 &&
            H5Dget_num_chunks(set, H5S_ALL, &count) >= 0 && count == 1 && H5Dget_storage_size(set) == CHUNK);
  H5Dget_chunk_info_by_coord(set, at, NULL, &first, NULL);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, one, NULL);
  H5Dwrite(set, H5T_NATIVE_INT, memory, space, NONE, &dirty);
  fill(values, 20);
  CHECK("4.1, step 5", "a cached chunk is dropped and not written",
        H5DOwrite_chunk(set, NONE, 0, at, CHUNK, values) >= 0 && element(set, 2, 2) == 30);
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  CHECK("4.1, step 5", "it does not come back with a flush", element(set, 2, 2) == 30);
  H5Dget_chunk_info_by_coord(set, at, NULL, &second, NULL);
  CHECK("4.1, step 4", "a chunk of the same size keeps its place", first == second && first != HADDR_UNDEF);
  H5Sclose(space), H5Sclose(memory);
  H5Dclose(set);
}

/* Sections 4.2 and 5: the function has the checks of other public functions. */
static void protection(hid_t file) {
  const hsize_t dims[2] = {N, N}, at[2] = {0, 0};
  const hid_t set = create(file, "protection", dims, 0, 0), space = H5Screate_simple(2, dims, NULL);
  const hid_t flat = H5Dcreate2(file, "contiguous", H5T_STD_I32LE, space, NONE, NONE, NONE);
  const hid_t big = H5Dcreate2(file, "dummy", H5T_STD_I32BE, space, NONE, NONE, NONE);
  int values[C * C];
  herr_t contiguous, no_set, no_list, no_offset, no_buffer;
  fill(values, 0);
  H5E_BEGIN_TRY {
    contiguous = H5DOwrite_chunk(flat, NONE, 0, at, CHUNK, values);
    no_set = H5DOwrite_chunk(file, NONE, 0, at, CHUNK, values);
    no_list = H5DOwrite_chunk(set, space, 0, at, CHUNK, values);
    no_offset = H5DOwrite_chunk(set, NONE, 0, NULL, CHUNK, values);
    no_buffer = H5DOwrite_chunk(set, NONE, 0, at, CHUNK, NULL);
  }
  H5E_END_TRY
  CHECK("5", "a dataset that is not chunked is refused", contiguous < 0);
  CHECK("5", "an id that is no dataset is refused", no_set < 0);
  CHECK("5", "an id that is no transfer property list is refused", no_list < 0);
  CHECK("5", "an offset is required", no_offset < 0);
  CHECK("5", "a buffer is required", no_buffer < 0);
  CHECK("4.1", "H5Dwrite_chunk is the same function in the library itself",
        H5Dwrite_chunk(set, NONE, 0, at, CHUNK, values) >= 0 && element(set, 3, 3) == 15);
  H5Dclose(set), H5Dclose(flat), H5Dclose(big), H5Sclose(space);
}

/* The direct write knows nothing of byte orders, selections and filters. */
static void bypasses(hid_t file) {
  const hsize_t dims[2] = {C, C}, at[2] = {0, 0};
  const hid_t space = H5Screate_simple(2, dims, NULL), list = H5Pcreate(H5P_DATASET_CREATE);
  hid_t set;
  int values[C * C];
  H5Pset_chunk(list, 2, dims);
  set = H5Dcreate2(file, "order", H5T_STD_I32BE, space, NONE, list, NONE);
  fill(values, 1);
  CHECK("5", "the data are not converted: little-endian bytes in a big-endian dataset",
        H5DOwrite_chunk(set, NONE, 0, at, CHUNK, values) >= 0 && element(set, 0, 0) == 0x01000000);
  H5Dclose(set);
  H5Pclose(list), H5Sclose(space);
}

/* The example of appendix B: all chunks, then the first one without compression. */
static void example(hid_t file) {
  const hsize_t dims[2] = {N, N};
  const hid_t set = create(file, "example", dims, 0, 1);
  int values[C * C], right = 1;
  long all[N][N];
  unsigned char stream[CHUNK + 16];
  size_t bytes;
  hsize_t at[2], i, j;
  fill(values, 0);
  bytes = zlib_stream(values, CHUNK, stream);
  for (at[0] = 0; at[0] < N; at[0] += C)
    for (at[1] = 0; at[1] < N; at[1] += C)
      right = right && H5DOwrite_chunk(set, NONE, 0, at, bytes, stream) >= 0;
  at[0] = at[1] = 0;
  right = right && H5DOwrite_chunk(set, NONE, 0x1, at, CHUNK, values) >= 0;
  CHECK("appendix B", "the example writes every chunk, and one of them once more without its filter", right);
  right = H5Dread(set, H5T_NATIVE_LONG, H5S_ALL, H5S_ALL, NONE, all) >= 0;
  for (i = 0; i < N; ++i)
    for (j = 0; j < N; ++j) right = right && all[i][j] == (long)(i % C * C + j % C);
  CHECK("appendix B", "all elements are read back as long integers", right);
  H5Dclose(set);
}

int main(void) {
  const hid_t file = H5Fcreate("direct_chunk_write.h5", H5F_ACC_TRUNC, NONE, NONE);
  functionality(file);
  sizes(file);
  edges(file);
  steps(file);
  protection(file);
  bypasses(file);
  example(file);
  CHECK("3.1", "the file is closed without errors", H5Fclose(file) >= 0);
  return check_summary();
}
