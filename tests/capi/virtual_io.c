/* SPDX-License-Identifier: Apache-2.0
 *
 * Virtual datasets with fixed mappings: creation, elements without a source, overlaps, offsets, conversions,
 * writing, sources of other shapes, and virtual sources. */
#include <sys/stat.h>
#include "virtual.h"

static void missing_sources(hid_t file) {
  hid_t space = line(8), from = line(4), list, set;
  int values[8] = {10, 11, 12, 13, 14, 15, 16, 17};
  puts("-- missing sources");
  list = mapped(part(8, 0, 1, 4, 1), "nowhere.h5", "a", from);
  H5Pset_virtual(list, part(8, 4, 1, 4, 1), ".", "later", from);
  set = H5Dcreate2(file, "missing", H5T_STD_I32LE, space, NONE, list, NONE);
  show_virtual("both missing", set);
  CALL(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values));
  new_source(file, "later", 4, 100);
  show_virtual("one there", set);
  CALL(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values));
  CALL(H5Dwrite(set, H5T_NATIVE_INT, from, part(8, 4, 1, 4, 1), NONE, values));
  show_virtual("written", set);
  /* HDF5 keeps the source open until the virtual dataset is closed; we look for it each time. */
  CALL(H5Ldelete(file, "later", NONE));
  H5Dclose(set);
  set = H5Dopen2(file, "missing", NONE);
  show_virtual("deleted", set);
  new_group(file, "later");
  show_virtual("a group instead", set);
  H5Dclose(set);
}

static void sizes_of_sources(hid_t file) {
  hid_t space = line(8), list;
  puts("-- sources of other sizes");
  new_source(file, "short", 2, 1);
  new_source(file, "long", 20, 1);
  create_virtual(file, "from short", space, mapped(space, ".", "short", space));
  create_virtual(file, "from long", space, mapped(space, ".", "long", space));
  create_virtual(file, "from the end of long", space, mapped(space, ".", "long", part(20, 12, 1, 8, 1)));
  list = mapped(part(8, 0, 2, 4, 1), ".", "long", part(20, 1, 3, 2, 2));
  create_virtual(file, "strides", space, list);
  create_virtual(file, "nothing", space, mapped(part(8, 0, 1, 0, 1), ".", "long", part(8, 0, 1, 0, 1)));
}

/* Of several mappings of an element, one counts. */
static void overlaps(hid_t file) {
  hid_t space = line(8), list, set;
  int values[8] = {50, 51, 52, 53, 54, 55, 56, 57};
  puts("-- overlaps");
  new_source(file, "low", 8, 10);
  new_source(file, "high", 8, 20);
  list = mapped(part(8, 0, 1, 5, 1), ".", "low", part(8, 0, 1, 5, 1));
  H5Pset_virtual(list, part(8, 3, 1, 5, 1), ".", "high", part(8, 3, 1, 5, 1));
  set = H5Dcreate2(file, "overlap", H5T_STD_I32LE, space, NONE, list, NONE);
  show_virtual("overlap", set);
  CALL(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values));
  show_virtual("written", set);
  H5Dclose(set);
  set = H5Dopen2(file, "low", NONE);
  show_virtual("low", set);
  H5Dclose(set);
  set = H5Dopen2(file, "high", NONE);
  show_virtual("high", set);
  H5Dclose(set);
}

/* Mappings that do not fit the extent of the dataset. */
static void extents(hid_t file) {
  hid_t space = line(8), small = line(4), plane, list;
  const hsize_t dims[2] = {2, 4};
  puts("-- extents");
  plane = H5Screate_simple(2, dims, NULL);
  new_source(file, "eight", 8, 30);
  create_virtual(file, "mapping too long", small, mapped(space, ".", "eight", space));
  create_virtual(file, "part too long", small,
                 mapped(part(8, 2, 1, 4, 1), ".", "eight", part(8, 0, 1, 4, 1)));
  create_virtual(file, "mapping shorter", space, mapped(small, ".", "eight", small));
  create_virtual(file, "other rank", space, mapped(plane, ".", "eight", space));
  create_virtual(file, "without mappings", space, H5Pcreate(H5P_DATASET_CREATE));
  list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_layout(list, H5D_VIRTUAL);
  create_virtual(file, "no mapping", space, list);
  create_virtual(file, "scalar", H5Screate(H5S_SCALAR),
                 mapped(H5Screate(H5S_SCALAR), ".", "eight", H5Screate(H5S_SCALAR)));
  create_virtual(file, "extensible", line_up_to(8, H5S_UNLIMITED), mapped(space, ".", "eight", space));
  create_virtual(file, "extensible to 10", line_up_to(8, 10), mapped(space, ".", "eight", space));
  create_virtual(file, "empty", line(0), mapped(line(0), ".", "eight", line(0)));
}

static void offsets(hid_t file) {
  hid_t space = line(8), virtual_part = part(8, 2, 1, 4, 1), from = part(8, 0, 1, 4, 1), list, set;
  const hssize_t before[1] = {-2}, after[1] = {2}, far[1] = {9}, four[1] = {4};
  puts("-- offsets");
  new_source(file, "counted", 8, 1);
  list = H5Pcreate(H5P_DATASET_CREATE);
  H5Soffset_simple(virtual_part, before);
  CALL(H5Pset_virtual(list, virtual_part, ".", "counted", from));
  H5Soffset_simple(virtual_part, after);
  H5Soffset_simple(from, four);
  CALL(H5Pset_virtual(list, virtual_part, ".", "counted", from));
  set = H5Dcreate2(file, "offsets", H5T_STD_I32LE, space, NONE, list, NONE);
  show_virtual("offsets", set);
  H5Pclose(list);
  list = H5Dget_create_plist(set);
  show_mappings("mappings", list);
  H5Pclose(list);
  H5Dclose(set);
  list = H5Pcreate(H5P_DATASET_CREATE);
  H5Soffset_simple(virtual_part, far);
  CALL(H5Pset_virtual(list, virtual_part, ".", "counted", from));
  create_virtual(file, "far", space, list);
}

/* An offset of an irregular selection in two dimensions. */
static void offsets_of_planes(hid_t file) {
  const hsize_t dims[2] = {4, 5}, start[2] = {0, 0}, count[2] = {1, 2}, below[2] = {1, 1}, more[2] = {2, 1};
  const hssize_t offset[2] = {1, 2};
  hid_t plane = H5Screate_simple(2, dims, NULL), selected = H5Scopy(plane), list, set;
  int values[20], i, again;
  puts("-- offsets of planes");
  H5Sselect_hyperslab(selected, H5S_SELECT_SET, start, NULL, count, NULL);
  H5Sselect_hyperslab(selected, H5S_SELECT_OR, below, NULL, more, NULL);
  H5Soffset_simple(selected, offset);
  list = H5Pcreate(H5P_DATASET_CREATE);
  CALL(H5Pset_virtual(list, selected, ".", "counted", part(8, 1, 2, 4, 1)));
  set = H5Dcreate2(file, "plane", H5T_STD_I32LE, plane, NONE, list, NONE);
  CALL_ID(set);
  for (again = 0; again < 2; ++again) {
    CALL(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values));
    for (i = 0; i < 20; ++i) printf("%d%c", values[i], i % 5 == 4 ? '\n' : ' ');
    H5Dclose(set);
    set = H5Dopen2(file, "plane", NONE);
  }
  H5Dclose(set);
  H5Pclose(list);
}

/* Types of sources differ from that of the virtual dataset. */
static void conversions(hid_t file) {
  hid_t space = line(4), list, set;
  double values[4] = {1.5, -2.5, 300, 1e6};
  short small[4] = {0};
  puts("-- conversions");
  set = H5Dcreate2(file, "reals", H5T_IEEE_F64BE, space, NONE, NONE, NONE);
  H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, NONE, values);
  H5Dclose(set);
  create_virtual(file, "integers", space, mapped(space, ".", "reals", space));
  set = H5Dopen2(file, "integers", NONE);
  CALL(H5Dread(set, H5T_NATIVE_SHORT, H5S_ALL, H5S_ALL, NONE, small));
  printf("%d %d %d %d\n", small[0], small[1], small[2], small[3]);
  H5Dclose(set);
  list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_virtual(list, space, ".", "texts", space);
  set = H5Dcreate2(file, "texts", H5T_C_S1, space, NONE, NONE, NONE);
  H5Dclose(set);
  create_virtual(file, "of texts", space, list);
}

/* A part of a virtual dataset, to any selection in memory. HDF5 1.10.8 fails for points, or crashes. */
static void partial(hid_t file) {
  hid_t space = line(8), memory = line(20), wanted, list, set;
  int values[20], i;
  puts("-- parts");
  new_source(file, "p0", 4, 1);
  new_source(file, "p1", 4, 101);
  list = mapped(part(8, 0, 2, 4, 1), ".", "p0", line(4));
  H5Pset_virtual(list, part(8, 1, 2, 4, 1), ".", "p1", line(4));
  set = H5Dcreate2(file, "parts", H5T_STD_I32LE, space, NONE, list, NONE);
  show_virtual("parts", set);
  wanted = part(8, 1, 3, 2, 2);
  for (i = 0; i < 20; ++i) values[i] = 0;
  CALL(H5Dread(set, H5T_NATIVE_INT, part(20, 3, 4, 4, 1), wanted, NONE, values));
  for (i = 0; i < 20; ++i) printf("%d ", values[i]);
  puts("");
  for (i = 0; i < 20; ++i) values[i] = -i;
  CALL(H5Dwrite(set, H5T_NATIVE_INT, part(20, 10, 1, 3, 1), part(8, 2, 1, 3, 1), NONE, values));
  show_virtual("after a write", set);
  H5Sselect_none(wanted);
  H5Sselect_none(memory);
  CALL(H5Dread(set, H5T_NATIVE_INT, memory, wanted, NONE, values));
  CALL(H5Dwrite(set, H5T_NATIVE_INT, memory, wanted, NONE, values));
  H5Dclose(set);
}

static void nested(hid_t file) {
  hid_t space = line(8), half = line(4), list, set;
  int values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  puts("-- virtual sources");
  list = mapped(part(8, 4, 1, 4, 1), ".", "parts", part(8, 0, 1, 4, 1));
  H5Pset_virtual(list, part(8, 0, 1, 4, 1), ".", "p1", half);
  create_virtual(file, "outer", space, list);
  set = H5Dopen2(file, "outer", NONE);
  CALL(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values));
  show_virtual("written through both", set);
  H5Dclose(set);
  create_virtual(file, "outermost", half, mapped(half, ".", "outer", part(8, 1, 2, 4, 1)));
}

/* The source file beside the virtual one, in a folder, open, and changed meanwhile. */
static void other_files(hid_t file) {
  hid_t space = line(4), list, set, other, source_set;
  int values[4] = {7, 7, 7, 7};
  puts("-- other files");
  mkdir("folder", 0777);
  other = new_file("folder/source.h5");
  new_source(other, "d", 4, 1);
  H5Fclose(other);
  create_virtual(file, "in a folder", space, mapped(space, "folder/source.h5", "/d", space));
  create_virtual(file, "missing there", space, mapped(space, "source.h5", "/d", space));
  create_virtual(file, "no dataset", space, mapped(space, "folder/source.h5", "/e/f", space));
  set = H5Dopen2(file, "in a folder", NONE);
  CALL(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values));
  other = H5Fopen("folder/source.h5", H5F_ACC_RDWR, NONE);
  CALL_ID(other);
  source_set = H5Dopen2(other, "d", NONE);
  show_virtual("source", source_set);
  values[1] = 8;
  H5Dwrite(source_set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values);
  show_virtual("written in the source", set);
  H5Dclose(source_set);
  H5Fclose(other);
  show_virtual("source closed", set);
  H5Dclose(set);
  (void)list;
}

/* What is known of a virtual dataset. */
static void queries(hid_t file) {
  hid_t set = H5Dopen2(file, "parts", NONE), list = H5Dget_create_plist(set), space = line(8);
  hsize_t count = 99, dims[1] = {8}, chunk[1] = {2};
  H5D_alloc_time_t when;
  H5D_fill_time_t time;
  int values[8] = {0};
  puts("-- queries");
  CALL(H5Dget_storage_size(set));
  CALL(H5Dget_offset(set) == HADDR_UNDEF);
  CALL(H5Pget_layout(list));
  H5Pget_alloc_time(list, &when);
  VALUE(when);
  H5Pget_fill_time(list, &time);
  VALUE(time);
  TRY(H5Dget_num_chunks(set, space, &count));
  TRY(H5Dset_extent(set, dims));
  dims[0] = 6;
  TRY(H5Dset_extent(set, dims));
  CALL(H5Dflush(set));
  CALL(H5Drefresh(set));
  CALL(H5Dfill(values, H5T_NATIVE_INT, values, H5T_NATIVE_INT, space));
  H5Dclose(set);
  /* Filters have no meaning. */
  CALL(H5Pset_deflate(list, 1));
  set = H5Dcreate2(file, "filtered", H5T_STD_I32LE, space, NONE, list, NONE);
  CALL_ID(set);
  H5Pclose(list);
  list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(list, 1, chunk);
  H5Pset_shuffle(list);
  CALL(H5Pset_virtual(list, space, ".", "p0", space));
  set = H5Dcreate2(file, "shuffled", H5T_STD_I32LE, space, NONE, list, NONE);
  CALL_ID(set);
}

/* What the file stores of the mappings. */
static void stored(void) {
  hid_t file = H5Fopen("virtual_io.h5", H5F_ACC_RDONLY, NONE), set, list;
  const char* names[] = {"strides", "overlap", "offsets", "plane"};
  int i;
  puts("-- stored");
  for (i = 0; i < 4; ++i) {
    set = H5Dopen2(file, names[i], NONE);
    list = H5Dget_create_plist(set);
    show_mappings(names[i], list);
    H5Pclose(list);
    H5Dclose(set);
  }
  set = H5Dopen2(file, "offsets", NONE);
  show_virtual("offsets", set);
  H5Dclose(set);
  H5Fclose(file);
}

int main(void) {
  hid_t file;
  quiet();
  file = new_file("virtual_io.h5");
  missing_sources(file);
  sizes_of_sources(file);
  overlaps(file);
  extents(file);
  offsets(file);
  offsets_of_planes(file);
  conversions(file);
  partial(file);
  nested(file);
  other_files(file);
  queries(file);
  CALL(H5Fclose(file));
  stored();
  return 0;
}
