/* SPDX-License-Identifier: Apache-2.0
 *
 * Datasets and files are converted to the format of HDF5 1.8. HDF5 1.10.8 loses elements where the index is a
 * version 2 B-tree or an extensible array along another dimension than the first: see format_convert_edges.c.
 */
#include "show.h"

enum { most = 40 * 30 };

typedef struct {
  const char* name;
  hsize_t dims[2], most[2], chunk[2];
  int early, filtered, written;
} Case;

static const hsize_t all = H5S_UNLIMITED;

static int number(hsize_t row, hsize_t column) { return (int)(1000 * row + column); }

static hid_t creation(const Case* c) {
  hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(dcpl, 2, c->chunk);
  if (c->early) H5Pset_alloc_time(dcpl, H5D_ALLOC_TIME_EARLY);
  if (c->filtered) H5Pset_shuffle(dcpl);
  if (c->filtered) H5Pset_fletcher32(dcpl);
  return dcpl;
}

/* Writes the first `rows` rows. */
static void fill(hid_t dataset, const hsize_t dims[2], hsize_t rows) {
  static int values[most * 4];
  const hsize_t start[2] = {0, 0};
  hsize_t count[2], r, c;
  hid_t memory, space = H5Dget_space(dataset);
  count[0] = rows;
  count[1] = dims[1];
  for (r = 0; r < rows; ++r)
    for (c = 0; c < dims[1]; ++c) values[r * dims[1] + c] = number(r, c);
  memory = H5Screate_simple(2, count, NULL);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
  CALL(H5Dwrite(dataset, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, values));
  H5Sclose(memory);
  H5Sclose(space);
}

/* HDF5 reports the former index until the file is opened again. */
static void show(hid_t dataset, int converted) {
  static int values[most * 4];
  hsize_t dims[2], chunks = 0, i;
  long long sum = 0;
  H5D_chunk_index_t index = H5D_CHUNK_IDX_NTYPES;
  hid_t space = H5Dget_space(dataset);
  H5Sget_simple_extent_dims(space, dims, NULL);
  CALL(H5Dget_chunk_index_type(dataset, &index));
  if (!converted) printf("index %d\n", (int)index);
  CALL(H5Dget_num_chunks(dataset, space, &chunks));
  CALL(H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  for (i = 0; i < dims[0] * dims[1]; ++i) sum += values[i] * (long long)(i % 7 + 1);
  printf("%d chunks, sum %lld\n", (int)chunks, sum);
  H5Sclose(space);
}

static void show_attribute(hid_t dataset) {
  int value = 0;
  hid_t attribute = H5Aopen(dataset, "kept", H5P_DEFAULT);
  H5Aread(attribute, H5T_NATIVE_INT, &value);
  VALUE(value);
  H5Aclose(attribute);
}

static void one(hid_t file, const Case* c) {
  const int kept = 77;
  hid_t space = H5Screate_simple(2, c->dims, c->most), dcpl = creation(c), scalar = H5Screate(H5S_SCALAR);
  hid_t dataset = H5Dcreate2(file, c->name, H5T_STD_I32BE, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
  hid_t attribute = H5Acreate2(dataset, "kept", H5T_NATIVE_INT, scalar, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(attribute, H5T_NATIVE_INT, &kept);
  H5Aclose(attribute);
  printf("-- %s\n", c->name);
  if (c->written) fill(dataset, c->dims, c->written > (int)c->dims[0] ? c->dims[0] : (hsize_t)c->written);
  show(dataset, 0);
  CALL(H5Dformat_convert(dataset));
  show(dataset, 1);
  show_attribute(dataset);
  CALL(H5Dformat_convert(dataset));
  H5Dclose(dataset);
  H5Sclose(space);
  H5Sclose(scalar);
  H5Pclose(dcpl);
}

static const Case cases[] = {
    {"single", {12, 10}, {12, 10}, {12, 10}, 0, 0, 12},
    {"single filtered", {12, 10}, {12, 10}, {12, 10}, 0, 1, 12},
    {"single empty", {12, 10}, {12, 10}, {12, 10}, 0, 1, 0},
    {"implicit", {13, 11}, {13, 11}, {4, 5}, 1, 0, 13},
    {"implicit that may grow", {13, 11}, {30, 22}, {4, 5}, 1, 0, 13},
    {"implicit empty", {13, 11}, {13, 11}, {4, 5}, 1, 0, 0},
    {"fixed", {13, 11}, {13, 11}, {4, 5}, 0, 0, 13},
    {"fixed filtered", {13, 11}, {13, 11}, {4, 5}, 0, 1, 13},
    {"fixed partly", {13, 11}, {20, 20}, {4, 5}, 0, 1, 5},
    {"fixed empty", {13, 11}, {13, 11}, {4, 5}, 0, 0, 0},
    {"fixed pages", {40, 30}, {40, 30}, {1, 1}, 0, 0, 40},
    {"extensible", {13, 11}, {H5S_UNLIMITED, 11}, {4, 5}, 0, 0, 13},
    {"extensible filtered", {40, 30}, {H5S_UNLIMITED, 30}, {1, 3}, 0, 1, 40},
    {"extensible empty", {13, 11}, {H5S_UNLIMITED, 11}, {4, 5}, 0, 1, 0},
    {"tree empty", {13, 11}, {H5S_UNLIMITED, H5S_UNLIMITED}, {4, 5}, 0, 1, 0},
};

enum { case_count = sizeof cases / sizeof *cases };

static void others(hid_t file) {
  const hsize_t dims[1] = {4};
  const int values[4] = {5, 6, 7, 8};
  int back[4] = {0, 0, 0, 0};
  H5D_chunk_index_t index;
  H5D_layout_t layouts[2] = {H5D_COMPACT, H5D_CONTIGUOUS};
  const char* names[2] = {"compact", "contiguous"};
  hid_t space = H5Screate_simple(1, dims, NULL), dcpl, dataset;
  int i;
  for (i = 0; i < 2; ++i) {
    dcpl = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_layout(dcpl, layouts[i]);
    dataset = H5Dcreate2(file, names[i], H5T_STD_I32LE, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
    H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    CALL(H5Dget_chunk_index_type(dataset, &index));
    CALL(H5Dformat_convert(dataset));
    CALL(H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, back));
    printf("%d %d %d %d\n", back[0], back[1], back[2], back[3]);
    H5Dclose(dataset);
    H5Pclose(dcpl);
  }
  dcpl = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_virtual(dcpl, space, ".", "contiguous", space);
  dataset = H5Dcreate2(file, "virtual", H5T_STD_I32LE, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
  CALL(H5Dformat_convert(dataset));
  CALL(H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, back));
  printf("%d %d %d %d\n", back[0], back[1], back[2], back[3]);
  H5Dclose(dataset);
  H5Pclose(dcpl);
  H5Sclose(space);
}

static void bad_arguments(hid_t file) {
  H5D_chunk_index_t index;
  hid_t group = H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  hid_t dataset = H5Dopen2(file, "fixed", H5P_DEFAULT), read_only;
  puts("-- bad arguments");
  CALL(H5Dget_chunk_index_type(file, &index));
  CALL(H5Dformat_convert(file));
  CALL(H5Dformat_convert(-1));
  CALL(H5Fformat_convert(group));
  CALL(H5Fformat_convert(-1));
  H5Gclose(group);
  H5Dclose(dataset);
}

static void show_file(hid_t file) {
  H5F_info2_t info;
  H5F_fspace_strategy_t strategy;
  hbool_t persist;
  hsize_t threshold, page;
  hid_t fcpl = H5Fget_create_plist(file);
  H5Fget_info2(file, &info);
  H5Pget_file_space_strategy(fcpl, &strategy, &persist, &threshold);
  H5Pget_file_space_page_size(fcpl, &page);
  printf("superblock %u, strategy %d, persist %d, threshold %d, page %d\n", info.super.version, (int)strategy,
         (int)persist, (int)threshold, (int)page);
  H5Pclose(fcpl);
}

/* A file is opened again and extended after its conversion. */
static void extend(const char* name) {
  const hsize_t larger[2] = {17, 11};
  hid_t file = H5Fopen(name, H5F_ACC_RDWR, H5P_DEFAULT);
  int i;
  show_file(file);
  for (i = 0; i < case_count; ++i) {
    hid_t dataset = H5Dopen2(file, cases[i].name, H5P_DEFAULT);
    printf("-- %s again\n", cases[i].name);
    show(dataset, 0);
    if (cases[i].most[0] == all && cases[i].dims[0] < larger[0]) {
      CALL(H5Dset_extent(dataset, larger));
      fill(dataset, larger, larger[0]);
      show(dataset, 0);
    }
    H5Dclose(dataset);
  }
  H5Fclose(file);
}

static void make(const char* name, H5F_libver_t low, hid_t fcpl) {
  hid_t fapl = H5Pcreate(H5P_FILE_ACCESS), file;
  int i;
  printf("---- %s\n", name);
  H5Pset_libver_bounds(fapl, low, H5F_LIBVER_LATEST);
  file = H5Fcreate(name, H5F_ACC_TRUNC, fcpl, fapl);
  show_file(file);
  for (i = 0; i < case_count; ++i) one(file, &cases[i]);
  others(file);
  bad_arguments(file);
  CALL(H5Fformat_convert(file));
  CALL(H5Fformat_convert(file));
  CALL(H5Fclose(file));
  H5Pclose(fapl);
  extend(name);
}

/* A reopened file, closed with the old index; then converted. */
static void reopened(void) {
  hid_t fapl = H5Pcreate(H5P_FILE_ACCESS), file, dataset, space, dcpl;
  int i;
  puts("---- reopened.h5");
  H5Pset_libver_bounds(fapl, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  file = H5Fcreate("reopened.h5", H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
  for (i = 0; i < case_count; ++i) {
    space = H5Screate_simple(2, cases[i].dims, cases[i].most);
    dcpl = creation(&cases[i]);
    dataset = H5Dcreate2(file, cases[i].name, H5T_STD_I32BE, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
    if (cases[i].written) fill(dataset, cases[i].dims, cases[i].dims[0]);
    H5Dclose(dataset);
    H5Sclose(space);
    H5Pclose(dcpl);
  }
  H5Fclose(file);
  file = H5Fopen("reopened.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  dataset = H5Dopen2(file, "implicit", H5P_DEFAULT);
  show(dataset, 0);
  H5Dclose(dataset);
  H5Fclose(file);
  file = H5Fopen("reopened.h5", H5F_ACC_RDWR, H5P_DEFAULT);
  for (i = 0; i < case_count; ++i) {
    printf("-- %s\n", cases[i].name);
    dataset = H5Dopen2(file, cases[i].name, H5P_DEFAULT);
    show(dataset, 0);
    CALL(H5Dformat_convert(dataset));
    show(dataset, 1);
    H5Dclose(dataset);
  }
  CALL(H5Fformat_convert(file));
  CALL(H5Fclose(file));
  H5Pclose(fapl);
  extend("reopened.h5");
}

int main(void) {
  hid_t fcpl = H5Pcreate(H5P_FILE_CREATE);
  quiet();
  make("old.h5", H5F_LIBVER_EARLIEST, H5P_DEFAULT);
  make("middle.h5", H5F_LIBVER_V18, H5P_DEFAULT);
  make("new.h5", H5F_LIBVER_LATEST, H5P_DEFAULT);
  H5Pset_file_space_strategy(fcpl, H5F_FSPACE_STRATEGY_FSM_AGGR, 1, 1);
  make("persistent.h5", H5F_LIBVER_LATEST, fcpl);
  H5Pset_file_space_strategy(fcpl, H5F_FSPACE_STRATEGY_PAGE, 1, 1);
  make("paged.h5", H5F_LIBVER_LATEST, fcpl);
  reopened();
  return 0;
}
