/* SPDX-License-Identifier: Apache-2.0 */
/* For programs about virtual datasets: sources, mappings, and what a virtual dataset shows. */
#ifndef VIRTUAL_H
#define VIRTUAL_H

#include "show.h"

static const hsize_t endless = H5S_UNLIMITED;

static hid_t line(hsize_t length) { return H5Screate_simple(1, &length, NULL); }

static hid_t line_up_to(hsize_t length, hsize_t most) { return H5Screate_simple(1, &length, &most); }

/* A line of `length` elements of which some are selected. */
static hid_t part(hsize_t length, hsize_t start, hsize_t stride, hsize_t count, hsize_t block) {
  hid_t space = line_up_to(length, H5S_UNLIMITED);
  if (H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, &stride, &count, &block) < 0)
    printf("no selection\n");
  return space;
}

/* A dataset with the values first, first + 1, ...; in chunks if it can grow. */
static hid_t source(hid_t file, const char* name, hsize_t length, hsize_t most, int first) {
  hid_t space = line_up_to(length, most), list = H5Pcreate(H5P_DATASET_CREATE), set;
  hsize_t chunk = 4, i;
  int values[100];
  for (i = 0; i < length; ++i) values[i] = first + (int)i;
  if (most != length) H5Pset_chunk(list, 1, &chunk);
  set = H5Dcreate2(file, name, H5T_STD_I32LE, space, NONE, list, NONE);
  if (length > 0) H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values);
  H5Sclose(space);
  H5Pclose(list);
  return set;
}

static void new_source(hid_t file, const char* name, hsize_t length, int first) {
  H5Dclose(source(file, name, length, length, first));
}

/* A creation list with one mapping. */
static hid_t mapped(hid_t virtual_space, const char* file, const char* name, hid_t source_space) {
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  int fill = -1;
  H5Pset_fill_value(list, H5T_NATIVE_INT, &fill);
  show_result("H5Pset_virtual", H5Pset_virtual(list, virtual_space, file, name, source_space));
  return list;
}

/* Extent, status and elements of a dataset of one dimension. */
static void show_virtual(const char* what, hid_t set) {
  int values[100];
  hsize_t length = 0, most = 0, i;
  hid_t space = H5Dget_space(set), memory;
  H5D_space_status_t status = (H5D_space_status_t)-7;
  herr_t result;
  if (space < 0) {
    show_result(what, space < 0 ? -1 : 0);
    return;
  }
  H5Sget_simple_extent_dims(space, &length, &most);
  H5Dget_space_status(set, &status);
  for (i = 0; i < 100; ++i) values[i] = -9;
  memory = line(length);
  result = H5Dread(set, H5T_NATIVE_INT, memory, H5S_ALL, NONE, values);
  printf("%s: %lld of %lld, status %d, read %d:", what, (long long)length, (long long)most, (int)status,
         (int)result);
  for (i = 0; i < length && i < 100 && result >= 0; ++i) printf(" %d", values[i]);
  printf("\n");
  H5Sclose(space);
  H5Sclose(memory);
}

/* Creates a virtual dataset and shows it, if that works. The list is closed. */
static void create_virtual(hid_t file, const char* name, hid_t space, hid_t list) {
  hid_t set = H5Dcreate2(file, name, H5T_STD_I32LE, space, NONE, list, NONE);
  show_result(name, set < 0 ? -1 : 0);
  if (set >= 0) {
    show_virtual(name, set);
    H5Dclose(set);
  }
  H5Pclose(list);
}

/* The selection of a dataspace, in short. */
static void show_selection(const char* what, hid_t space) {
  hsize_t dims[4] = {0}, most[4] = {0}, start[4] = {0}, stride[4] = {0}, count[4] = {0}, block[4] = {0};
  int rank = H5Sget_simple_extent_ndims(space), d;
  H5Sget_simple_extent_dims(space, dims, most);
  printf("%s: class %d, type %d, regular %d", what, (int)H5Sget_simple_extent_type(space),
         (int)H5Sget_select_type(space), (int)H5Sis_regular_hyperslab(space));
  for (d = 0; d < rank; ++d) printf(", %lld of %lld", (long long)dims[d], (long long)most[d]);
  if (H5Sget_select_type(space) == H5S_SEL_HYPERSLABS && H5Sis_regular_hyperslab(space) > 0) {
    H5Sget_regular_hyperslab(space, start, stride, count, block);
    for (d = 0; d < rank; ++d)
      printf(", %lld+%lld*%lld(%lld)", (long long)start[d], (long long)count[d], (long long)stride[d],
             (long long)block[d]);
  } else {
    printf(", %lld elements", (long long)H5Sget_select_npoints(space));
  }
  printf("\n");
}

/* All mappings of a creation list. */
static void show_mappings(const char* what, hid_t list) {
  size_t count = 0, i;
  char name[200];
  show_result(what, H5Pget_virtual_count(list, &count));
  for (i = 0; i < count; ++i) {
    hid_t space = H5Pget_virtual_vspace(list, i);
    printf("  %lu: ", (unsigned long)i);
    show_selection("virtual", space);
    H5Sclose(space);
    space = H5Pget_virtual_srcspace(list, i);
    show_selection("     source", space);
    H5Sclose(space);
    H5Pget_virtual_filename(list, i, name, sizeof name);
    printf("     '%s'", name);
    H5Pget_virtual_dsetname(list, i, name, sizeof name);
    printf(" '%s'\n", name);
  }
}

#endif
