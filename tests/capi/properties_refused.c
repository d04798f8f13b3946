/* SPDX-License-Identifier: Apache-2.0
 *
 * Invalid arguments of functions on property lists, and their error codes. */
#include "show.h"

static void lists(hid_t dcpl, hid_t fapl) {
  unsigned value = 0;
  size_t size;
  CALL(H5Pcreate(5));
  CALL(H5Pcreate(dcpl));
  CALL_ID(H5Pcreate(H5P_ROOT));
  CALL(H5Pcopy(5));
  CALL(H5Pcopy(H5P_DEFAULT));
  CALL_ID(H5Pcopy(H5P_DATASET_CREATE));
  CALL(H5Pclose(5));
  CALL(H5Pclose(H5P_DEFAULT));
  CALL(H5Pclose(H5P_DATASET_CREATE));
  CALL(H5Pclose_class(5));
  CALL(H5Pequal(5, dcpl));
  CALL(H5Pequal(dcpl, fapl));
  CALL(H5Pequal(dcpl, H5P_DATASET_CREATE));
  CALL(H5Pexist(5, "a"));
  CALL(H5Pexist(dcpl, NULL));
  CALL(H5Pexist(dcpl, ""));
  CALL(H5Pexist(dcpl, "x"));
  CALL(H5Pexist(H5P_DEFAULT, "a"));
  CALL(H5Pisa_class(dcpl, 5));
  CALL(H5Pisa_class(5, H5P_ROOT));
  CALL(H5Pisa_class(dcpl, H5P_OBJECT_CREATE));
  CALL(H5Pisa_class(dcpl, H5P_FILE_CREATE));
  CALL(H5Pget_class(5));
  CALL(H5Pget_class(H5P_DEFAULT));
  CALL(H5Pget(dcpl, "x", &value));
  CALL(H5Pget(dcpl, NULL, &value));
  CALL(H5Pget(dcpl, "x", NULL));
  CALL(H5Pset(dcpl, "x", &value));
  CALL(H5Pset(dcpl, "x", NULL));
  CALL(H5Pget_size(dcpl, "x", &size));
  CALL(H5Pget_size(dcpl, NULL, &size));
  CALL(H5Pget_nprops(dcpl, NULL));
  CALL(H5Premove(dcpl, "x"));
  CALL(H5Pinsert2(dcpl, "layout", 4, &value, NULL, NULL, NULL, NULL, NULL, NULL));
  CALL(H5Pinsert2(dcpl, "q", 4, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
  CALL(H5Pinsert2(dcpl, "", 4, &value, NULL, NULL, NULL, NULL, NULL, NULL));
  CALL(H5Pinsert2(dcpl, "q", 4, &value, NULL, NULL, NULL, NULL, NULL, NULL));
  CALL(H5Pinsert2(dcpl, "q", 4, &value, NULL, NULL, NULL, NULL, NULL, NULL));
  CALL(H5Pinsert2(dcpl, "q0", 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
  CALL(H5Pget(dcpl, "q0", &value));
}

static void datasets(hid_t dcpl, hid_t fapl) {
  hsize_t dims[3] = {4, 5, 6};
  hsize_t large[2] = {1 << 20, 1 << 20};
  hsize_t zero[1] = {0};
  hsize_t huge[1] = {(hsize_t)1 << 32};
  char name[50];
  size_t count = 300;
  unsigned flags = 0, config = 0;
  size_t n;
  CALL(H5Pset_chunk(fapl, 1, dims));
  CALL(H5Pset_chunk(5, 1, dims));
  CALL(H5Pset_chunk(H5P_DEFAULT, 1, dims));
  CALL(H5Pset_chunk(dcpl, 0, dims));
  CALL(H5Pset_chunk(dcpl, 33, dims));
  CALL(H5Pset_chunk(dcpl, 1, NULL));
  CALL(H5Pset_chunk(dcpl, 1, zero));
  CALL(H5Pset_chunk(dcpl, 1, huge));
  CALL(H5Pset_chunk(dcpl, 2, large));
  CALL(H5Pget_chunk(dcpl, 3, dims));
  CALL(H5Pget_chunk(fapl, 3, dims));
  CALL(H5Pset_layout(dcpl, (H5D_layout_t)9));
  CALL(H5Pget_layout(fapl));
  CALL(H5Pget_layout(H5P_DEFAULT));
  CALL(H5Pget_external(dcpl, 0, 0, NULL, NULL, NULL));
  CALL(H5Pget_external_count(dcpl));
  CALL(H5Pset_external(dcpl, "", 0, 1));
  CALL(H5Pset_external(dcpl, "a", -1, 1));
  CALL(H5Pset_external(dcpl, "a", 0, H5F_UNLIMITED));
  CALL(H5Pset_external(dcpl, "b", 0, 4));
  CALL(H5Pset_external(dcpl, NULL, 0, 4));
  CALL(H5Pget_filter2(dcpl, 0, &flags, NULL, NULL, 0, NULL, NULL));
  CALL(H5Pget_filter_by_id2(dcpl, 1, &flags, NULL, NULL, 0, NULL, NULL));
  CALL(H5Pset_deflate(dcpl, 10));
  CALL(H5Pset_deflate(fapl, 1));
  CALL(H5Pset_deflate(H5P_DEFAULT, 1));
  CALL(H5Pset_szip(dcpl, 4, 3));
  CALL(H5Pset_szip(dcpl, 4, 64));
  CALL(H5Pset_scaleoffset(dcpl, (H5Z_SO_scale_type_t)9, 1));
  CALL(H5Pset_scaleoffset(dcpl, H5Z_SO_INT, -1));
  CALL(H5Pset_filter(dcpl, -1, 0, 0, NULL));
  CALL(H5Pset_filter(dcpl, 1, 0x100, 0, NULL));
  CALL(H5Pset_filter(dcpl, 1, 0, 1, NULL));
  CALL(H5Premove_filter(dcpl, 1));
  CALL(H5Pset_shuffle(dcpl));
  CALL(H5Premove_filter(dcpl, 1));
  CALL(H5Pmodify_filter(dcpl, -1, 0, 0, NULL));
  TRY(H5Pset_filter(dcpl, 300, H5Z_FLAG_OPTIONAL, 0, NULL));
  CALL(H5Pall_filters_avail(dcpl));
  CALL(H5Pget_nfilters(dcpl));
  CALL(H5Pget_nfilters(H5P_DEFAULT));
  CALL(H5Pget_filter2(dcpl, 7, &flags, NULL, NULL, sizeof name, name, &config));
  CALL(H5Pget_filter2(dcpl, 0, &flags, &count, NULL, sizeof name, name, &config));
  for (n = 0; n < 40 && H5Pset_shuffle(dcpl) >= 0; ++n) {
  }
  printf("%d more filters fit\n", (int)n);
  CALL(H5Pset_shuffle(dcpl));
}

static void fill_values(hid_t dcpl) {
  int value = 0;
  H5D_fill_value_t state;
  hid_t sspace = H5Screate(H5S_SCALAR);
  char name[10];
  CALL(H5Pset_fill_value(dcpl, 5, &value));
  CALL(H5Pset_fill_value(dcpl, H5T_NATIVE_INT, NULL));
  CALL(H5Pget_fill_value(dcpl, H5T_NATIVE_INT, &value));
  CALL(H5Pget_fill_value(dcpl, H5T_NATIVE_INT, NULL));
  CALL(H5Pget_fill_value(5, H5T_NATIVE_INT, &value));
  CALL(H5Pfill_value_defined(dcpl, &state));
  VALUE(state);
  CALL(H5Pset_fill_time(dcpl, (H5D_fill_time_t)9));
  CALL(H5Pset_alloc_time(dcpl, (H5D_alloc_time_t)9));
  CALL(H5Pget_virtual_vspace(dcpl, 0));
  CALL(H5Pset_virtual(dcpl, 5, "a", "b", 5));
  CALL(H5Pset_virtual(dcpl, sspace, NULL, "b", sspace));
  CALL(H5Pset_virtual(dcpl, sspace, "a", "", sspace));
  CALL(H5Pget_virtual_vspace(dcpl, 3));
  CALL(H5Pget_virtual_filename(dcpl, 3, name, sizeof name));
  H5Sclose(sspace);
}

static void files(hid_t fcpl, hid_t fapl, hid_t dcpl) {
  H5AC_cache_config_t cache;
  size_t size;
  hsize_t bytes;
  memset(&cache, 0, sizeof cache);
  CALL(H5Pset_userblock(fcpl, 3));
  CALL(H5Pset_userblock(fcpl, 1000));
  CALL(H5Pset_sizes(fcpl, 3, 3));
  CALL(H5Pset_sym_k(fcpl, 40000, 1));
  CALL(H5Pset_istore_k(fcpl, 0));
  CALL(H5Pset_shared_mesg_nindexes(fcpl, 9));
  CALL(H5Pset_shared_mesg_index(fcpl, 0, 2, 1));
  CALL(H5Pset_shared_mesg_phase_change(fcpl, 6000, 1));
  CALL(H5Pset_shared_mesg_phase_change(fcpl, 1, 4));
  CALL(H5Pset_file_space_strategy(fcpl, (H5F_fspace_strategy_t)9, 0, 1));
  CALL(H5Pset_file_space_page_size(fcpl, 3));
  CALL(H5Pget_userblock(H5P_DEFAULT, &bytes));
  CALL(H5Pset_libver_bounds(fapl, (H5F_libver_t)9, (H5F_libver_t)9));
  CALL(H5Pset_libver_bounds(fapl, H5F_LIBVER_V110, H5F_LIBVER_EARLIEST));
  CALL(H5Pset_alignment(fapl, 1, 0));
  CALL(H5Pset_cache(fapl, 1, 1, 1, 2.));
  CALL(H5Pset_page_buffer_size(fapl, 1, 101, 0));
  CALL(H5Pset_page_buffer_size(fapl, 1, 60, 60));
  CALL(H5Pset_page_buffer_size(fcpl, 1, 1, 0));
  CALL(H5Pset_file_image(fapl, NULL, 4));
  CALL(H5Pset_driver(fapl, 5, NULL));
  CALL(H5Pset_driver(dcpl, H5FD_SEC2, NULL));
  CALL(H5Pset_driver(5, H5FD_SEC2, NULL));
  CALL(H5Pget_driver(dcpl));
  CALL(H5Pget_driver(H5P_DEFAULT));
  CALL(H5Pget_driver_info(fapl) == NULL);
  CALL(H5Pget_fapl_core(fapl, &size, NULL));
  CALL(H5Pget_fapl_family(fapl, &bytes, NULL));
  CALL(H5Pset_fapl_core(dcpl, 1, 1));
  CALL(H5Pset_fapl_family(fapl, 1, 5));
  CALL(H5Pset_fapl_sec2(dcpl));
  CALL(H5Pset_fapl_split(dcpl, NULL, 0, NULL, 0));
  CALL(H5Pset_mdc_config(fapl, &cache));
  CALL(H5Pget_mdc_config(fapl, &cache));
  CALL(H5Pset_mdc_config(fapl, NULL));
}

static void others(void) {
  hid_t lapl = H5Pcreate(H5P_LINK_ACCESS), dapl = H5Pcreate(H5P_DATASET_ACCESS);
  hid_t dxpl = H5Pcreate(H5P_DATASET_XFER), dcpl = H5Pcreate(H5P_DATASET_CREATE);
  hid_t gcpl = H5Pcreate(H5P_GROUP_CREATE), lcpl = H5Pcreate(H5P_LINK_CREATE);
  hid_t ocpypl = H5Pcreate(H5P_OBJECT_COPY);
  char name[50];
  CALL(H5Pset_elink_fapl(lapl, dcpl));
  CALL(H5Pset_elink_acc_flags(lapl, 0x9));
  CALL(H5Pset_nlinks(lapl, 0));
  CALL(H5Pget_elink_prefix(lapl, name, sizeof name));
  CALL(H5Pset_elink_prefix(lapl, NULL));
  CALL(H5Pset_chunk_cache(dapl, 1, 1, 3.));
  CALL(H5Pset_virtual_view(dapl, (H5D_vds_view_t)9));
  CALL(H5Pset_virtual_printf_gap(dapl, (hsize_t)-1));
  CALL(H5Pget_efile_prefix(dapl, name, sizeof name));
  CALL(H5Pset_data_transform(dxpl, NULL));
  VALUE(H5Pset_data_transform(dxpl, "(x+"));
  VALUE(H5Pset_data_transform(dxpl, "y+1"));
  CALL(H5Pget_data_transform(dxpl, name, sizeof name));
  CALL(H5Pset_edc_check(dxpl, (H5Z_EDC_t)9));
  CALL(H5Pget_edc_check(dcpl));
  CALL(H5Pset_buffer(dxpl, 0, NULL, NULL));
  CALL(H5Pset_attr_phase_change(dcpl, 1, 2));
  CALL(H5Pset_attr_phase_change(dcpl, 70000, 2));
  CALL(H5Pset_attr_creation_order(dcpl, 2));
  CALL(H5Pset_link_creation_order(gcpl, 2));
  CALL(H5Pset_link_phase_change(gcpl, 1, 2));
  CALL(H5Pset_est_link_info(gcpl, 70000, 1));
  CALL(H5Pset_char_encoding(dcpl, H5T_CSET_ASCII));
  CALL(H5Pset_char_encoding(lcpl, (H5T_cset_t)9));
  CALL(H5Pset_copy_object(ocpypl, 0x1000));
}

int main(void) {
  hid_t dcpl, fcpl, fapl;
  quiet();
  dcpl = H5Pcreate(H5P_DATASET_CREATE);
  fcpl = H5Pcreate(H5P_FILE_CREATE);
  fapl = H5Pcreate(H5P_FILE_ACCESS);
  lists(dcpl, fapl);
  datasets(dcpl, fapl);
  fill_values(dcpl);
  files(fcpl, fapl, dcpl);
  others();
  return 0;
}
