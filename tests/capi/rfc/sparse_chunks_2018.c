/* SPDX-License-Identifier: Apache-2.0
 *
 * "Sparse Chunks", draft of 2018-08-30, statement by statement. */
#include "check.h"
#include "sparse.h"

static void check_introduction(hid_t file) {
  const hsize_t start[2] = {6, 0}, count[2] = {1, 1};
  hid_t creation = sparse_plist(), set, one = H5Screate_simple(2, matrix_dims, NULL), defined;
  int fill = -7, zero = 0;
  hid_t memory = H5Screate(H5S_SCALAR);
  set = new_dataset(file, "introduction", H5T_STD_I32LE, creation);
  CHECK("1", "a new dataset defines no element", count_defined(set, H5S_ALL) == 0);
  CHECK("1", "elements are written by selections", write_matrix(set) >= 0);
  CHECK("1", "only what was written is defined", count_defined(set, H5S_ALL) == DEFINED);
  CHECK("1", "code for dense data reads 0 where nothing is defined", reads_matrix(set, 0));
  H5Sselect_hyperslab(one, H5S_SELECT_SET, start, NULL, count, NULL);
  CHECK("1", "values can be removed from the defined ones",
        H5Derase(set, one, H5P_DEFAULT) >= 0 && count_defined(set, H5S_ALL) == DEFINED - 1);
  CHECK("1", "a written zero is defined",
        H5Dwrite(set, H5T_NATIVE_INT, memory, one, H5P_DEFAULT, &zero) >= 0 &&
            count_defined(set, H5S_ALL) == DEFINED);
  H5Dclose(set);
  H5Pset_fill_value(creation, H5T_NATIVE_INT, &fill);
  set = new_dataset(file, "filled", H5T_STD_I32LE, creation);
  write_matrix(set);
  CHECK("1", "undefined elements read as the fill value that was set", reads_matrix(set, fill));
  defined = H5Dget_defined(set, H5S_ALL, H5P_DEFAULT);
  CHECK("1", "defined elements can be identified and read", H5Sget_select_npoints(defined) == DEFINED);
  H5Sclose(defined);
  H5Dclose(set);
  H5Pclose(creation);
  H5Sclose(one);
  H5Sclose(memory);
}

static void check_fill_times(hid_t file) {
  const H5D_fill_time_t times[3] = {H5D_FILL_TIME_ALLOC, H5D_FILL_TIME_NEVER, H5D_FILL_TIME_IFSET};
  const char* const names[3] = {"alloc", "never", "ifset"};
  int i, fill = 41, all = 1;
  for (i = 0; i < 3; ++i) {
    hid_t creation = sparse_plist(), set;
    H5Pset_fill_value(creation, H5T_NATIVE_INT, &fill);
    H5Pset_fill_time(creation, times[i]);
    set = new_dataset(file, names[i], H5T_STD_I32LE, creation);
    all = all && write_matrix(set) >= 0 && reads_matrix(set, fill);
    H5Dclose(set);
    H5Pclose(creation);
  }
  CHECK("1", "undefined elements read as the fill value whatever the fill time", all);
  {
    hid_t creation = sparse_plist(), set;
    H5Pset_fill_value(creation, H5T_NATIVE_INT, NULL);
    set = new_dataset(file, "no_fill", H5T_STD_I32LE, creation);
    CHECK("1", "without a fill value they read as 0", write_matrix(set) >= 0 && reads_matrix(set, 0));
    H5Dclose(set);
    H5Pclose(creation);
  }
}

static void check_concept(hid_t file) {
  hid_t creation = sparse_plist(), set = new_dataset(file, "concept", H5T_STD_I32LE, creation);
  hsize_t chunks = 0, small = 0, large = 0;
  const hsize_t corner[2] = {0, 0}, last[2] = {12, 5}, none[2] = {8, 5};
  write_matrix(set);
  H5Dflush(set);
  H5Dget_num_chunks(set, H5S_ALL, &chunks);
  CHECK("3.1", "only chunks with defined elements are stored", chunks == 6);
  H5Dget_chunk_storage_size(set, last, &small);
  H5Dget_chunk_storage_size(set, corner, &large);
  CHECK("3.1", "chunks have different sizes in the file", small > 0 && small < large);
  CHECK("3.1", "a chunk without defined elements takes no space",
        H5Dget_chunk_storage_size(set, none, &small) >= 0 && small == 0);
  H5Dclose(set);
  H5Pclose(creation);
}

static void check_allocation(hid_t file) {
  const H5D_alloc_time_t times[3] = {H5D_ALLOC_TIME_EARLY, H5D_ALLOC_TIME_LATE, H5D_ALLOC_TIME_INCR};
  const char* const names[3] = {"alloc_early", "alloc_late", "alloc_incremental"};
  int i, created[3];
  for (i = 0; i < 3; ++i) {
    hid_t creation = sparse_plist(), set;
    H5Pset_alloc_time(creation, times[i]);
    set = new_dataset(file, names[i], H5T_STD_I32LE, creation);
    created[i] = set >= 0;
    if (set >= 0) H5Dclose(set);
    H5Pclose(creation);
  }
  CHECK("6.2.14", "sparse chunks are not allocated before they are written",
        !created[0] && !created[1] && created[2]);
}

static void check_set_sparse_chunk(hid_t file) {
  const hsize_t large[2] = {20, 20}, zero[2] = {0, 5}, many[2] = {(hsize_t)1 << 32, (hsize_t)1 << 32},
                beyond[2] = {65536, 65536};
  hsize_t back[2] = {0, 0};
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE), group = H5Pcreate(H5P_GROUP_CREATE), space, set, bounded;
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_layout(plist, H5D_CONTIGUOUS);
  CHECK("4.1.1", "H5Pset_sparse_chunk takes list, rank and dimensions",
        H5Pset_sparse_chunk(plist, 2, matrix_chunk) >= 0);
  CHECK("4.1.4", "the result is negative on failure", H5Pset_sparse_chunk(plist, 2, NULL) < 0);
  CHECK("4.1.3", "the layout becomes H5D_SPARSE_CHUNKED", H5Pget_layout(plist) == H5D_SPARSE_CHUNKED);
  CHECK("4.1.3", "other lists than those of dataset creation are refused",
        H5Pset_sparse_chunk(group, 2, matrix_chunk) < 0);
  CHECK("4.1.3", "a dimension of no elements is refused", H5Pset_sparse_chunk(plist, 2, zero) < 0);
  CHECK("4.2.1", "H5Pget_sparse_chunk gives rank and dimensions",
        H5Pget_sparse_chunk(plist, 2, back) == 2 && back[0] == 4 && back[1] == 5);
  back[0] = back[1] = 99;
  CHECK("4.2.3", "at most max_ndims entries are stored",
        H5Pget_sparse_chunk(plist, 1, back) == 2 && back[0] == 4 && back[1] == 99);
  CHECK("4.2.3", "it fails for lists of other classes", H5Pget_sparse_chunk(group, 2, back) < 0);
  H5Pset_sparse_chunk(plist, 1, matrix_chunk);
  CHECK("4.1.3", "chunks have the rank of the dataset", new_dataset(file, "rank", H5T_STD_I32LE, plist) < 0);
  H5Pset_sparse_chunk(plist, 2, large);
  CHECK("4.1.3", "chunks are not larger than a dataset of fixed size",
        new_dataset(file, "large", H5T_STD_I32LE, plist) < 0);
  CHECK("4.1.3", "more elements than can be counted are refused", H5Pset_sparse_chunk(plist, 2, many) < 0);

  /* Our choice: 2^32 elements and more are an extension that the version bounds may exclude. */
  space = H5Screate_simple(2, beyond, NULL);
  H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V112);
  bounded = H5Fcreate("sparse_bounded.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  CHECK("4.1.3", "chunks of 2^32 elements can be asked for (extension)",
        H5Pset_sparse_chunk(plist, 2, beyond) >= 0);
  set = H5Dcreate2(bounded, "many", H5T_STD_I8LE, space, H5P_DEFAULT, plist, H5P_DEFAULT);
  CHECK("4.1.3", "more than 2^32 - 1 elements fail where the bounds exclude the extension", set < 0);
  set = H5Dcreate2(file, "many", H5T_STD_I8LE, space, H5P_DEFAULT, plist, H5P_DEFAULT);
  CHECK("4.1.3", "they are created with the latest upper bound (extension)",
        set >= 0 && count_defined(set, H5S_ALL) == 0);
  H5Dclose(set);
  H5Sclose(space);
  H5Fclose(bounded);
  H5Pclose(access);
  H5Pclose(plist);
  H5Pclose(group);
}

static void check_get_defined(hid_t file) {
  const hsize_t start[2] = {2, 0}, count[2] = {1, 5};
  hid_t creation = sparse_plist(), set = new_dataset(file, "defined", H5T_STD_I32LE, creation), row, found,
        dense, all;
  int values[ROWS][COLUMNS], back[DEFINED];
  hsize_t length = DEFINED, low[2], high[2];
  write_matrix(set);
  found = H5Dget_defined(set, H5S_ALL, H5P_DEFAULT);
  all = matrix_selection();
  CHECK("4.3.3", "H5S_ALL asks for all defined elements", H5Sget_select_npoints(found) == DEFINED);
  CHECK("4.3.4", "the result is a dataspace of the dataset's extent", H5Sextent_equal(found, all) > 0);
  CHECK("4.3.3", "it selects exactly the written elements", H5Sselect_shape_same(found, all) > 0);
  {
    hid_t memory = H5Screate_simple(1, &length, NULL);
    CHECK("4.5", "the defined elements are read with the selection",
          H5Dread(set, H5T_NATIVE_INT, memory, found, H5P_DEFAULT, back) >= 0 && back[0] == 66 &&
              back[18] == 2 && back[DEFINED - 1] == 3);
    H5Sclose(memory);
  }
  H5Sclose(found);
  row = H5Screate_simple(2, matrix_dims, NULL);
  H5Sselect_hyperslab(row, H5S_SELECT_SET, start, NULL, count, NULL);
  found = H5Dget_defined(set, row, H5P_DEFAULT);
  H5Sget_select_bounds(found, low, high);
  CHECK("4.3.3", "a selection limits the search",
        H5Sget_select_npoints(found) == 3 && low[1] == 2 && high[1] == 4);
  H5Sclose(found);
  fill_matrix(values);
  dense = new_dataset(file, "dense", H5T_STD_I32LE, H5P_DEFAULT);
  found = H5Dget_defined(dense, row, H5P_DEFAULT);
  CHECK("4.3.3", "other layouts return a copy of the selection",
        H5Sget_select_npoints(found) == 5 && H5Sselect_shape_same(found, row) > 0);
  H5Sclose(found);
  CHECK("4.3.3", "of other layouts all elements are defined",
        count_defined(dense, H5S_ALL) == ROWS * COLUMNS);
  CHECK("4.3.4", "an id that is no dataset fails", H5Dget_defined(file, H5S_ALL, H5P_DEFAULT) < 0);
  H5Sclose(row);
  H5Sclose(all);
  H5Dclose(dense);
  H5Dclose(set);
  H5Pclose(creation);
}

static void check_spaces_without_dims(hid_t file) {
  const H5S_class_t kinds[2] = {H5S_SCALAR, H5S_NULL};
  const char* const names[2] = {"scalar", "null"};
  int i;
  for (i = 0; i < 2; ++i) {
    hid_t space = H5Screate(kinds[i]);
    hid_t set = H5Dcreate2(file, names[i], H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    hid_t found = H5Dget_defined(set, H5S_ALL, H5P_DEFAULT), same = H5Dget_defined(set, space, H5P_DEFAULT);
    CHECK("4.3.3", i == 0 ? "a scalar dataset defines its element" : "a null dataset defines nothing",
          H5Sget_simple_extent_type(found) == kinds[i] && H5Sget_select_npoints(found) == 1 - i &&
              H5Sget_simple_extent_type(same) == kinds[i] && H5Sget_select_npoints(same) == 1 - i);
    H5Sclose(found);
    H5Sclose(same);
    H5Sclose(space);
    H5Dclose(set);
  }
}

static void check_erase(hid_t file) {
  const hsize_t start[2] = {0, 0}, count[2] = {4, 10};
  hid_t creation = sparse_plist(), set = new_dataset(file, "erased", H5T_STD_I32LE, creation), rows, dense;
  int back[ROWS][COLUMNS];
  hsize_t chunks = 0;
  write_matrix(set);
  rows = H5Screate_simple(2, matrix_dims, NULL);
  H5Sselect_hyperslab(rows, H5S_SELECT_SET, start, NULL, count, NULL);
  CHECK("4.4.4", "H5Derase succeeds", H5Derase(set, rows, H5P_DEFAULT) >= 0);
  CHECK("4.4.3", "erased elements are not defined any more", count_defined(set, H5S_ALL) == DEFINED - 12);
  H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, back);
  CHECK("4.4.3", "erased elements read as the fill value",
        back[2][2] == 0 && back[3][7] == 0 && back[4][2] == 126);
  H5Dflush(set);
  H5Dget_num_chunks(set, H5S_ALL, &chunks);
  CHECK("4.4.3", "chunks that define nothing any more are gone", chunks == 4);
  CHECK("4.4.3", "erasing what is not defined is no error", H5Derase(set, rows, H5P_DEFAULT) >= 0);
  dense = new_dataset(file, "not_erased", H5T_STD_I32LE, H5P_DEFAULT);
  CHECK("4.4.3", "for other layouts it is an error", H5Derase(dense, rows, H5P_DEFAULT) < 0);
  H5Dclose(dense);
  H5Dclose(set);
  H5Sclose(rows);
  H5Pclose(creation);
}

int main(void) {
  hid_t file;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  file = new_file("sparse_chunks_2018.h5");
  check_introduction(file);
  check_fill_times(file);
  check_concept(file);
  check_allocation(file);
  check_set_sparse_chunk(file);
  check_get_defined(file);
  check_spaces_without_dims(file);
  check_erase(file);
  CHECK("6", "the file is closed", H5Fclose(file) >= 0);
  return check_summary();
}
