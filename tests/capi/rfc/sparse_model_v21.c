/* SPDX-License-Identifier: Apache-2.0
 *
 * "Programming Model to Support Sparse Data in HDF5", version 21: introduction, sections 2 and 2.1. */
#include "check.h"
#include "sparse.h"

static int plugin_calls, plugin_rank;

static herr_t plugin_set_local(hid_t plist, hid_t type, hid_t space) {
  hsize_t chunk[2] = {0, 0};
  unsigned flags, values[4] = {0, 0, 0, 0};
  size_t count = 4;
  ++plugin_calls;
  plugin_rank = H5Pget_chunk(plist, 2, chunk);
  if (plugin_rank != 2 || chunk[0] != 4 || chunk[1] != 5) return -1;
  if (H5Pget_filter_by_id2(plist, 300, &flags, &count, values, 0, NULL, NULL) < 0) return -1;
  values[1] = (unsigned)H5Tget_size(type);
  return H5Pmodify_filter(plist, 300, flags, 2, values);
}

static size_t plugin_filter(unsigned flags, size_t count, const unsigned values[], size_t bytes,
                            size_t* capacity, void** buffer) {
  size_t i;
  for (i = 0; i < bytes; ++i) ((unsigned char*)*buffer)[i] ^= (unsigned char)values[0];
  return count == 2 && values[1] == 4 ? bytes : 0;
}

static void check_introduction(hid_t file) {
  hid_t creation = sparse_plist(), set = new_dataset(file, "introduction", H5T_STD_I32LE, creation), text,
        list;
  H5_section_type_t kinds[3] = {H5_SECTION_UNKNOWN, H5_SECTION_UNKNOWN, H5_SECTION_UNKNOWN};
  int count = 0;
  unsigned flag = 99;
  hsize_t dims[2];
  write_matrix(set);
  CHECK("1", "a matrix is stored by its elements that are not zero",
        reads_matrix(set, 0) && count_defined(set, H5S_ALL) == DEFINED);
  H5Pget_struct_sections_info(set, &count, kinds);
  CHECK("1", "fixed-size data have two sections: selection and values",
        count == 2 && kinds[0] == H5_SECTION_SELECTION && kinds[1] == H5_SECTION_FIXED);
  H5Dclose(set);
  set = H5Dopen2(file, "introduction", H5P_DEFAULT);
  list = H5Dget_create_plist(set);
  CHECK("1", "the creation list of such a dataset says so, too",
        H5Pget_struct_chunk(list, 2, dims, &flag) == 2 && flag == H5D_SPARSE_CHUNK && dims[1] == 5 &&
            H5Pget_struct_chunk_sections(list, &count, NULL) >= 0 && count == 2);
  H5Pclose(list);
  H5Dclose(set);
  text = H5Tcopy(H5T_C_S1);
  H5Tset_size(text, H5T_VARIABLE);
  set = new_dataset(file, "texts", text, creation);
  H5Pget_struct_sections_info(set, &count, kinds);
  CHECK("1", "variable-length data have a third section", count == 3 && kinds[2] == H5_SECTION_VL);
  H5Dclose(set);
  H5Tclose(text);
  H5Pclose(creation);
}

static void check_steps(hid_t file) {
  hid_t creation = sparse_plist(), set, selection = matrix_selection(), defined, memory, list;
  int values[ROWS][COLUMNS], packed[DEFINED];
  hsize_t length, dims[2] = {0, 0};
  CHECK("2", "creating: filters are added to the list", H5Pset_deflate(creation, 6) >= 0);
  set = new_dataset(file, "steps", H5T_STD_I32LE, creation);
  fill_matrix(values);
  CHECK("2", "writing: selections of memory and file are those of dense data",
        H5Dwrite(set, H5T_NATIVE_INT, selection, selection, H5P_DEFAULT, values) >= 0);
  CHECK("2", "the dataset and the list are closed", H5Dclose(set) >= 0 && H5Pclose(creation) >= 0);
  set = H5Dopen2(file, "steps", H5P_DEFAULT);
  list = H5Dget_create_plist(set);
  CHECK("2", "reading: chunk dimensions and filters are found",
        H5Pget_struct_chunk(list, 2, dims, NULL) == 2 && dims[0] == 4 && H5Pget_nfilters(list) == 1);
  CHECK("2", "hyperslabs are read without changes", reads_matrix(set, 0));
  defined = H5Dget_defined(set, H5S_ALL, H5P_DEFAULT);
  length = (hsize_t)H5Sget_select_npoints(defined);
  memory = H5Screate_simple(1, &length, NULL);
  CHECK("2", "the number of defined elements sizes the buffer", length == DEFINED);
  CHECK("2", "the defined elements are read",
        H5Dread(set, H5T_NATIVE_INT, memory, defined, H5P_DEFAULT, packed) >= 0 && packed[0] == 66 &&
            packed[20] == -100);
  values[0][0] = 5;
  values[2][2] = 6;
  H5Sclose(memory);
  length = 2;
  memory = H5Screate_simple(1, &length, NULL);
  {
    const hsize_t points[4] = {0, 0, 2, 2};
    const int two[2] = {5, 6};
    H5Sselect_elements(selection, H5S_SELECT_SET, 2, points);
    H5Dwrite(set, H5T_NATIVE_INT, memory, selection, H5P_DEFAULT, two);
    H5Dread(set, H5T_NATIVE_INT, memory, selection, H5P_DEFAULT, packed);
  }
  CHECK("2", "elements are added and changed by writing them",
        count_defined(set, H5S_ALL) == DEFINED + 1 && packed[1] == 6);
  H5Sclose(memory);
  H5Sclose(defined);
  H5Sclose(selection);
  H5Pclose(list);
  H5Dclose(set);
}

static void check_struct_chunk(hid_t file) {
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE), group = H5Pcreate(H5P_GROUP_CREATE), set;
  hsize_t dims[2] = {9, 9};
  unsigned flag = 99;
  CHECK("2.1.1", "H5Pset_struct_chunk is only for dataset creation lists",
        H5Pset_struct_chunk(group, 2, matrix_chunk, H5D_SPARSE_CHUNK) < 0);
  H5Pset_layout(plist, H5D_COMPACT);
  CHECK("2.1.1", "it sets dimensions and kind",
        H5Pset_struct_chunk(plist, 2, matrix_chunk, H5D_SPARSE_CHUNK) >= 0);
  CHECK("2.1.1", "the layout becomes H5D_STRUCT_CHUNK", H5Pget_layout(plist) == H5D_STRUCT_CHUNK);
  CHECK("2.1.1", "unknown flags are refused", H5Pset_struct_chunk(plist, 2, matrix_chunk, 64) < 0);
  CHECK("2.1.2", "H5Pget_struct_chunk gives rank, dimensions and kind",
        H5Pget_struct_chunk(plist, 2, dims, &flag) == 2 && dims[0] == 4 && dims[1] == 5 &&
            flag == H5D_SPARSE_CHUNK);
  dims[0] = dims[1] = 9;
  CHECK("2.1.2", "at most max_ndims entries are stored",
        H5Pget_struct_chunk(plist, 1, dims, NULL) == 2 && dims[1] == 9);
  CHECK("2.1.2", "it fails for lists of other classes", H5Pget_struct_chunk(group, 2, dims, &flag) < 0);
  H5Pset_layout(plist, H5D_CHUNKED);
  CHECK("2.1.2", "it fails for other layouts", H5Pget_struct_chunk(plist, 2, dims, &flag) < 0);
  H5Pset_struct_chunk(plist, 2, matrix_chunk, H5D_VL_CHUNK);
  CHECK("2.1.1", "H5D_VL_CHUNK is for dense data of variable length",
        H5Pget_struct_chunk(plist, 2, NULL, &flag) == 2 && flag == H5D_VL_CHUNK);
  CHECK("2.1.1", "fixed-size data cannot have it", new_dataset(file, "vl", H5T_STD_I32LE, plist) < 0);
  H5Pclose(plist);
  plist = H5Pcreate(H5P_DATASET_CREATE);
  CHECK("2.1.3", "H5Pset_sparse_chunk is H5Pset_struct_chunk with the kind of sparse data",
        H5Pset_sparse_chunk(plist, 2, matrix_chunk) >= 0 && H5Pget_struct_chunk(plist, 2, dims, &flag) == 2 &&
            flag == H5D_SPARSE_CHUNK);
  H5Pclose(plist);
  plist = H5Pcreate(H5P_DATASET_CREATE);
  CHECK("2.1.3", "the layout H5D_STRUCT_CHUNK is set with H5Pset_layout",
        H5Pset_layout(plist, H5D_STRUCT_CHUNK) >= 0);
  CHECK("2.1.3", "H5Pset_chunk then sets the dimensions of sparse chunks",
        H5Pset_chunk(plist, 2, matrix_chunk) >= 0 && H5Pget_layout(plist) == H5D_STRUCT_CHUNK &&
            H5Pget_struct_chunk(plist, 2, dims, &flag) == 2 && flag == H5D_SPARSE_CHUNK && dims[0] == 4);
  set = new_dataset(file, "by_layout", H5T_STD_I32LE, plist);
  CHECK("2.1.3", "such a dataset is sparse",
        write_matrix(set) >= 0 && count_defined(set, H5S_ALL) == DEFINED);
  H5Dclose(set);
  H5Pclose(plist);
  H5Pclose(group);
}

/* Creates a dataset with the hint and one more property. */
static int hint_creates(hid_t file, const char* name, hid_t plist, hid_t type, hid_t space) {
  hid_t set;
  if (H5Pset_density(plist, H5D_DENSITY_SPARSE) < 0) return 0;
  set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, plist, H5P_DEFAULT);
  H5Pclose(plist);
  if (set < 0) return 0;
  H5Dclose(set);
  return 1;
}

static void check_density(hid_t file) {
  hid_t plist = H5Pcreate(H5P_DATASET_CREATE), set, space = H5Screate_simple(2, matrix_dims, NULL);
  hid_t scalar = H5Screate(H5S_SCALAR), null = H5Screate(H5S_NULL);
  unsigned density = 99;
  CHECK("2.1.4", "a list is dense unless it is set otherwise",
        H5Pget_density(plist, &density) >= 0 && density == H5D_DENSITY_DENSE);
  CHECK("2.1.4", "H5Pset_density takes DENSE and SPARSE only", H5Pset_density(plist, 17) < 0);
  CHECK("2.1.4", "H5Pget_density gives what was set",
        H5Pset_density(plist, H5D_DENSITY_SPARSE) >= 0 && H5Pget_density(plist, &density) >= 0 &&
            density == H5D_DENSITY_SPARSE);
  H5Pset_chunk(plist, 2, matrix_chunk);
  set = new_dataset(file, "hint", H5T_STD_I32LE, plist);
  CHECK("2.1.4", "such a dataset is stored sparsely",
        write_matrix(set) >= 0 && count_defined(set, H5S_ALL) == DEFINED);
  H5Dclose(set);
  H5Pset_density(plist, H5D_DENSITY_DENSE);
  set = new_dataset(file, "no_hint", H5T_STD_I32LE, plist);
  CHECK("2.1.4", "DENSE is the existing behaviour", count_defined(set, H5S_ALL) == ROWS * COLUMNS);
  H5Dclose(set);
  H5Pclose(plist);
  CHECK("2.1.4", "a hint does not make creation fail: scalar",
        hint_creates(file, "h1", H5Pcreate(H5P_DATASET_CREATE), H5T_STD_I32LE, scalar));
  CHECK("2.1.4", "a hint does not make creation fail: null",
        hint_creates(file, "h2", H5Pcreate(H5P_DATASET_CREATE), H5T_STD_I32LE, null));
  CHECK("2.1.4", "a hint does not make creation fail: no chunks",
        hint_creates(file, "h3", H5Pcreate(H5P_DATASET_CREATE), H5T_STD_I32LE, space));
  plist = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_layout(plist, H5D_COMPACT);
  CHECK("2.1.4", "a hint does not make creation fail: compact",
        hint_creates(file, "h4", plist, H5T_STD_I32LE, space));
  plist = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(plist, "external.raw", 0, H5F_UNLIMITED);
  CHECK("2.1.4", "a hint does not make creation fail: external files",
        hint_creates(file, "h5", plist, H5T_STD_I32LE, space));
  plist = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(plist, 2, matrix_chunk);
  H5Pset_alloc_time(plist, H5D_ALLOC_TIME_EARLY);
  CHECK("2.1.4", "a hint does not make creation fail: early allocation",
        hint_creates(file, "h6", plist, H5T_STD_I32LE, space));
  plist = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(plist, 2, matrix_chunk);
  H5Pset_shuffle(plist);
  H5Pset_nbit(plist);
  CHECK("2.1.4", "a hint does not make creation fail: filters that fit dense data",
        hint_creates(file, "h7", plist, H5T_STD_I32LE, space));
  H5Sclose(space);
  H5Sclose(scalar);
  H5Sclose(null);
}

static void check_defined_and_erase(hid_t file) {
  const hsize_t start[2] = {2, 2}, count[2] = {2, 3};
  hid_t creation = sparse_plist(), set = new_dataset(file, "erase", H5T_STD_I32LE, creation), block, dense,
        found;
  write_matrix(set);
  block = H5Screate_simple(2, matrix_dims, NULL);
  H5Sselect_hyperslab(block, H5S_SELECT_SET, start, NULL, count, NULL);
  CHECK("2.1.4a", "H5Dget_defined finds the defined elements of a selection", count_defined(set, block) == 6);
  CHECK("2.1.4a", "H5S_ALL finds all", count_defined(set, H5S_ALL) == DEFINED);
  CHECK("2.1.4a", "failure gives H5I_INVALID_HID", H5Dget_defined(set, set, H5P_DEFAULT) == H5I_INVALID_HID);
  dense = new_dataset(file, "erase_dense", H5T_STD_I32LE, H5P_DEFAULT);
  found = H5Dget_defined(dense, block, H5P_DEFAULT);
  CHECK("2.1.4a", "other layouts return a copy of the selection", H5Sselect_shape_same(found, block) > 0);
  H5Sclose(found);
  CHECK("2.1.5", "H5Derase undefines elements",
        H5Derase(set, block, H5P_DEFAULT) >= 0 && count_defined(set, H5S_ALL) == DEFINED - 6);
  CHECK("2.1.5", "H5Derase fails for other layouts", H5Derase(dense, block, H5P_DEFAULT) < 0);
  H5Dclose(dense);
  H5Dclose(set);
  H5Sclose(block);
  H5Pclose(creation);
}

static void check_existing_filters(hid_t file) {
  const H5Z_class2_t plugin = {H5Z_CLASS_T_VERS, 300, 1, 1, "plugin", NULL, plugin_set_local, plugin_filter};
  const unsigned key = 0x5a;
  hsize_t dims[2];
  hid_t plist = sparse_plist(), set;
  H5Zregister(&plugin);
  H5Pset_filter(plist, 300, H5Z_FLAG_MANDATORY, 1, &key);
  CHECK("2.3", "H5Pget_chunk does not take sparse lists for chunked ones", H5Pget_chunk(plist, 2, dims) < 0);
  set = new_dataset(file, "plugin", H5T_STD_I32LE, plist);
  CHECK("2.3", "user-defined filters find the chunk in set_local",
        set >= 0 && plugin_calls >= 2 && plugin_rank == 2);
  CHECK("2.3", "they filter each section", write_matrix(set) >= 0 && reads_matrix(set, 0));
  H5Dclose(set);
  H5Pclose(plist);
  plist = sparse_plist();
  plugin_calls = 0;
  H5Pset_filter2(plist, H5Z_FLAG_SPARSE_SELECTION, 300, H5Z_FLAG_MANDATORY, sizeof key, &key);
  set = new_dataset(file, "plugin_of_one", H5T_STD_I32LE, plist);
  CHECK("2.3", "a filter of the selection section alone is prepared as well",
        set >= 0 && plugin_calls == 1 && write_matrix(set) >= 0);
  H5Dclose(set);
  H5Pclose(plist);
}

int main(void) {
  hid_t file;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  file = new_file("sparse_model_v21.h5");
  check_introduction(file);
  check_steps(file);
  check_struct_chunk(file);
  check_density(file);
  check_defined_and_erase(file);
  check_existing_filters(file);
  CHECK("2", "the file is closed", H5Fclose(file) >= 0);
  return check_summary();
}
