/* SPDX-License-Identifier: Apache-2.0
 *
 * Encoded property lists. `write FOLDER` encodes some into files; `read FOLDER` decodes those of the other
 * library and compares them with the same lists made here.
 */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LISTS 13
#define MOST_BYTES (1 << 16)

/* The latest version differs between releases. */
static hid_t file_access(void) {
  hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(list, H5F_LIBVER_V18, H5F_LIBVER_V110);
  return list;
}

static void set_file_access(hid_t list) {
  H5AC_cache_config_t cache;
  cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  H5Pget_mdc_config(list, &cache);
  cache.initial_size = 3 << 20;
  H5Pset_mdc_config(list, &cache);
  H5Pset_fapl_sec2(list);
  H5Pset_alignment(list, 100, 4096);
  H5Pset_cache(list, 0, 101, 1 << 20, 0.25);
  H5Pset_fclose_degree(list, H5F_CLOSE_STRONG);
  H5Pset_sieve_buf_size(list, 1000);
  H5Pset_meta_block_size(list, 5000);
  H5Pset_small_data_block_size(list, 777);
  H5Pset_elink_file_cache_size(list, 3);
  H5Pset_page_buffer_size(list, 65536, 10, 20);
  H5Pset_family_offset(list, 100);
}

static void set_sources(hid_t list) {
  const hsize_t extent[1] = {12}, half[1] = {6}, first[1] = {0}, second[1] = {6};
  hid_t space = H5Screate_simple(1, extent, NULL), source = H5Screate_simple(1, half, NULL);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, first, NULL, half, NULL);
  H5Pset_virtual(list, space, "a.h5", "/of/a", source);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, second, NULL, half, NULL);
  H5Pset_virtual(list, space, "b.h5", "/of/b", source);
  H5Sclose(source);
  H5Sclose(space);
}

static hid_t make_list(int which) {
  const hsize_t chunk[2] = {4, 6};
  const double fill = 2.5;
  const unsigned parameters[3] = {1, 2, 3};
  hid_t list = -1;
  switch (which) {
    case 0:
      list = H5Pcreate(H5P_DATASET_CREATE);
      H5Pset_chunk(list, 2, chunk);
      H5Pset_shuffle(list);
      H5Pset_deflate(list, 6);
      H5Pset_filter(list, 300, H5Z_FLAG_OPTIONAL, 3, parameters);
      H5Pset_fill_value(list, H5T_NATIVE_DOUBLE, &fill);
      H5Pset_alloc_time(list, H5D_ALLOC_TIME_INCR);
      H5Pset_attr_phase_change(list, 10, 5);
      break;
    case 1:
      list = H5Pcreate(H5P_DATASET_CREATE);
      H5Pset_external(list, "a.raw", 16, 64);
      H5Pset_external(list, "b.raw", 0, H5F_UNLIMITED);
      break;
    case 2:
      list = H5Pcreate(H5P_FILE_CREATE);
      H5Pset_userblock(list, 1024);
      H5Pset_sizes(list, 8, 4);
      H5Pset_file_space_strategy(list, H5F_FSPACE_STRATEGY_PAGE, 1, 7);
      H5Pset_link_phase_change(list, 20, 3);
      break;
    case 3:
      list = H5Pcreate(H5P_DATASET_XFER);
      H5Pset_data_transform(list, "2*x+1");
      H5Pset_edc_check(list, H5Z_DISABLE_EDC);
      break;
    case 4:
      list = H5Pcreate(H5P_LINK_CREATE);
      H5Pset_create_intermediate_group(list, 1);
      H5Pset_char_encoding(list, H5T_CSET_UTF8);
      break;
    case 5:
      list = H5Pcreate(H5P_GROUP_CREATE);
      H5Pset_est_link_info(list, 9, 77);
      H5Pset_link_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
      break;
    case 6:
      list = H5Pcreate(H5P_DATASET_ACCESS);
      H5Pset_chunk_cache(list, 521, 1 << 20, 0.5);
      H5Pset_efile_prefix(list, "/data");
      H5Pset_virtual_view(list, H5D_VDS_FIRST_MISSING);
      break;
    case 7:
      list = H5Pcreate(H5P_OBJECT_COPY);
      H5Pset_copy_object(list, H5O_COPY_SHALLOW_HIERARCHY_FLAG);
      break;
    case 8:
      list = H5Pcreate(H5P_LINK_ACCESS);
      H5Pset_nlinks(list, 5);
      H5Pset_elink_prefix(list, "abc");
      break;
    case 9:
      list = file_access();
      break;
    case 10:
      list = file_access();
      set_file_access(list);
      break;
    case 11:
      list = H5Pcreate(H5P_DATASET_CREATE);
      set_sources(list);
      break;
    case 12:
      list = H5Pcreate(H5P_DATASET_CREATE);
      H5Pset_chunk(list, 2, chunk);
      set_sources(list);
      break;
  }
  return list;
}

static int write_list(const char* path, hid_t list) {
  static char bytes[MOST_BYTES];
  size_t size = sizeof bytes;
  FILE* file = fopen(path, "wb");
  int good = file != NULL && H5Pencode(list, bytes, &size) >= 0 && fwrite(bytes, 1, size, file) == size;
  if (file != NULL) fclose(file);
  return good;
}

static int read_list(const char* path, hid_t list) {
  static char bytes[MOST_BYTES];
  FILE* file = fopen(path, "rb");
  hid_t decoded;
  if (file == NULL) return 0;
  memset(bytes, 0, sizeof bytes);
  if (fread(bytes, 1, sizeof bytes, file) == 0) bytes[0] = 0;
  fclose(file);
  decoded = H5Pdecode(bytes);
  return decoded >= 0 && H5Pequal(list, decoded) > 0;
}

int main(int count, char** words) {
  int which;
  if (count != 3) return 2;
  for (which = 0; which < LISTS; ++which) {
    char path[4096];
    hid_t list = make_list(which);
    snprintf(path, sizeof path, "%s/list%d", words[2], which);
    if (strcmp(words[1], "write") == 0 ? !write_list(path, list) : !read_list(path, list)) {
      printf("list %d: %s failed, or it is another\n", which, words[1]);
      return 1;
    }
    H5Pclose(list);
  }
  printf("%d lists\n", LISTS);
  return 0;
}
