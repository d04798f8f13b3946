/* SPDX-License-Identifier: Apache-2.0
 *
 * Encoded creation property lists of structured chunks. HDF5 has neither. */
#include "show.h"

enum { capacity = 1 << 17 };

static unsigned char bytes[4096];

static size_t encoded(hid_t list) {
  size_t count = 0;
  H5Pencode1(list, NULL, &count);
  if (count > sizeof bytes) abort();
  H5Pencode1(list, bytes, &count);
  return count;
}

static void show(hid_t list) {
  hsize_t dims[4] = {0, 0, 0, 0};
  unsigned flag = 99, density = 99, options = 99, i;
  int section, n = 0, rank;
  printf("layout %d", (int)H5Pget_layout(list));
  H5E_BEGIN_TRY {
    rank = H5Pget_struct_chunk(list, 4, dims, &flag);
    if (rank < 0) rank = H5Pget_chunk(list, 4, dims);
    H5Pget_density(list, &density);
    H5Pget_chunk_opts(list, &options);
  }
  H5E_END_TRY
  for (i = 0; rank > 0 && i < (unsigned)rank; ++i) printf(" %llu", (unsigned long long)dims[i]);
  printf(", kind %u, density %u, options %u\n", flag, density, options);
  for (section = 0; section < 3; ++section) {
    H5Pget_nfilter2(list, (uint64_t)section, &n);
    for (i = 0; i < (unsigned)n; ++i) {
      uint64_t flags = 99;
      unsigned values[4] = {0, 0, 0, 0};
      size_t count = sizeof values;
      H5Z_filter_t id = H5Pget_filter3(list, (uint64_t)section, i, &flags, &count, values, 0, NULL, NULL);
      printf("  section %d: filter %d, flags %d, %d bytes, first %u\n", section, (int)id, (int)flags,
             (int)count, values[0]);
    }
  }
}

static void feed(const unsigned char* from, long* decoded, long* refused) {
  size_t bytes_needed = 0;
  hid_t id = H5Pdecode(from);
  if (id < 0) {
    ++*refused;
    return;
  }
  ++*decoded;
  H5Pencode1(id, NULL, &bytes_needed);
  H5Pclose(id);
}

/* Truncated and changed bytes are refused, or they are another list. */
static void damage(size_t count) {
  static unsigned char kept[4096];
  const unsigned char fills[] = {0x00, 0xff, 0x41};
  unsigned char* buffer = (unsigned char*)malloc(capacity);
  long decoded = 0, refused = 0;
  size_t i, f;
  memcpy(kept, bytes, count);
  for (f = 0; f < sizeof fills; ++f) {
    for (i = 0; i < count; ++i) {
      memset(buffer, fills[f], capacity);
      memcpy(buffer, kept, i);
      feed(buffer, &decoded, &refused);
    }
  }
  memset(buffer, 0, capacity);
  for (i = 0; i < 8 * count; ++i) {
    memcpy(buffer, kept, count);
    buffer[i / 8] ^= (unsigned char)(1u << i % 8);
    feed(buffer, &decoded, &refused);
  }
  printf("damaged: %s, %s\n", refused > 0 ? "some are refused" : "none is refused",
         decoded + refused == (long)(11 * count) ? "all are decoded or refused" : "some are neither");
  memcpy(buffer, kept, count);
  decoded = refused = 0;
  feed(buffer, &decoded, &refused);
  VALUE((int)decoded);
  free(buffer);
}

static void turn(const char* what, hid_t list) {
  size_t count, again;
  hid_t back;
  printf("-- %s\n", what);
  CALL(H5Pencode1(list, NULL, &count));
  count = encoded(list);
  back = H5Pdecode(bytes);
  CALL(H5Pequal(list, back));
  show(list);
  show(back);
  again = encoded(back);
  VALUE(again == count);
  damage(count);
  H5Pclose(back);
  H5Pclose(list);
}

static hid_t structured(unsigned kind) {
  const hsize_t dims[2] = {10, 20};
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_struct_chunk(list, 2, dims, kind);
  return list;
}

static void filters(hid_t list) {
  unsigned level = 5, values[3] = {7, 8, 9};
  H5Pset_shuffle(list);
  CALL(H5Pset_filter2(list, H5Z_FLAG_SPARSE_SELECTION, H5Z_FILTER_DEFLATE, H5Z_FLAG_OPTIONAL, sizeof level,
                      &level));
  CALL(H5Pset_filter2(list, H5Z_FLAG_SPARSE_VL_DATA, H5Z_FILTER_DEFLATE, H5Z_FLAG_MANDATORY, sizeof level,
                      &level));
  CALL(H5Pset_filter2(list, H5Z_FLAG_SPARSE_VL_DATA, H5Z_FILTER_SHUFFLE, H5Z_FLAG_OPTIONAL, sizeof values,
                      values));
}

/* A decoded list creates a dataset like the original. */
static void use(hid_t list) {
  const hsize_t dims[2] = {30, 40};
  const int fill = 3;
  hid_t file = H5Fcreate("use.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
        space = H5Screate_simple(2, dims, NULL);
  hid_t dataset, back, found;
  H5Pset_fill_value(list, H5T_NATIVE_INT, &fill);
  encoded(list);
  back = H5Pdecode(bytes);
  puts("-- used");
  dataset = H5Dcreate2(file, "x", H5T_STD_I32LE, space, H5P_DEFAULT, back, H5P_DEFAULT);
  found = H5Dget_create_plist(dataset);
  show(found);
  CALL(H5Pequal(found, back));
  encoded(found);
  back = H5Pdecode(bytes);
  CALL(H5Pequal(found, back));
  H5Dclose(dataset);
  H5Fclose(file);
}

int main(void) {
  const hsize_t dims[1] = {1000};
  hid_t list;
  quiet();
  turn("sparse", structured(H5D_SPARSE_CHUNK));
  turn("variable length", structured(H5D_VL_CHUNK));
  list = structured(H5D_SPARSE_CHUNK | H5D_VL_CHUNK);
  filters(list);
  turn("both, with filters", list);
  list = structured(H5D_SPARSE_CHUNK);
  CALL(H5Pset_chunk_opts(list, H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS));
  turn("unfiltered edges", list);
  list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(list, 1, dims);
  H5Pset_density(list, H5D_DENSITY_SPARSE);
  turn("density", list);
  list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(list, 1, dims);
  H5Pset_deflate(list, 3);
  turn("chunks", list);
  list = structured(H5D_SPARSE_CHUNK);
  H5Pset_deflate(list, 3);
  use(list);
  return 0;
}
