/* SPDX-License-Identifier: Apache-2.0
 *
 * Virtual datasets that grow with their sources: selections without limit, numbered sources, views and gaps.
 */
#include "virtual.h"

static void extend(hid_t set, hsize_t length) { show_result("H5Dset_extent", H5Dset_extent(set, &length)); }

static hid_t access_list(H5D_vds_view_t view, hsize_t gap) {
  hid_t list = H5Pcreate(H5P_DATASET_ACCESS);
  H5Pset_virtual_view(list, view);
  H5Pset_virtual_printf_gap(list, gap);
  return list;
}

static void show_opened(const char* what, hid_t file, const char* name, H5D_vds_view_t view, hsize_t gap) {
  hid_t list = access_list(view, gap), set = H5Dopen2(file, name, list), back;
  H5D_vds_view_t seen = (H5D_vds_view_t)9;
  hsize_t seen_gap = 99;
  back = H5Dget_access_plist(set);
  H5Pget_virtual_view(back, &seen);
  H5Pget_virtual_printf_gap(back, &seen_gap);
  printf("view %d, gap %lld\n", (int)seen, (long long)seen_gap);
  show_virtual(what, set);
  H5Pclose(back);
  H5Dclose(set);
  H5Pclose(list);
}

/* One source without limit. */
static void one_source(hid_t file) {
  hid_t from = source(file, "u", 4, H5S_UNLIMITED, 1), blocks = part(4, 0, 1, 1, H5S_UNLIMITED), list, set;
  puts("-- one source");
  list = mapped(blocks, ".", "u", blocks);
  set = H5Dcreate2(file, "one", H5T_STD_I32LE, line_up_to(10, H5S_UNLIMITED), NONE, list, NONE);
  show_virtual("created as 10", set);
  extend(from, 6);
  show_virtual("source of 6", set);
  extend(from, 3);
  show_virtual("source of 3", set);
  extend(set, 2);
  show_virtual("set to 2", set);
  extend(set, 8);
  show_virtual("set to 8", set);
  extend(from, 0);
  show_virtual("source of 0", set);
  extend(from, 5);
  CALL(H5Ldelete(file, "u", NONE));
  H5Dclose(set);
  H5Dclose(from);
  show_opened("opened again", file, "one", H5D_VDS_LAST_AVAILABLE, 0);
  show_opened("first missing", file, "one", H5D_VDS_FIRST_MISSING, 0);
  H5Pclose(list);
}

/* A maximum of the virtual dataset. HDF5 fails when a source has more elements. */
static void maximum(hid_t file) {
  hid_t from = source(file, "m", 4, H5S_UNLIMITED, 1), blocks = part(4, 0, 1, 1, H5S_UNLIMITED), list, set;
  puts("-- maximum");
  list = mapped(blocks, ".", "m", blocks);
  set = H5Dcreate2(file, "most 5", H5T_STD_I32LE, line_up_to(2, 5), NONE, list, NONE);
  show_virtual("most 5", set);
  extend(from, 5);
  show_virtual("source of 5", set);
  extend(set, 6);
  H5Dclose(set);
  H5Pclose(list);
  H5Dclose(from);
}

/* Two sources whose elements alternate. */
static void interleaved(hid_t file) {
  hid_t a = source(file, "even", 3, H5S_UNLIMITED, 10), b = source(file, "odd", 5, H5S_UNLIMITED, 20);
  hid_t blocks = part(4, 0, 1, 1, H5S_UNLIMITED), list, set;
  puts("-- interleaved");
  list = mapped(part(4, 0, 2, H5S_UNLIMITED, 1), ".", "even", blocks);
  H5Pset_virtual(list, part(4, 1, 2, H5S_UNLIMITED, 1), ".", "odd", blocks);
  set = H5Dcreate2(file, "both", H5T_STD_I32LE, line_up_to(4, H5S_UNLIMITED), NONE, list, NONE);
  show_virtual("created", set);
  extend(a, 4);
  show_virtual("one more", set);
  H5Dclose(set);
  show_opened("first missing", file, "both", H5D_VDS_FIRST_MISSING, 0);
  show_opened("last available", file, "both", H5D_VDS_LAST_AVAILABLE, 0);
  extend(b, 1);
  show_opened("first missing", file, "both", H5D_VDS_FIRST_MISSING, 0);
  show_opened("last available", file, "both", H5D_VDS_LAST_AVAILABLE, 0);
  H5Pclose(list);
  H5Dclose(a);
  H5Dclose(b);
}

/* Blocks of several elements, with gaps in the source too. */
static void strides(hid_t file) {
  hid_t from = source(file, "s", 7, H5S_UNLIMITED, 1), list;
  puts("-- strides");
  list = mapped(part(4, 1, 4, H5S_UNLIMITED, 2), ".", "s", part(4, 0, 3, H5S_UNLIMITED, 1));
  create_virtual(file, "every third", line_up_to(4, H5S_UNLIMITED), list);
  show_opened("first missing", file, "every third", H5D_VDS_FIRST_MISSING, 0);
  list = mapped(part(4, 2, 3, H5S_UNLIMITED, 1), ".", "s", part(4, 1, 1, 1, H5S_UNLIMITED));
  create_virtual(file, "to every third", line_up_to(4, H5S_UNLIMITED), list);
  show_opened("first missing", file, "to every third", H5D_VDS_FIRST_MISSING, 0);
  H5Dclose(from);
}

/* A fixed mapping beside one without limit. */
static void mixed(hid_t file) {
  hid_t from = source(file, "x", 2, H5S_UNLIMITED, 1), blocks = part(4, 0, 1, 1, H5S_UNLIMITED), list, set;
  puts("-- mixed");
  new_source(file, "head", 3, 100);
  list = mapped(part(5, 0, 1, 3, 1), ".", "head", line(3));
  H5Pset_virtual(list, part(5, 5, 1, 1, H5S_UNLIMITED), ".", "x", blocks);
  set = H5Dcreate2(file, "mixed", H5T_STD_I32LE, line_up_to(3, H5S_UNLIMITED), NONE, list, NONE);
  show_virtual("mixed", set);
  extend(from, 0);
  show_virtual("without the source", set);
  H5Dclose(set);
  show_opened("first missing", file, "mixed", H5D_VDS_FIRST_MISSING, 0);
  H5Pclose(list);
  H5Dclose(from);
}

/* Every block of a selection has a source of its own. */
static void numbered(hid_t file) {
  hid_t list, set, second;
  puts("-- numbered");
  list = mapped(part(0, 0, 4, H5S_UNLIMITED, 4), ".", "b%b", line(4));
  set = H5Dcreate2(file, "numbered", H5T_STD_I32LE, line_up_to(10, H5S_UNLIMITED), NONE, list, NONE);
  show_virtual("none", set);
  new_source(file, "b0", 4, 1);
  show_virtual("b0", set);
  new_source(file, "b2", 4, 21);
  show_virtual("b0 and b2", set);
  H5Dclose(set);
  show_opened("gap 1", file, "numbered", H5D_VDS_LAST_AVAILABLE, 1);
  show_opened("gap 0", file, "numbered", H5D_VDS_LAST_AVAILABLE, 0);
  show_opened("first missing", file, "numbered", H5D_VDS_FIRST_MISSING, 1);
  new_source(file, "b5", 4, 51);
  show_opened("gap 2", file, "numbered", H5D_VDS_LAST_AVAILABLE, 2);
  show_opened("gap 1", file, "numbered", H5D_VDS_LAST_AVAILABLE, 1);
  new_source(file, "b1", 4, 11);
  show_opened("gap 0, b1", file, "numbered", H5D_VDS_LAST_AVAILABLE, 0);
  show_opened("first missing, b1", file, "numbered", H5D_VDS_FIRST_MISSING, 0);
  CALL(H5Ldelete(file, "b0", NONE));
  show_opened("without b0", file, "numbered", H5D_VDS_LAST_AVAILABLE, 0);
  show_opened("without b0, gap 1", file, "numbered", H5D_VDS_LAST_AVAILABLE, 1);
  set = H5Dopen2(file, "numbered", NONE);
  second = H5Dopen2(file, "numbered", NONE);
  show_virtual("first id", set);
  new_source(file, "b0", 4, 1);
  show_virtual("second id, b0", second);
  show_virtual("first id, b0", set);
  CALL(H5Ldelete(file, "b2", NONE));
  H5Dclose(set);
  H5Dclose(second);
  show_opened("deleted", file, "numbered", H5D_VDS_LAST_AVAILABLE, 0);
  H5Pclose(list);
}

/* Numbers in the names of files, and blocks with space between them. */
static void numbered_files(hid_t file) {
  hid_t list, other;
  puts("-- numbered files");
  list = mapped(part(0, 1, 5, H5S_UNLIMITED, 3), "numbered%b.h5", "d", part(8, 0, 2, 3, 1));
  create_virtual(file, "files", line_up_to(3, H5S_UNLIMITED), list);
  other = new_file("numbered0.h5");
  new_source(other, "d", 8, 1);
  H5Fclose(other);
  other = new_file("numbered1.h5");
  new_source(other, "d", 8, 11);
  H5Fclose(other);
  show_opened("two files", file, "files", H5D_VDS_LAST_AVAILABLE, 0);
  show_opened("first missing", file, "files", H5D_VDS_FIRST_MISSING, 0);
}

/* Two dimensions, one of which grows. */
static void planes(hid_t file) {
  const hsize_t dims[2] = {2, 3}, most[2] = {H5S_UNLIMITED, 3}, start[2] = {0, 0},
                count[2] = {H5S_UNLIMITED, 1};
  const hsize_t block[2] = {1, 3}, stride[2] = {1, 3}, chunk[2] = {2, 2}, larger[2] = {3, 3};
  hid_t space = H5Screate_simple(2, dims, most), selected = H5Scopy(space),
        list = H5Pcreate(H5P_DATASET_CREATE), from, set;
  hsize_t now[2] = {0, 0};
  int values[12] = {1, 2, 3, 4, 5, 6}, i;
  puts("-- planes");
  H5Pset_chunk(list, 2, chunk);
  from = H5Dcreate2(file, "rows", H5T_STD_I32LE, space, NONE, list, NONE);
  H5Dwrite(from, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values);
  H5Sselect_hyperslab(selected, H5S_SELECT_SET, start, stride, count, block);
  H5Pclose(list);
  list = mapped(selected, ".", "rows", selected);
  set = H5Dcreate2(file, "virtual rows", H5T_STD_I32LE, space, NONE, list, NONE);
  CALL_ID(set);
  H5Dset_extent(from, larger);
  H5Sget_simple_extent_dims(H5Dget_space(set), now, NULL);
  printf("%d x %d:", (int)now[0], (int)now[1]);
  CALL(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, NONE, values));
  for (i = 0; i < 9; ++i) printf(" %d", values[i]);
  puts("");
  CALL(H5Dset_extent(set, dims));
  H5Dclose(set);
  H5Dclose(from);
  H5Pclose(list);
}

/* Offsets of selections without limit. */
static void offsets(hid_t file) {
  hid_t from = source(file, "o", 6, H5S_UNLIMITED, 1), to = part(4, 2, 1, 1, H5S_UNLIMITED), list;
  hid_t of = part(4, 0, 1, 1, H5S_UNLIMITED), numbered_part = part(4, 4, 4, H5S_UNLIMITED, 2);
  const hssize_t left[1] = {-1}, right[1] = {2}, four[1] = {-4};
  puts("-- offsets");
  H5Soffset_simple(to, left);
  H5Soffset_simple(of, right);
  list = mapped(to, ".", "o", of);
  create_virtual(file, "moved", line_up_to(4, H5S_UNLIMITED), list);
  show_opened("opened again", file, "moved", H5D_VDS_LAST_AVAILABLE, 0);
  H5Soffset_simple(numbered_part, four);
  new_source(file, "n0", 2, 1);
  new_source(file, "n1", 2, 11);
  list = mapped(numbered_part, ".", "n%b", line(2));
  create_virtual(file, "moved blocks", line_up_to(4, H5S_UNLIMITED), list);
  H5Dclose(from);
}

int main(void) {
  hid_t file;
  quiet();
  file = new_file("virtual_growing.h5");
  one_source(file);
  maximum(file);
  interleaved(file);
  strides(file);
  mixed(file);
  numbered(file);
  numbered_files(file);
  planes(file);
  offsets(file);
  CALL(H5Fclose(file));
  file = H5Fopen("virtual_growing.h5", H5F_ACC_RDONLY, NONE);
  show_opened("in a new file: both", file, "both", H5D_VDS_LAST_AVAILABLE, 0);
  show_opened("moved", file, "moved", H5D_VDS_LAST_AVAILABLE, 0);
  show_opened("moved blocks", file, "moved blocks", H5D_VDS_LAST_AVAILABLE, 0);
  H5Fclose(file);
  return 0;
}
