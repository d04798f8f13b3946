/* SPDX-License-Identifier: Apache-2.0
 *
 * Encoded property lists: the same bytes with both libraries, and equal lists after decoding. */
#include "show.h"

/* Prints names as text and all other bytes as numbers. The latest version differs between releases. */
static void show_encoded(const char* buffer, size_t bytes) {
  const char bound[] = "libver_high_bound";
  size_t i;
  for (i = 0; i < bytes; ++i) {
    if (i > sizeof bound && memcmp(buffer + i - sizeof bound, bound, sizeof bound) == 0 &&
        buffer[i] == H5F_LIBVER_LATEST)
      printf("<latest>");
    else if (buffer[i] >= 32 && buffer[i] < 127)
      putchar(buffer[i]);
    else
      printf("<%02x>", (unsigned char)buffer[i]);
  }
  putchar('\n');
}

static void turn(const char* what, hid_t list) {
  size_t bytes = 0, again = 0;
  hid_t back;
  char* buffer;
  printf("-- %s\n", what);
  CALL(H5Pencode(list, NULL, &bytes));
  CALL(bytes);
  buffer = (char*)calloc(1, bytes + 100000);
  again = bytes;
  CALL(H5Pencode(list, buffer, &again));
  show_encoded(buffer, bytes);
  back = H5Pdecode(buffer);
  CALL_ID(back);
  CALL(H5Pequal(list, back));
  again = bytes;
  CALL(H5Pencode(back, buffer, &again));
  show_encoded(buffer, again);
  H5Pclose(back);
  back = H5Pcopy(list);
  CALL(H5Pencode(back, buffer, &again));
  show_encoded(buffer, again);
  H5Pclose(back);
  free(buffer);
  H5Pclose(list);
}

static void turn_defaults(void) {
  turn("object creation", H5Pcreate(H5P_OBJECT_CREATE));
  turn("file creation", H5Pcreate(H5P_FILE_CREATE));
  turn("file access", H5Pcreate(H5P_FILE_ACCESS));
  turn("dataset creation", H5Pcreate(H5P_DATASET_CREATE));
  turn("dataset access", H5Pcreate(H5P_DATASET_ACCESS));
  turn("transfer", H5Pcreate(H5P_DATASET_XFER));
  turn("mount", H5Pcreate(H5P_FILE_MOUNT));
  turn("group creation", H5Pcreate(H5P_GROUP_CREATE));
  turn("group access", H5Pcreate(H5P_GROUP_ACCESS));
  turn("datatype creation", H5Pcreate(H5P_DATATYPE_CREATE));
  turn("datatype access", H5Pcreate(H5P_DATATYPE_ACCESS));
  turn("strings", H5Pcreate(H5P_STRING_CREATE));
  turn("attribute creation", H5Pcreate(H5P_ATTRIBUTE_CREATE));
  turn("copies", H5Pcreate(H5P_OBJECT_COPY));
  turn("link creation", H5Pcreate(H5P_LINK_CREATE));
  turn("link access", H5Pcreate(H5P_LINK_ACCESS));
  turn("attribute access", H5Pcreate(H5P_ATTRIBUTE_ACCESS));
}

static void turn_datasets(void) {
  const hsize_t dims[2] = {10, 20}, start[2] = {1, 2}, count[2] = {3, 4};
  const int fill = 7;
  hid_t list = H5Pcreate(H5P_DATASET_CREATE), space;
  H5Pset_chunk(list, 2, dims);
  H5Pset_deflate(list, 5);
  H5Pset_shuffle(list);
  H5Pset_fill_value(list, H5T_NATIVE_INT, &fill);
  H5Pset_attr_phase_change(list, 20, 10);
  H5Pset_attr_creation_order(list, H5P_CRT_ORDER_TRACKED);
  H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
  turn("chunks", list);
  list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(list, "a.raw", 5, 100);
  H5Pset_external(list, "b.raw", 0, H5F_UNLIMITED);
  turn("external files", list);
  list = H5Pcreate(H5P_DATASET_CREATE);
  space = H5Screate_simple(2, dims, NULL);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
  H5Pset_virtual(list, space, "source.h5", "/x", space);
  H5Pset_virtual(list, space, "other.h5", "/y", space);
  turn("virtual", list);
  H5Sclose(space);
  list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_fill_value(list, H5T_NATIVE_INT, NULL);
  H5Pset_layout(list, H5D_COMPACT);
  H5Pset_obj_track_times(list, 0);
  turn("compact", list);
  list = H5Pcreate(H5P_DATASET_ACCESS);
  H5Pset_chunk_cache(list, 100, 2000, 0.5);
  H5Pset_efile_prefix(list, "here");
  H5Pset_virtual_prefix(list, "there");
  H5Pset_virtual_printf_gap(list, 3);
  H5Pset_virtual_view(list, H5D_VDS_FIRST_MISSING);
  turn("dataset access", list);
  list = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_buffer(list, 1000, NULL, NULL);
  H5Pset_data_transform(list, "x*2");
  H5Pset_edc_check(list, H5Z_DISABLE_EDC);
  turn("transfer", list);
}

static void turn_others(void) {
  hid_t list = H5Pcreate(H5P_GROUP_CREATE), access;
  H5Pset_local_heap_size_hint(list, 100);
  H5Pset_link_phase_change(list, 20, 10);
  H5Pset_est_link_info(list, 5, 9);
  H5Pset_link_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  turn("group creation", list);
  list = H5Pcreate(H5P_LINK_ACCESS);
  access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_nlinks(list, 5);
  H5Pset_elink_prefix(list, "linked");
  H5Pset_elink_acc_flags(list, H5F_ACC_RDONLY);
  H5Pset_elink_fapl(list, access);
  H5Pclose(access);
  turn("link access", list);
  list = H5Pcreate(H5P_OBJECT_COPY);
  H5Padd_merge_committed_dtype_path(list, "/a");
  H5Padd_merge_committed_dtype_path(list, "/b");
  H5Pset_copy_object(list, 5);
  turn("copies", list);
  list = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(list, 1);
  H5Pset_char_encoding(list, H5T_CSET_UTF8);
  turn("link creation", list);
  list = H5Pcreate(H5P_FILE_CREATE);
  H5Pset_userblock(list, 512);
  H5Pset_sizes(list, 4, 4);
  H5Pset_sym_k(list, 3, 4);
  H5Pset_shared_mesg_nindexes(list, 1);
  H5Pset_shared_mesg_index(list, 0, H5O_SHMESG_DTYPE_FLAG, 100);
  turn("file creation", list);
  list = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_alignment(list, 1, 512);
  H5Pset_libver_bounds(list, H5F_LIBVER_V18, H5F_LIBVER_LATEST);
  H5Pset_fclose_degree(list, H5F_CLOSE_STRONG);
  turn("file access", list);
}

static void refuse(void) {
  size_t bytes = 0;
  unsigned char wrong[64];
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  memset(wrong, 0, sizeof wrong);
  TRY(H5Pencode(-1, NULL, &bytes));
  TRY(H5Pencode(list, NULL, NULL));
  TRY(H5Pdecode(NULL));
  wrong[0] = 9;
  TRY(H5Pdecode(wrong));
  wrong[0] = 0;
  wrong[1] = 99;
  TRY(H5Pdecode(wrong));
  wrong[1] = 5;
  strcpy((char*)wrong + 2, "unknown name");
  TRY(H5Pdecode(wrong));
  H5Pclose(list);
}

int main(void) {
  quiet();
  turn_defaults();
  turn_datasets();
  turn_others();
  refuse();
  return 0;
}
