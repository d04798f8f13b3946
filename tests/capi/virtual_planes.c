/* SPDX-License-Identifier: Apache-2.0
 *
 * Virtual datasets of two dimensions: mosaics, interleaved columns, growth in the second dimension, sources
 * of other ranks and behind links, and types other than numbers. */
#include "virtual.h"

static hid_t plane(hsize_t rows, hsize_t columns) {
  const hsize_t dims[2] = {rows, columns};
  return H5Screate_simple(2, dims, NULL);
}

static hid_t plane_up_to(hsize_t rows, hsize_t columns, hsize_t most_rows, hsize_t most_columns) {
  const hsize_t dims[2] = {rows, columns}, most[2] = {most_rows, most_columns};
  return H5Screate_simple(2, dims, most);
}

/* Blocks in a plane. */
static hid_t blocks(hid_t space, hsize_t row, hsize_t column, hsize_t row_stride, hsize_t column_stride,
                    hsize_t row_count, hsize_t column_count, hsize_t height, hsize_t width) {
  const hsize_t start[2] = {row, column}, stride[2] = {row_stride, column_stride},
                count[2] = {row_count, column_count}, block[2] = {height, width};
  if (H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, block) < 0) printf("no selection\n");
  return space;
}

/* A dataset of planes; its chunks are of 2 x 2. */
static hid_t new_plane(hid_t file, const char* name, hid_t space, int first) {
  const hsize_t chunk[2] = {2, 2};
  int values[200], i;
  hid_t list = H5Pcreate(H5P_DATASET_CREATE), set;
  for (i = 0; i < 200; ++i) values[i] = first + i;
  H5Pset_chunk(list, 2, chunk);
  set = H5Dcreate2(file, name, H5T_STD_I16BE, space, NONE, list, NONE);
  H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values);
  H5Pclose(list);
  return set;
}

static void show_plane(const char* what, hid_t set) {
  hsize_t dims[2] = {0, 0}, most[2] = {0, 0}, i, j;
  int values[400];
  hid_t space = H5Dget_space(set);
  herr_t result;
  H5Sget_simple_extent_dims(space, dims, most);
  result = H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values);
  printf("%s: %lld x %lld of %lld x %lld, read %d\n", what, (long long)dims[0], (long long)dims[1],
         (long long)most[0], (long long)most[1], (int)result);
  for (i = 0; i < dims[0] && result >= 0; ++i) {
    for (j = 0; j < dims[1]; ++j) printf(" %3d", values[i * dims[1] + j]);
    printf("\n");
  }
  H5Sclose(space);
}

static void create_plane(hid_t file, const char* name, hid_t space, hid_t list) {
  hid_t set = H5Dcreate2(file, name, H5T_STD_I32LE, space, NONE, list, NONE);
  show_result(name, set < 0 ? -1 : 0);
  if (set >= 0) {
    show_plane(name, set);
    H5Dclose(set);
  }
  H5Pclose(list);
}

/* Four neighbouring sources, one of which is missing; then parts of them. */
static void mosaic(hid_t file) {
  hid_t list, set, wanted;
  int values[12], i;
  puts("-- mosaic");
  H5Dclose(new_plane(file, "nw", plane(3, 4), 100));
  H5Dclose(new_plane(file, "ne", plane(3, 2), 200));
  H5Dclose(new_plane(file, "sw", plane(2, 4), 300));
  list = mapped(blocks(plane(5, 6), 0, 0, 1, 1, 1, 1, 3, 4), ".", "nw", plane(3, 4));
  H5Pset_virtual(list, blocks(plane(5, 6), 0, 4, 1, 1, 1, 1, 3, 2), ".", "ne", plane(3, 2));
  H5Pset_virtual(list, blocks(plane(5, 6), 3, 0, 1, 1, 1, 1, 2, 4), ".", "sw", plane(2, 4));
  H5Pset_virtual(list, blocks(plane(5, 6), 3, 4, 1, 1, 1, 1, 2, 2), ".", "se", plane(2, 2));
  create_plane(file, "mosaic", plane(5, 6), list);
  set = H5Dopen2(file, "mosaic", NONE);
  wanted = blocks(plane(5, 6), 1, 1, 2, 3, 2, 2, 1, 2);
  CALL(H5Dread(set, H5T_NATIVE_INT, line(8), wanted, NONE, values));
  for (i = 0; i < 8; ++i) printf(" %d", values[i]);
  puts("");
  for (i = 0; i < 12; ++i) values[i] = -100 - i;
  CALL(H5Dwrite(set, H5T_NATIVE_INT, line(12), blocks(plane(5, 6), 1, 3, 1, 1, 2, 2, 1, 1), NONE, values));
  CALL(H5Dwrite(set, H5T_NATIVE_INT, line(4), blocks(plane(5, 6), 1, 3, 1, 1, 2, 2, 1, 1), NONE, values));
  CALL(H5Dwrite(set, H5T_NATIVE_INT, line(4), blocks(plane(5, 6), 2, 3, 1, 1, 2, 2, 1, 1), NONE, values));
  show_plane("written", set);
  H5Dclose(set);
}

/* Columns of two sources alternate; a source of one dimension is a column. */
static void columns(hid_t file) {
  hid_t list;
  puts("-- columns");
  list = mapped(blocks(plane(3, 8), 0, 0, 1, 2, 1, 4, 3, 1), ".", "nw", plane(3, 4));
  H5Pset_virtual(list, blocks(plane(3, 8), 0, 1, 1, 4, 1, 2, 3, 1), ".", "ne", plane(3, 2));
  new_source(file, "column", 3, 900);
  H5Pset_virtual(list, blocks(plane(3, 8), 0, 7, 1, 1, 3, 1, 1, 1), ".", "column", line(3));
  create_plane(file, "columns", plane(3, 8), list);
  list = mapped(plane(6, 2), ".", "nw", plane(3, 4));
  create_plane(file, "another shape", plane(6, 2), list);
  list = mapped(plane(3, 4), ".", "nw", blocks(plane(3, 4), 0, 0, 2, 1, 2, 4, 1, 1));
  create_plane(file, "other count", plane(3, 4), list);
}

/* Growth in the second dimension, with and without numbers. */
static void grow(hid_t file) {
  const hsize_t larger[2] = {2, 5};
  hid_t from = new_plane(file, "wide", plane_up_to(2, 3, 2, H5S_UNLIMITED), 1), list, set, selected;
  puts("-- growth");
  selected = blocks(plane_up_to(2, 3, 2, H5S_UNLIMITED), 0, 0, 2, 1, 1, H5S_UNLIMITED, 2, 1);
  list = mapped(blocks(plane_up_to(2, 3, 2, H5S_UNLIMITED), 0, 1, 2, 3, 1, H5S_UNLIMITED, 2, 2), ".", "wide",
                selected);
  set = H5Dcreate2(file, "grown", H5T_STD_I32LE, plane_up_to(2, 3, 2, H5S_UNLIMITED), NONE, list, NONE);
  show_plane("grown", set);
  CALL(H5Dset_extent(from, larger));
  show_plane("grown more", set);
  H5Dclose(set);
  H5Dclose(from);
  H5Pclose(list);
  list = mapped(blocks(plane_up_to(3, 2, 3, H5S_UNLIMITED), 0, 0, 3, 2, 1, H5S_UNLIMITED, 3, 2), ".",
                "part%b%%", plane(3, 2));
  set = H5Dcreate2(file, "numbered", H5T_STD_I32LE, plane_up_to(3, 0, 3, H5S_UNLIMITED), NONE, list, NONE);
  show_plane("none", set);
  H5Dclose(new_plane(file, "part0%", plane(3, 2), 10));
  H5Dclose(new_plane(file, "part1%", plane(3, 2), 20));
  show_plane("two", set);
  H5Dclose(set);
  H5Pclose(list);
}

/* Sources behind links. */
static void links(hid_t file) {
  hid_t other = new_file("linked.h5");
  puts("-- links");
  new_group(file, "group");
  H5Lcreate_soft("/nw", file, "group/soft", NONE, NONE);
  H5Lcreate_hard(file, "nw", file, "group/hard", NONE, NONE);
  H5Lcreate_external("linked.h5", "/there", file, "group/external", NONE, NONE);
  H5Lcreate_soft("/nowhere", file, "group/dangling", NONE, NONE);
  H5Dclose(new_plane(other, "there", plane(3, 4), 40));
  H5Fclose(other);
  create_plane(file, "by a soft link", plane(3, 4), mapped(plane(3, 4), ".", "/group/soft", plane(3, 4)));
  create_plane(file, "by a hard link", plane(3, 4), mapped(plane(3, 4), ".", "group/hard", plane(3, 4)));
  create_plane(file, "by an external link", plane(3, 4),
               mapped(plane(3, 4), ".", "group/external", plane(3, 4)));
  create_plane(file, "by a dangling link", plane(3, 4),
               mapped(plane(3, 4), ".", "group/dangling", plane(3, 4)));
  create_plane(file, "in a missing group", plane(3, 4), mapped(plane(3, 4), ".", "absent/d", plane(3, 4)));
}

typedef struct {
  int a;
  double b;
} record_t;

/* Compounds and fixed strings. */
static void types(hid_t file) {
  hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(record_t)), text = H5Tcopy(H5T_C_S1), space = line(3), list,
        set;
  static record_t records[3] = {{1, 1.5}, {2, 2.5}, {3, 3.5}};
  char texts[3][6] = {"one", "two", "three"};
  int members[3] = {0}, i;
  hid_t member = H5Tcreate(H5T_COMPOUND, sizeof(int));
  puts("-- types");
  H5Tinsert(type, "a", HOFFSET(record_t, a), H5T_NATIVE_INT);
  H5Tinsert(type, "b", HOFFSET(record_t, b), H5T_NATIVE_DOUBLE);
  H5Tinsert(member, "a", 0, H5T_NATIVE_INT);
  H5Tset_size(text, 6);
  set = H5Dcreate2(file, "records", type, space, NONE, NONE, NONE);
  H5Dwrite(set, type, H5S_ALL, H5S_ALL, NONE, records);
  H5Dclose(set);
  set = H5Dcreate2(file, "text", text, space, NONE, NONE, NONE);
  H5Dwrite(set, text, H5S_ALL, H5S_ALL, NONE, texts);
  H5Dclose(set);
  list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_virtual(list, part(4, 1, 1, 1, 3), ".", "records", space);
  set = H5Dcreate2(file, "virtual records", type, line(4), NONE, list, NONE);
  memset(records, 0, sizeof records);
  CALL(H5Dread(set, member, space, part(4, 1, 1, 1, 3), NONE, members));
  CALL(H5Dread(set, type, space, part(4, 0, 1, 1, 3), NONE, records));
  for (i = 0; i < 3; ++i) printf(" %d: %d %g\n", members[i], records[i].a, records[i].b);
  H5Dclose(set);
  H5Pclose(list);
  list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_virtual(list, space, ".", "text", space);
  set = H5Dcreate2(file, "virtual text", text, space, NONE, list, NONE);
  memset(texts, 0, sizeof texts);
  CALL(H5Dread(set, text, H5S_ALL, H5S_ALL, NONE, texts));
  printf("%s %s %s\n", texts[0], texts[1], texts[2]);
  H5Dclose(set);
  H5Pclose(list);
}

/* Strings of variable length. HDF5 cannot write them through a virtual dataset. */
static void variable(hid_t file) {
  hid_t text = H5Tcopy(H5T_C_S1), space = line(2), list, set;
  const char* texts[2] = {"short", "a longer text"};
  char* back[3] = {NULL, NULL, NULL};
  puts("-- variable length");
  H5Tset_size(text, H5T_VARIABLE);
  set = H5Dcreate2(file, "strings", text, space, NONE, NONE, NONE);
  H5Dwrite(set, text, H5S_ALL, H5S_ALL, NONE, texts);
  H5Dclose(set);
  list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_virtual(list, part(3, 1, 1, 1, 2), ".", "strings", space);
  set = H5Dcreate2(file, "virtual strings", text, line(3), NONE, list, NONE);
  CALL(H5Dread(set, text, H5S_ALL, H5S_ALL, NONE, back));
  printf("%s %s %s\n", back[0] ? back[0] : "(null)", back[1] ? back[1] : "(null)",
         back[2] ? back[2] : "(null)");
  H5Dclose(set);
  H5Pclose(list);
}

int main(void) {
  hid_t file;
  quiet();
  file = new_file("virtual_planes.h5");
  mosaic(file);
  columns(file);
  grow(file);
  links(file);
  types(file);
  variable(file);
  CALL(H5Fclose(file));
  return 0;
}
