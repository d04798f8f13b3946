/* SPDX-License-Identifier: Apache-2.0
 *
 * Mappings of virtual datasets in creation lists: what is accepted, how other layouts replace them, and what
 * lists return. */
#include "virtual.h"

/* A list with two mappings, in another layout afterwards. */
static void change_layout(H5D_layout_t layout, int with_chunk) {
  hid_t space = line(4), list = H5Pcreate(H5P_DATASET_CREATE), file, set;
  hsize_t chunk = 4;
  size_t count = 99;
  int values[4] = {1, 2, 3, 4};
  H5Pset_virtual(list, space, "a.h5", "d", space);
  H5Pset_virtual(list, space, "b.h5", "d", space);
  printf("-- layout %d, chunk %d\n", (int)layout, with_chunk);
  if (with_chunk)
    CALL(H5Pset_chunk(list, 1, &chunk));
  else
    CALL(H5Pset_layout(list, layout));
  CALL(H5Pget_layout(list));
  CALL(H5Pget_virtual_count(list, &count));
  VALUE(count);
  CALL_ID(H5Pget_virtual_vspace(list, 0));
  CALL(H5Pget_virtual_filename(list, 0, NULL, 0));
  if (layout != H5D_CHUNKED || with_chunk) {
    file = new_file("layout.h5");
    set = H5Dcreate2(file, "d", H5T_STD_I32LE, space, NONE, list, NONE);
    CALL_ID(set);
    CALL(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values));
    CALL(H5Dget_storage_size(set));
    H5Dclose(set);
    H5Fclose(file);
  }
  CALL(H5Pset_virtual(list, space, "c.h5", "e", space));
  show_mappings("mappings", list);
  H5Pclose(list);
  H5Sclose(space);
}

/* Allocation times follow the layout. */
static void allocation_times(void) {
  hid_t space = line(4), list = H5Pcreate(H5P_DATASET_CREATE);
  H5D_alloc_time_t when;
  hsize_t chunk = 2;
  puts("-- allocation times");
  H5Pset_virtual(list, space, "a.h5", "d", space);
  H5Pget_alloc_time(list, &when);
  VALUE(when);
  H5Pset_layout(list, H5D_VIRTUAL);
  H5Pget_alloc_time(list, &when);
  VALUE(when);
  H5Pset_layout(list, H5D_COMPACT);
  H5Pget_alloc_time(list, &when);
  VALUE(when);
  H5Pset_virtual(list, space, "a.h5", "d", space);
  H5Pget_alloc_time(list, &when);
  VALUE(when);
  H5Pset_chunk(list, 1, &chunk);
  H5Pset_virtual(list, space, "a.h5", "d", space);
  CALL(H5Pget_chunk(list, 1, &chunk));
  CALL(H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY));
  H5Pset_layout(list, H5D_CONTIGUOUS);
  H5Pget_alloc_time(list, &when);
  VALUE(when);
  H5Pclose(list);
  H5Sclose(space);
}

static void names(void) {
  hid_t space = line(4), list = H5Pcreate(H5P_DATASET_CREATE);
  char text[20] = "unchanged";
  puts("-- names");
  CALL(H5Pset_virtual(list, space, "file name", "/group/data", space));
  CALL(H5Pset_virtual(list, space, "", "d", space));
  CALL(H5Pset_virtual(list, space, "a%%b.h5", "100%%", space));
  CALL(H5Pset_virtual(list, space, "a%b.h5", "d", space));
  CALL(H5Pset_virtual(list, space, "a%d.h5", "d", space));
  CALL(H5Pset_virtual(list, space, "a%", "d", space));
  /* Without a NUL if the name is too long, in HDF5. */
  CALL(H5Pget_virtual_filename(list, 0, text, 5));
  CALL(H5Pget_virtual_filename(list, 0, NULL, 0));
  CALL(H5Pget_virtual_dsetname(list, 0, text, sizeof text));
  puts(text);
  CALL(H5Pget_virtual_dsetname(list, 10, text, sizeof text));
  show_mappings("mappings", list);
  H5Pclose(list);
  H5Sclose(space);
}

/* Selections that go together, and others. */
static void selections(void) {
  hid_t list = H5Pcreate(H5P_DATASET_CREATE), all = line(6), none = line(6), scalar = H5Screate(H5S_SCALAR);
  hid_t null = H5Screate(H5S_NULL), points = line(6), plane, irregular = line(12), some;
  const hsize_t dims[2] = {2, 3}, where[3] = {1, 3, 5};
  hsize_t start = 0, count = 2, one = 1, stride = 3;
  puts("-- selections");
  plane = H5Screate_simple(2, dims, NULL);
  H5Sselect_none(none);
  H5Sselect_elements(points, H5S_SELECT_SET, 3, where);
  some = part(6, 0, 2, 3, 1);
  H5Sselect_hyperslab(irregular, H5S_SELECT_SET, &start, NULL, &count, &one);
  start = 5;
  H5Sselect_hyperslab(irregular, H5S_SELECT_OR, &start, &stride, &count, &count);
  CALL(H5Pset_virtual(list, all, "f", "all to all", all));
  CALL(H5Pset_virtual(list, plane, "f", "line to plane", all));
  CALL(H5Pset_virtual(list, irregular, "f", "all to irregular", all));
  CALL(H5Pset_virtual(list, all, "f", "irregular to all", irregular));
  CALL(H5Pset_virtual(list, none, "f", "none to none", none));
  CALL(H5Pset_virtual(list, all, "f", "none to all", none));
  CALL(H5Pset_virtual(list, scalar, "f", "scalar to scalar", scalar));
  CALL(H5Pset_virtual(list, null, "f", "null to null", null));
  CALL(H5Pset_virtual(list, points, "f", "points", points));
  CALL(H5Pset_virtual(list, some, "f", "points", points));
  CALL(H5Pset_virtual(list, some, "f", "some to some", some));
  CALL(H5Pset_virtual(list, some, "f", "too many", all));
  CALL(H5Pset_virtual(list, some, "f", "d", (hid_t)-1));
  CALL(H5Pset_virtual(list, list, "f", "d", some));
  CALL(H5Pset_virtual(some, some, "f", "d", some));
  show_mappings("mappings", list);
}

/* Selections without limit, with and without block numbers. */
static void unlimited_selections(void) {
  hid_t list = H5Pcreate(H5P_DATASET_CREATE), all = line(6);
  hid_t counts = part(6, 0, 2, H5S_UNLIMITED, 1), blocks = part(6, 0, 1, 1, H5S_UNLIMITED);
  hid_t twos = part(6, 0, 4, H5S_UNLIMITED, 2), two = part(6, 1, 1, 2, 1),
        grown = line_up_to(6, H5S_UNLIMITED);
  hid_t source_of_two = line(2);
  puts("-- without limit");
  CALL(H5Pset_virtual(list, counts, "f", "counts to counts", counts));
  CALL(H5Pset_virtual(list, blocks, "f", "blocks to blocks", blocks));
  CALL(H5Pset_virtual(list, counts, "f", "blocks to counts", blocks));
  CALL(H5Pset_virtual(list, twos, "f", "counts to twos", counts));
  CALL(H5Pset_virtual(list, all, "f", "blocks to all", blocks));
  CALL(H5Pset_virtual(list, grown, "f", "blocks to an extent without limit", blocks));
  CALL(H5Pset_virtual(list, grown, "f", "all of an extent without limit", grown));
  CALL(H5Pset_virtual(list, blocks, "f", "blocks from all", all));
  CALL(H5Pset_virtual(list, twos, "f", "b%b", two));
  CALL(H5Pset_virtual(list, twos, "f%b", "b", source_of_two));
  CALL(H5Pset_virtual(list, twos, "f%b", "b%b", all));
  CALL(H5Pset_virtual(list, twos, "f", "no number", two));
  CALL(H5Pset_virtual(list, blocks, "f", "b%b", all));
  CALL(H5Pset_virtual(list, counts, "f", "b%b", counts));
  show_mappings("mappings", list);
}

/* Offsets of selections become part of the mapping. */
static void offsets(void) {
  hid_t list = H5Pcreate(H5P_DATASET_CREATE), space = part(8, 2, 1, 4, 1), from = part(8, 0, 1, 4, 1), back;
  const hssize_t before[1] = {-2}, after[1] = {2}, far[1] = {9}, none[1] = {0};
  const hsize_t dims[2] = {3, 4}, start[2] = {0, 1}, count[2] = {2, 2};
  const hssize_t right[2] = {1, 1};
  hid_t plane = H5Screate_simple(2, dims, NULL), all = line(8),
        endless_part = part(8, 2, 2, H5S_UNLIMITED, 1);
  puts("-- offsets");
  H5Soffset_simple(space, before);
  CALL(H5Pset_virtual(list, space, ".", "before", from));
  show_selection("still", space);
  H5Soffset_simple(space, after);
  H5Soffset_simple(from, after);
  CALL(H5Pset_virtual(list, space, ".", "after", from));
  H5Soffset_simple(space, far);
  CALL(H5Pset_virtual(list, space, ".", "far", from));
  H5Sselect_hyperslab(plane, H5S_SELECT_SET, start, NULL, count, NULL);
  H5Soffset_simple(plane, right);
  H5Soffset_simple(from, none);
  CALL(H5Pset_virtual(list, plane, ".", "plane", from));
  H5Soffset_simple(all, after);
  CALL(H5Pset_virtual(list, all, ".", "all", all));
  H5Soffset_simple(endless_part, before);
  CALL(H5Pset_virtual(list, endless_part, ".", "endless", endless_part));
  show_mappings("mappings", list);
  back = H5Pget_virtual_vspace(list, 0);
  CALL(H5Sselect_valid(back));
}

/* Copies are independent and equal. */
static void copies(void) {
  hid_t space = line(4), list = H5Pcreate(H5P_DATASET_CREATE), copy;
  puts("-- copies");
  H5Pset_virtual(list, space, "f", "d", space);
  copy = H5Pcopy(list);
  CALL(H5Pequal(list, copy));
  H5Pset_virtual(copy, space, "f", "e", space);
  CALL(H5Pequal(list, copy));
  show_mappings("original", list);
  H5Pclose(list);
  show_mappings("copy", copy);
  H5Pclose(copy);
  H5Sclose(space);
}

int main(void) {
  quiet();
  change_layout(H5D_CONTIGUOUS, 0);
  change_layout(H5D_COMPACT, 0);
  change_layout(H5D_CHUNKED, 0);
  change_layout(H5D_CHUNKED, 1);
  change_layout(H5D_VIRTUAL, 0);
  allocation_times();
  names();
  selections();
  unlimited_selections();
  offsets();
  copies();
  return 0;
}
