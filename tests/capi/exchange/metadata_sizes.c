/* SPDX-License-Identifier: Apache-2.0
 *
 * Storage of objects outside of their headers. `write FOLDER` creates two files, one of each style; `read
 * FOLDER` prints the sizes of indexes and heaps of all objects in them.
 */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE H5P_DEFAULT
#if !H5_VERSION_GE(1, 12, 0)
#define H5O_info1_t H5O_info_t
#endif

static void add_links(hid_t file, const char* name, int links, unsigned order, int removed) {
  char text[300];
  int i;
  hid_t list = H5Pcreate(H5P_GROUP_CREATE), group;
  H5Pset_link_creation_order(list, order);
  group = H5Gcreate2(file, name, NONE, list, NONE);
  for (i = 0; i < links; ++i) {
    snprintf(text, sizeof text, "%0*d", 5 + i % 40, i);
    H5Lcreate_soft("somewhere", group, text, NONE, NONE);
  }
  for (i = 0; i < removed; ++i) {
    snprintf(text, sizeof text, "%0*d", 5 + (i * 3) % 40, i * 3);
    H5Ldelete(group, text, NONE);
  }
  H5Gclose(group);
  H5Pclose(list);
}

/* A soft link whose value is too long for the blocks of a heap. */
static void add_huge_link(hid_t file) {
  static char target[9000];
  hid_t group = H5Gopen2(file, "links200", NONE);
  memset(target, 'x', sizeof target - 1);
  H5Lcreate_soft(target, group, "huge", NONE, NONE);
  H5Gclose(group);
}

static void add_attributes(hid_t file, const char* name, int attributes, unsigned order) {
  char text[40];
  int i;
  hid_t list = H5Pcreate(H5P_GROUP_CREATE), space = H5Screate(H5S_SCALAR), group;
  H5Pset_attr_creation_order(list, order);
  group = H5Gcreate2(file, name, NONE, list, NONE);
  for (i = 0; i < attributes; ++i) {
    snprintf(text, sizeof text, "attribute%d", i);
    H5Aclose(H5Acreate2(group, text, H5T_STD_I32LE, space, NONE, NONE));
  }
  H5Gclose(group);
  H5Sclose(space);
  H5Pclose(list);
}

struct Shape {
  const char* name;
  int rank;
  hsize_t extent[2], most[2], chunk[2];
  int early, deflate, written; /* rows */
};

static void add_chunks(hid_t file, const struct Shape* shape) {
  hsize_t from[2] = {0, 0}, size[2];
  int* values = calloc(shape->extent[0] * shape->extent[1] + 1, sizeof(int));
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  hid_t space = H5Screate_simple(shape->rank, shape->extent, shape->most), in_memory, set;
  H5Pset_chunk(list, shape->rank, shape->chunk);
  if (shape->early) H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
  if (shape->deflate) H5Pset_deflate(list, 1);
  set = H5Dcreate2(file, shape->name, H5T_STD_I32LE, space, NONE, list, NONE);
  size[0] = shape->written;
  size[1] = shape->extent[1];
  if (shape->written > 0) {
    in_memory = H5Screate_simple(shape->rank, size, NULL);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, size, NULL);
    H5Dwrite(set, H5T_NATIVE_INT, in_memory, space, NONE, values);
    H5Sclose(in_memory);
  }
  H5Dclose(set);
  H5Sclose(space);
  H5Pclose(list);
  free(values);
}

static void add_others(hid_t file) {
  hsize_t dims[1] = {8};
  hid_t space = H5Screate_simple(1, dims, NULL), list = H5Pcreate(H5P_DATASET_CREATE);
  H5Dclose(H5Dcreate2(file, "contiguous", H5T_STD_I32LE, space, NONE, NONE, NONE));
  H5Pset_external(list, "first.raw", 0, 16);
  H5Pset_external(list, "second.raw", 0, 16);
  H5Dclose(H5Dcreate2(file, "external", H5T_STD_I32LE, space, NONE, list, NONE));
  H5Pclose(list);
  list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_virtual(list, space, "elsewhere.h5", "source", space);
  H5Dclose(H5Dcreate2(file, "virtual", H5T_STD_I32LE, space, NONE, list, NONE));
  H5Pclose(list);
  H5Sclose(space);
  H5Tcommit2(file, "type", H5Tcopy(H5T_STD_I32LE), NONE, NONE, NONE);
}

static void write_file(const char* path, H5F_libver_t version) {
  const hsize_t any = H5S_UNLIMITED;
  const struct Shape shapes[] = {
      {"none", 1, {10, 1}, {10, 1}, {4, 1}, 0, 0, 0},
      {"single", 1, {10, 1}, {10, 1}, {10, 1}, 0, 0, 10},
      {"implicit", 1, {100, 1}, {100, 1}, {4, 1}, 1, 0, 100},
      {"fixed", 1, {100, 1}, {100, 1}, {4, 1}, 0, 0, 100},
      {"fixed_pages", 1, {9000, 1}, {9000, 1}, {2, 1}, 0, 0, 9000},
      {"fixed_filtered", 1, {100, 1}, {100, 1}, {4, 1}, 0, 1, 60},
      {"extensible_few", 1, {10, 1}, {any, 1}, {4, 1}, 0, 0, 10},
      {"extensible", 1, {5000, 1}, {any, 1}, {2, 1}, 0, 0, 5000},
      {"extensible_filtered", 2, {60, 60}, {any, 60}, {3, 3}, 0, 1, 50},
      {"tree", 2, {120, 120}, {any, any}, {3, 3}, 0, 0, 120},
      {"tree_filtered", 2, {60, 60}, {any, any}, {3, 3}, 0, 1, 30},
  };
  size_t i;
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), file;
  H5Pset_libver_bounds(access, version, H5F_LIBVER_LATEST);
  file = H5Fcreate(path, H5F_ACC_TRUNC, NONE, access);
  add_links(file, "links0", 0, 0, 0);
  add_links(file, "links5", 5, 0, 0);
  add_links(file, "links200", 200, 0, 20);
  add_links(file, "links5000", 5000, 0, 100);
  add_links(file, "tracked", 300, H5P_CRT_ORDER_TRACKED, 0);
  add_links(file, "indexed", 3000, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED, 200);
  add_huge_link(file);
  add_attributes(file, "attributes3", 3, 0);
  add_attributes(file, "attributes100", 100, 0);
  add_attributes(file, "attributes_indexed", 100, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  for (i = 0; i < sizeof shapes / sizeof *shapes; ++i) add_chunks(file, &shapes[i]);
  add_others(file);
  H5Fclose(file);
  H5Pclose(access);
}

static herr_t tell(hid_t at, const char* name, const H5O_info1_t* info, void* data) {
  (void)at;
  (void)data;
  printf("%s: index %llu, heap %llu; of attributes index %llu, heap %llu\n", name,
         (unsigned long long)info->meta_size.obj.index_size,
         (unsigned long long)info->meta_size.obj.heap_size,
         (unsigned long long)info->meta_size.attr.index_size,
         (unsigned long long)info->meta_size.attr.heap_size);
  return 0;
}

static int read_file(const char* path) {
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, NONE);
  if (file < 0) return 1;
  H5Ovisit1(file, H5_INDEX_NAME, H5_ITER_INC, tell, NULL);
  return H5Fclose(file) < 0;
}

int main(int count, char** words) {
  static const char* const names[] = {"old.h5", "new.h5"};
  int which, failed = 0;
  if (count != 3) return 2;
  for (which = 0; which < 2; ++which) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", words[2], names[which]);
    if (strcmp(words[1], "write") == 0)
      write_file(path, which == 0 ? H5F_LIBVER_EARLIEST : H5F_LIBVER_LATEST);
    else
      failed |= read_file(path);
  }
  return failed;
}
