/* SPDX-License-Identifier: Apache-2.0
 *
 * "Programming Model to Support Sparse Data in HDF5", version 21, section 2.3: filters of sections. */
#include "check.h"
#include "sparse.h"

static int filters_of(hid_t plist, uint64_t section) {
  int count = -1;
  return H5Pget_nfilter2(plist, section, &count) < 0 ? -1 : count;
}

static hid_t text_type(void) {
  hid_t text = H5Tcopy(H5T_C_S1);
  H5Tset_size(text, H5T_VARIABLE);
  return text;
}

static void check_set_filter2(hid_t file) {
  const unsigned level = 4, other = 9;
  unsigned back[2] = {0, 0};
  uint64_t flags = 99;
  size_t bytes = sizeof back;
  char name[32] = "";
  hid_t plist = sparse_plist(), dense = H5Pcreate(H5P_DATASET_CREATE), group = H5Pcreate(H5P_GROUP_CREATE),
        set;
  CHECK("2.3.1", "a filter is added to one section",
        H5Pset_filter2(plist, H5Z_FLAG_SPARSE_SELECTION, H5Z_FILTER_DEFLATE, H5Z_FLAG_OPTIONAL, sizeof level,
                       &level) >= 0 &&
            filters_of(plist, 0) == 1 && filters_of(plist, 1) == 0);
  CHECK("2.3.1", "the flags of sections are 0, 1 and 2",
        H5Z_FLAG_SPARSE_SELECTION == 0 && H5Z_FLAG_SPARSE_FIXED_DATA == 1 && H5Z_FLAG_SPARSE_VL_DATA == 2);
  CHECK("2.3.1", "filters are added at the end of a pipeline",
        H5Pset_filter2(plist, 1, H5Z_FILTER_SHUFFLE, H5Z_FLAG_OPTIONAL, 0, NULL) >= 0 &&
            H5Pset_filter2(plist, 1, H5Z_FILTER_DEFLATE, H5Z_FLAG_OPTIONAL, sizeof level, &level) >= 0 &&
            H5Pget_filter3(plist, 1, 0, NULL, NULL, NULL, 0, NULL, NULL) == H5Z_FILTER_SHUFFLE);
  CHECK("2.3.1", "a section that chunks do not have is refused",
        H5Pset_filter2(plist, 200, H5Z_FILTER_SHUFFLE, 0, 0, NULL) < 0);
  CHECK("2.3.1", "for dense datasets the section is ignored",
        H5Pset_chunk(dense, 2, matrix_chunk) >= 0 &&
            H5Pset_filter2(dense, 7, H5Z_FILTER_SHUFFLE, 0, 0, NULL) >= 0 && H5Pget_nfilters(dense) == 1);
  CHECK("2.3.1", "lists of group creation have filters as well",
        H5Pset_filter2(group, 0, H5Z_FILTER_DEFLATE, H5Z_FLAG_OPTIONAL, sizeof level, &level) >= 0 &&
            H5Pget_nfilters(group) == 1);
  CHECK("2.3.2", "H5Pget_filter3 gives parameters, flags and name",
        H5Pget_filter3(plist, 1, 1, &flags, &bytes, back, sizeof name, name, NULL) == H5Z_FILTER_DEFLATE &&
            flags == H5Z_FLAG_OPTIONAL && bytes == sizeof level && back[0] == 4 &&
            strcmp(name, "deflate") == 0);
  bytes = sizeof back;
  CHECK("2.3.2", "H5Pget_filter_by_id3 finds a filter of a section",
        H5Pget_filter_by_id3(plist, 0, H5Z_FILTER_DEFLATE, &flags, &bytes, back, 0, NULL, NULL) >= 0 &&
            back[0] == 4);
  CHECK("2.3.2", "it fails where the section does not have it",
        H5Pget_filter_by_id3(plist, 0, H5Z_FILTER_SHUFFLE, &flags, NULL, NULL, 0, NULL, NULL) < 0);
  bytes = sizeof back;
  CHECK("2.3.2", "H5Pmodify_filter2 changes the filter of one section",
        H5Pmodify_filter2(plist, 0, H5Z_FILTER_DEFLATE, H5Z_FLAG_OPTIONAL, sizeof other, &other) >= 0 &&
            H5Pget_filter3(plist, 0, 0, NULL, &bytes, back, 0, NULL, NULL) >= 0 && back[0] == 9 &&
            H5Pget_filter3(plist, 1, 1, NULL, &bytes, back, 0, NULL, NULL) >= 0 && back[0] == 4);
  CHECK("2.3.2", "H5Premove_filter2 removes it from one section",
        H5Premove_filter2(plist, 1, H5Z_FILTER_SHUFFLE) >= 0 && filters_of(plist, 1) == 1 &&
            filters_of(plist, 0) == 1);
  set = new_dataset(file, "one_section", H5T_STD_I32LE, plist);
  CHECK("2.3", "each section has filters of its own", write_matrix(set) >= 0 && reads_matrix(set, 0));
  H5Dclose(set);
  H5Pclose(plist);
  H5Pclose(dense);
  H5Pclose(group);
}

static void check_every_section(hid_t file) {
  const unsigned level = 3, other = 7;
  unsigned back = 0;
  size_t bytes = sizeof back;
  hid_t plist = sparse_plist(), set;
  CHECK("2.3.1", "H5_SECTION_NUM stands for all sections",
        H5Pset_filter2(plist, H5_SECTION_NUM, H5Z_FILTER_DEFLATE, H5Z_FLAG_OPTIONAL, sizeof level, &level) >=
                0 &&
            filters_of(plist, 0) == 1 && filters_of(plist, 1) == 1);
  CHECK("2.3.2", "their filters are counted together",
        filters_of(plist, H5_SECTION_NUM) ==
            filters_of(plist, 0) + filters_of(plist, 1) + filters_of(plist, 2));
  CHECK("2.3.2", "they are changed together",
        H5Pmodify_filter2(plist, H5_SECTION_NUM, H5Z_FILTER_DEFLATE, H5Z_FLAG_OPTIONAL, sizeof other,
                          &other) >= 0 &&
            H5Pget_filter3(plist, 0, 0, NULL, &bytes, &back, 0, NULL, NULL) >= 0 && back == 7);
  set = new_dataset(file, "every", H5T_STD_I32LE, plist);
  CHECK("2.3.1", "a dataset is created with them", write_matrix(set) >= 0 && reads_matrix(set, 0));
  H5Dclose(set);
  CHECK("2.3.2", "they are removed together",
        H5Premove_filter2(plist, H5_SECTION_NUM, H5Z_FILTER_DEFLATE) >= 0 &&
            filters_of(plist, H5_SECTION_NUM) == 0);
  H5Pclose(plist);
}

static void check_sections_info(hid_t file) {
  hid_t plist = sparse_plist(), text = text_type(), set;
  H5_section_type_t kinds[3];
  int count = 0;
  set = new_dataset(file, "info_sparse", H5T_STD_I32LE, plist);
  CHECK("2.3.2", "H5Pget_struct_sections_info names the sections of a dataset",
        H5Pget_struct_sections_info(set, &count, NULL) >= 0 && count == 2 &&
            H5Pget_struct_sections_info(set, &count, kinds) >= 0 && kinds[0] == H5_SECTION_SELECTION &&
            kinds[1] == H5_SECTION_FIXED);
  H5Dclose(set);
  set = new_dataset(file, "info_text", text, H5P_DEFAULT);
  CHECK("2.3.2", "variable-length data in the old form have one section",
        H5Pget_struct_sections_info(set, &count, kinds) >= 0 && count == 1 && kinds[0] == H5_SECTION_FIXED);
  H5Dclose(set);
  H5Pclose(plist);
  plist = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(plist, 2, matrix_chunk);
  set = new_dataset(file, "info_chunked", H5T_STD_I32LE, plist);
  CHECK("2.3.2", "dense chunks have one section",
        H5Pget_struct_sections_info(set, &count, kinds) >= 0 && count == 1 && kinds[0] == H5_SECTION_FIXED);
  CHECK("2.3.2", "it takes datasets only", H5Pget_struct_sections_info(plist, &count, kinds) < 0);
  H5Dclose(set);
  H5Tclose(text);
  H5Pclose(plist);
}

static void check_predefined(hid_t file) {
  const unsigned six = 6;
  hid_t plist = sparse_plist(), same = sparse_plist(), early = H5Pcreate(H5P_DATASET_CREATE),
        text = text_type(), set, list;
  H5Pset_deflate(plist, 6);
  CHECK("2.3.3", "H5Pset_deflate reaches selection and values",
        filters_of(plist, 0) == 1 && filters_of(plist, 1) == 1);
  H5Pset_filter2(same, 0, H5Z_FILTER_DEFLATE, H5Z_FLAG_OPTIONAL, sizeof six, &six);
  H5Pset_filter2(same, 1, H5Z_FILTER_DEFLATE, H5Z_FLAG_OPTIONAL, sizeof six, &six);
  H5Pset_filter2(same, 2, H5Z_FILTER_DEFLATE, H5Z_FLAG_OPTIONAL, sizeof six, &six);
  CHECK("2.3.3", "it is the same as a call for each section", H5Pequal(plist, same) > 0);
  H5Pset_deflate(early, 6);
  H5Pset_struct_chunk(early, 2, matrix_chunk, H5D_SPARSE_CHUNK);
  CHECK("2.3.3", "the order of filter and layout does not matter", H5Pequal(plist, early) > 0);
  set = new_dataset(file, "deflated_texts", text, plist);
  list = H5Dget_create_plist(set);
  CHECK("2.3.3", "with variable-length data it reaches all three sections",
        filters_of(list, 0) == 1 && filters_of(list, 1) == 1 && filters_of(list, 2) == 1);
  H5Pclose(list);
  H5Dclose(set);
  CHECK("2.3.3", "H5Premove_filter2 takes it out of a section",
        H5Premove_filter2(plist, 0, H5Z_FILTER_DEFLATE) >= 0 && filters_of(plist, 0) == 0 &&
            filters_of(plist, 1) == 1);
  H5Pclose(plist);
  H5Pclose(same);
  H5Pclose(early);
  H5Tclose(text);
}

static int round_trip(hid_t file, const char* name, hid_t plist) {
  hid_t set = new_dataset(file, name, H5T_STD_I32LE, plist);
  const int works = set >= 0 && write_matrix(set) >= 0 && H5Dclose(set) >= 0;
  int same;
  if (!works) return 0;
  set = H5Dopen2(file, name, H5P_DEFAULT);
  same = reads_matrix(set, 0) && count_defined(set, H5S_ALL) == DEFINED;
  H5Dclose(set);
  H5Pclose(plist);
  return same;
}

static void check_each_filter(hid_t file) {
  hid_t plist = sparse_plist();
  CHECK("2.3.3", "H5Pset_shuffle works on sparse data",
        H5Pset_shuffle(plist) >= 0 && round_trip(file, "shuffle", plist));
  plist = sparse_plist();
  CHECK("2.3.3", "H5Pset_nbit works on sparse data, on its values",
        H5Pset_nbit(plist) >= 0 && filters_of(plist, 0) == 0 && filters_of(plist, 1) == 1 &&
            round_trip(file, "nbit", plist));
  plist = sparse_plist();
  CHECK("2.3.3", "H5Pset_scaleoffset works on sparse data, on its values",
        H5Pset_scaleoffset(plist, H5Z_SO_INT, 0) >= 0 && filters_of(plist, 0) == 0 &&
            filters_of(plist, 1) == 1 && round_trip(file, "scaleoffset", plist));
  plist = sparse_plist();
  CHECK("2.3.3", "H5Pset_szip works on sparse data, on its values",
        H5Pset_szip(plist, H5_SZIP_NN_OPTION_MASK, 8) >= 0 && filters_of(plist, 0) == 0 &&
            filters_of(plist, 1) == 1 && round_trip(file, "szip", plist));
  plist = sparse_plist();
  CHECK("2.3.4", "Fletcher32 can be added to the values",
        H5Pset_filter2(plist, 1, H5Z_FILTER_FLETCHER32, H5Z_FLAG_MANDATORY, 0, NULL) >= 0 &&
            round_trip(file, "fletcher32", plist));
}

/* Changes a byte of a stored chunk. */
static int damage(const char* name, haddr_t at) {
  FILE* const file = fopen(name, "r+b");
  int byte;
  if (file == NULL) return 0;
  fseek(file, (long)at, SEEK_SET);
  byte = fgetc(file);
  fseek(file, (long)at, SEEK_SET);
  fputc(byte ^ 1, file);
  return fclose(file) == 0;
}

static void check_checksum(void) {
  const char* const name = "sparse_damaged.h5";
  const hsize_t corner[2] = {0, 0};
  hid_t file = new_file(name), plist = sparse_plist(), set;
  haddr_t address = HADDR_UNDEF;
  hsize_t bytes;
  H5Pset_filter2(plist, 1, H5Z_FILTER_FLETCHER32, H5Z_FLAG_MANDATORY, 0, NULL);
  set = new_dataset(file, "d", H5T_STD_I32LE, plist);
  write_matrix(set);
  H5Dflush(set);
  H5Dget_struct_chunk_info_by_coord(set, corner, NULL, &address, &bytes);
  H5Dclose(set);
  H5Fclose(file);
  damage(name, address + 40); /* in the encoded extent, past the fields that are checked anyhow */
  file = H5Fopen(name, H5F_ACC_RDONLY, H5P_DEFAULT);
  set = H5Dopen2(file, "d", H5P_DEFAULT);
  CHECK("2.3.4", "the checksum of the selection finds damage",
        !reads_matrix(set, 0) && count_defined(set, H5S_ALL) < 0);
  H5Dclose(set);
  H5Fclose(file);
  damage(name, address + 40);
  damage(name, address + bytes - 8);
  file = H5Fopen(name, H5F_ACC_RDONLY, H5P_DEFAULT);
  set = H5Dopen2(file, "d", H5P_DEFAULT);
  CHECK("2.3.4", "Fletcher32 finds damage of the values",
        !reads_matrix(set, 0) && count_defined(set, H5S_ALL) == DEFINED);
  H5Dclose(set);
  H5Fclose(file);
  H5Pclose(plist);
}

int main(void) {
  hid_t file;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  file = new_file("sparse_model_v21_filters.h5");
  check_set_filter2(file);
  check_every_section(file);
  check_sections_info(file);
  check_predefined(file);
  check_each_filter(file);
  CHECK("2.3", "the file is closed", H5Fclose(file) >= 0);
  check_checksum();
  return check_summary();
}
