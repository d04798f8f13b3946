/* SPDX-License-Identifier: Apache-2.0
 *
 * Defaults of property lists, and values that are read back as they were set. */
#include "show.h"

static void file_creation(hid_t fcpl) {
  hsize_t userblock = 9, threshold = 9, page = 9;
  size_t addresses = 9, sizes = 9;
  unsigned ik = 9, lk = 9, chunk_k = 9, indexes = 9, types = 9, least = 9, max_list = 9, min_btree = 9;
  unsigned boot = 9, freelist = 9, stab = 9, shared = 9;
  H5F_fspace_strategy_t strategy = H5F_FSPACE_STRATEGY_NONE;
  hbool_t persist = 1;
  H5Pget_userblock(fcpl, &userblock);
  H5Pget_sizes(fcpl, &addresses, &sizes);
  H5Pget_sym_k(fcpl, &ik, &lk);
  H5Pget_istore_k(fcpl, &chunk_k);
  H5Pget_shared_mesg_nindexes(fcpl, &indexes);
  H5Pget_shared_mesg_phase_change(fcpl, &max_list, &min_btree);
  H5Pget_file_space_strategy(fcpl, &strategy, &persist, &threshold);
  H5Pget_file_space_page_size(fcpl, &page);
  H5Pget_version(fcpl, &boot, &freelist, &stab, &shared);
  printf("file creation: %d %d %d %d %d %d %d %d %d %d %d %d %d, versions %u %u %u %u\n", (int)userblock,
         (int)addresses, (int)sizes, (int)ik, (int)lk, (int)chunk_k, (int)indexes, (int)max_list,
         (int)min_btree, (int)strategy, (int)persist, (int)threshold, (int)page, boot, freelist, stab,
         shared);
  if (indexes > 1) {
    CALL(H5Pget_shared_mesg_index(fcpl, 1, &types, &least));
    printf("index 1: %x %u\n", types, least);
  }
}

static void set_file_creation(hid_t fcpl) {
  CALL(H5Pset_userblock(fcpl, 1024));
  CALL(H5Pset_sizes(fcpl, 4, 0));
  CALL(H5Pset_sym_k(fcpl, 8, 0));
  CALL(H5Pset_istore_k(fcpl, 40));
  CALL(H5Pset_shared_mesg_nindexes(fcpl, 2));
  CALL(H5Pset_shared_mesg_index(fcpl, 1, H5O_SHMESG_ATTR_FLAG | H5O_SHMESG_DTYPE_FLAG, 33));
  CALL(H5Pset_shared_mesg_phase_change(fcpl, 20, 10));
  CALL(H5Pset_file_space_strategy(fcpl, H5F_FSPACE_STRATEGY_PAGE, 1, 5));
  CALL(H5Pset_file_space_page_size(fcpl, 8192));
}

static void file_access(hid_t fapl) {
  H5F_libver_t low, high;
  hsize_t threshold = 9, alignment = 9, metadata = 9, small = 9;
  size_t sieve = 9, slots = 9, bytes = 9, buffer = 9;
  int elements = 9;
  double w0 = 9;
  H5F_close_degree_t degree;
  hbool_t locking = 9, ignore = 9;
  unsigned meta_percent = 9, raw_percent = 9, external = 9;
  H5AC_cache_config_t cache;
  cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  H5Pget_libver_bounds(fapl, &low, &high);
  H5Pget_alignment(fapl, &threshold, &alignment);
  H5Pget_meta_block_size(fapl, &metadata);
  H5Pget_small_data_block_size(fapl, &small);
  H5Pget_sieve_buf_size(fapl, &sieve);
  H5Pget_cache(fapl, &elements, &slots, &bytes, &w0);
  H5Pget_fclose_degree(fapl, &degree);
  H5Pget_file_locking(fapl, &locking, &ignore);
  H5Pget_page_buffer_size(fapl, &buffer, &meta_percent, &raw_percent);
  H5Pget_elink_file_cache_size(fapl, &external);
  printf("file access: %d %d | %d %d %d %d %d | %d %d %d %g | %d %d %d | %d %u %u | %u\n", (int)low,
         high == H5F_LIBVER_LATEST ? -1 : (int)high, (int)threshold, (int)alignment, (int)metadata,
         (int)small, (int)sieve, elements, (int)slots, (int)bytes, w0, (int)degree, (int)locking, (int)ignore,
         (int)buffer, meta_percent, raw_percent, external);
  CALL(H5Pget_mdc_config(fapl, &cache));
  printf("cache: %d %d %d %g %d %d %ld %g %g %g %d\n", (int)cache.evictions_enabled, (int)cache.initial_size,
         (int)cache.max_size, cache.min_clean_fraction, (int)cache.incr_mode, (int)cache.flash_incr_mode,
         cache.epoch_length, cache.upper_hr_threshold, cache.decrement, cache.empty_reserve,
         cache.epochs_before_eviction);
}

static void set_file_access(hid_t fapl) {
  H5AC_cache_config_t cache;
  cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  H5Pget_mdc_config(fapl, &cache);
  cache.max_size = 16 << 20;
  CALL(H5Pset_mdc_config(fapl, &cache));
  CALL(H5Pset_libver_bounds(fapl, H5F_LIBVER_V18, H5F_LIBVER_V18));
  CALL(H5Pset_alignment(fapl, 512, 4096));
  CALL(H5Pset_meta_block_size(fapl, 4096));
  CALL(H5Pset_small_data_block_size(fapl, 1024));
  CALL(H5Pset_sieve_buf_size(fapl, 1000));
  CALL(H5Pset_cache(fapl, 7, 1000, 3000000, 0.5));
  CALL(H5Pset_fclose_degree(fapl, H5F_CLOSE_STRONG));
  CALL(H5Pset_file_locking(fapl, 0, 0));
  CALL(H5Pset_page_buffer_size(fapl, 8192, 20, 30));
  CALL(H5Pset_elink_file_cache_size(fapl, 3));
}

static void drivers(hid_t fapl) {
  size_t increment = 9;
  hbool_t backing = 9;
  hsize_t members = 9;
  char image[10] = "0123456789";
  void* copy = NULL;
  size_t bytes = 9;
  CALL(H5Pget_driver(fapl) == H5FD_SEC2);
  CALL(H5Pset_fapl_core(fapl, 4096, 0));
  CALL(H5Pget_driver(fapl) == H5FD_CORE);
  CALL(H5Pget_fapl_core(fapl, &increment, &backing));
  printf("core: %d %d\n", (int)increment, (int)backing);
  CALL(H5Pset_fapl_family(fapl, 1 << 20, H5P_DEFAULT));
  CALL(H5Pget_driver(fapl) == H5FD_FAMILY);
  CALL(H5Pget_fapl_family(fapl, &members, NULL));
  printf("family: %d\n", (int)members);
  CALL(H5Pset_fapl_split(fapl, "-meta", H5P_DEFAULT, "-raw", H5P_DEFAULT));
  CALL(H5Pget_driver(fapl) == H5FD_MULTI);
  CALL(H5Pset_fapl_log(fapl, "log", 0, 0));
  CALL(H5Pget_driver(fapl) == H5FD_LOG);
  CALL(H5Pset_fapl_stdio(fapl));
  CALL(H5Pget_driver(fapl) == H5FD_STDIO);
  CALL(H5Pset_fapl_sec2(fapl));
  CALL(H5Pget_driver(fapl) == H5FD_SEC2);
  CALL(H5Pset_driver(fapl, H5FD_STDIO, NULL));
  CALL(H5Pget_driver(fapl) == H5FD_STDIO);
  CALL(H5Pset_file_image(fapl, image, sizeof image));
  CALL(H5Pget_file_image(fapl, &copy, &bytes));
  printf("image: %d %.10s\n", (int)bytes, copy == NULL ? "none" : (char*)copy);
  H5free_memory(copy);
}

static void dataset_creation(hid_t dcpl) {
  hsize_t dims[3] = {4, 5, 6}, back[3] = {9, 9, 9};
  H5D_alloc_time_t when;
  H5D_fill_time_t fill_time;
  H5D_fill_value_t state;
  char name[10];
  off_t offset = 9;
  hsize_t size = 9;
  short value = 77;
  double as_double = 9;
  CALL(H5Pget_layout(dcpl));
  CALL(H5Pget_alloc_time(dcpl, &when));
  VALUE(when);
  CALL(H5Pget_fill_time(dcpl, &fill_time));
  VALUE(fill_time);
  CALL(H5Pset_layout(dcpl, H5D_COMPACT));
  H5Pget_alloc_time(dcpl, &when);
  VALUE(when);
  CALL(H5Pset_chunk(dcpl, 3, dims));
  H5Pget_alloc_time(dcpl, &when);
  VALUE(when);
  CALL(H5Pset_alloc_time(dcpl, H5D_ALLOC_TIME_EARLY));
  CALL(H5Pset_layout(dcpl, H5D_CONTIGUOUS));
  H5Pget_alloc_time(dcpl, &when);
  VALUE(when);
  CALL(H5Pset_alloc_time(dcpl, H5D_ALLOC_TIME_DEFAULT));
  H5Pget_alloc_time(dcpl, &when);
  VALUE(when);
  CALL(H5Pset_chunk(dcpl, 3, dims));
  CALL(H5Pget_layout(dcpl));
  CALL(H5Pget_chunk(dcpl, 2, back));
  printf("chunk: %d %d %d\n", (int)back[0], (int)back[1], (int)back[2]);
  CALL(H5Pget_chunk(dcpl, 0, NULL));
  CALL(H5Pfill_value_defined(dcpl, &state));
  VALUE(state);
  CALL(H5Pget_fill_value(dcpl, H5T_NATIVE_DOUBLE, &as_double));
  VALUE(as_double);
  CALL(H5Pset_fill_value(dcpl, H5T_NATIVE_SHORT, &value));
  value = 0;
  CALL(H5Pget_fill_value(dcpl, H5T_NATIVE_DOUBLE, &as_double));
  VALUE(as_double);
  CALL(H5Pget_fill_value(dcpl, H5T_STD_I16BE, &value));
  VALUE(value);
  CALL(H5Pfill_value_defined(dcpl, &state));
  VALUE(state);
  CALL(H5Pset_fill_time(dcpl, H5D_FILL_TIME_NEVER));
  CALL(H5Pset_external(dcpl, "file", 10, 20));
  CALL(H5Pset_external(dcpl, "other file", 30, H5F_UNLIMITED));
  CALL(H5Pget_external_count(dcpl));
  CALL(H5Pget_external(dcpl, 0, sizeof name, name, &offset, &size));
  printf("external: %s %d %d\n", name, (int)offset, (int)size);
  CALL(H5Pget_external(dcpl, 1, sizeof name, name, &offset, &size));
  printf("external: %.10s %d %d\n", name, (int)offset, size == H5F_UNLIMITED);
}

static void variable_fill(void) {
  hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE), type = H5Tcopy(H5T_C_S1), copy;
  char text[20] = "some text";
  char *given = text, *back = NULL;
  H5Tset_size(type, H5T_VARIABLE);
  CALL(H5Pset_fill_value(dcpl, type, &given));
  copy = H5Pcopy(dcpl);
  memset(text, 'x', 9);
  H5Pclose(dcpl);
  CALL(H5Pget_fill_value(copy, type, &back));
  printf("fill text: %s\n", back);
  H5free_memory(back);
  H5Pclose(copy);
  H5Tclose(type);
}

static void filters(void) {
  hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE);
  unsigned values[8], flags, config, i, j;
  size_t count;
  unsigned own[2] = {5, 6};
  char name[40];
  CALL(H5Pset_shuffle(dcpl));
  CALL(H5Pset_deflate(dcpl, 7));
  CALL(H5Pset_fletcher32(dcpl));
  CALL(H5Pset_nbit(dcpl));
  CALL(H5Pset_scaleoffset(dcpl, H5Z_SO_FLOAT_DSCALE, 3));
  CALL(H5Pset_szip(dcpl, H5_SZIP_NN_OPTION_MASK, 16));
  CALL(H5Pset_filter(dcpl, H5Z_FILTER_DEFLATE, H5Z_FLAG_MANDATORY, 2, own));
  CALL(H5Pget_nfilters(dcpl));
  for (i = 0; i < 7; ++i) {
    count = 8;
    flags = config = 99;
    CALL(H5Pget_filter2(dcpl, i, &flags, &count, values, sizeof name, name, &config));
    printf("%s: flags %u, config %u,", name, flags, config);
    for (j = 0; j < count; ++j) printf(" %u", values[j]);
    printf("\n");
  }
  CALL(H5Pall_filters_avail(dcpl));
  own[0] = 2;
  CALL(H5Pmodify_filter(dcpl, H5Z_FILTER_DEFLATE, H5Z_FLAG_OPTIONAL, 1, own));
  count = 1;
  CALL(H5Pget_filter_by_id2(dcpl, H5Z_FILTER_DEFLATE, &flags, &count, values, 3, name, NULL));
  printf("%.3s %d %u\n", name, (int)count, values[0]);
  CALL(H5Premove_filter(dcpl, H5Z_FILTER_FLETCHER32));
  CALL(H5Pget_nfilters(dcpl));
  CALL(H5Premove_filter(dcpl, H5Z_FILTER_ALL));
  CALL(H5Pget_nfilters(dcpl));
}

static void mappings(void) {
  hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE);
  hsize_t dims[2] = {10, 20}, start[2] = {2, 0}, count[2] = {1, 20}, source[1] = {20};
  hid_t whole = H5Screate_simple(2, dims, NULL), part = H5Screate_simple(1, source, NULL), back;
  size_t n = 9;
  char name[20];
  H5Sselect_hyperslab(whole, H5S_SELECT_SET, start, NULL, count, NULL);
  CALL(H5Pset_virtual(dcpl, whole, "source.h5", "/data", part));
  CALL(H5Pget_layout(dcpl));
  CALL(H5Pget_virtual_count(dcpl, &n));
  VALUE(n);
  CALL(H5Pget_virtual_filename(dcpl, 0, name, sizeof name));
  printf("%s\n", name);
  CALL(H5Pget_virtual_dsetname(dcpl, 0, name, sizeof name));
  printf("%s\n", name);
  CALL(H5Pget_virtual_dsetname(dcpl, 1, NULL, 0));
  back = H5Pget_virtual_vspace(dcpl, 0);
  CALL(H5Sget_select_npoints(back));
  CALL(H5Sget_simple_extent_ndims(back));
  H5Sclose(back);
  back = H5Pget_virtual_srcspace(dcpl, 0);
  CALL(H5Sget_select_npoints(back));
  H5Sclose(back);
  dims[0] = 7;
  H5Sclose(part);
  part = H5Screate_simple(1, dims, NULL);
  VALUE(H5Pset_virtual(dcpl, whole, "source.h5", "/data", part));
}

static void others(void) {
  hid_t gcpl = H5Pcreate(H5P_GROUP_CREATE), lcpl = H5Pcreate(H5P_LINK_CREATE),
        lapl = H5Pcreate(H5P_LINK_ACCESS);
  hid_t dapl = H5Pcreate(H5P_DATASET_ACCESS), dxpl = H5Pcreate(H5P_DATASET_XFER), fapl, ocpypl;
  unsigned a = 9, b = 9;
  size_t slots = 9, bytes = 9;
  double w0 = 9;
  hbool_t times = 9;
  H5T_cset_t charset;
  H5D_vds_view_t view;
  hsize_t gap = 9;
  char name[20];
  H5Pget_link_phase_change(gcpl, &a, &b);
  printf("links: %u %u\n", a, b);
  H5Pget_est_link_info(gcpl, &a, &b);
  printf("expected: %u %u\n", a, b);
  H5Pget_attr_phase_change(gcpl, &a, &b);
  printf("attributes: %u %u\n", a, b);
  CALL(H5Pset_link_phase_change(gcpl, 100, 50));
  CALL(H5Pset_est_link_info(gcpl, 3, 30));
  CALL(H5Pset_attr_phase_change(gcpl, 5, 2));
  CALL(H5Pset_link_creation_order(gcpl, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
  CALL(H5Pset_attr_creation_order(gcpl, H5P_CRT_ORDER_TRACKED));
  CALL(H5Pset_local_heap_size_hint(gcpl, 500));
  CALL(H5Pset_obj_track_times(gcpl, 0));
  H5Pget_link_phase_change(gcpl, &a, &b);
  printf("links: %u %u\n", a, b);
  H5Pget_attr_phase_change(gcpl, &a, &b);
  printf("attributes: %u %u\n", a, b);
  H5Pget_link_creation_order(gcpl, &a);
  H5Pget_attr_creation_order(gcpl, &b);
  printf("orders: %u %u\n", a, b);
  H5Pget_local_heap_size_hint(gcpl, &bytes);
  H5Pget_obj_track_times(gcpl, &times);
  printf("heap %d times %d\n", (int)bytes, (int)times);
  H5Pset_char_encoding(lcpl, H5T_CSET_UTF8);
  H5Pget_char_encoding(lcpl, &charset);
  VALUE(charset);
  CALL(H5Pset_create_intermediate_group(lcpl, 5));
  H5Pget_create_intermediate_group(lcpl, &a);
  VALUE(a);
  H5Pget_nlinks(lapl, &bytes);
  VALUE(bytes);
  H5Pget_elink_acc_flags(lapl, &a);
  VALUE(a);
  CALL(H5Pget_elink_fapl(lapl));
  fapl = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_sieve_buf_size(fapl, 321);
  CALL(H5Pset_elink_fapl(lapl, fapl));
  H5Pclose(fapl);
  fapl = H5Pget_elink_fapl(lapl);
  H5Pget_sieve_buf_size(fapl, &bytes);
  VALUE(bytes);
  CALL(H5Pset_elink_prefix(lapl, "some/where"));
  CALL(H5Pget_elink_prefix(lapl, name, 5));
  printf("%s\n", name);
  CALL(H5Pget_elink_prefix(dapl, NULL, 0));
  H5Pget_chunk_cache(dapl, &slots, &bytes, &w0);
  printf("chunk cache: %d %d %g\n", (int)slots, (int)bytes, w0);
  CALL(H5Pset_chunk_cache(dapl, 100, H5D_CHUNK_CACHE_NBYTES_DEFAULT, 1.));
  H5Pget_chunk_cache(dapl, &slots, &bytes, &w0);
  printf("chunk cache: %d %d %g\n", (int)slots, (int)bytes, w0);
  H5Pget_virtual_view(dapl, &view);
  VALUE(view);
  CALL(H5Pset_virtual_view(dapl, H5D_VDS_FIRST_MISSING));
  H5Pget_virtual_view(dapl, &view);
  VALUE(view);
  CALL(H5Pset_virtual_printf_gap(dapl, 12));
  H5Pget_virtual_printf_gap(dapl, &gap);
  VALUE(gap);
  CALL(H5Pset_efile_prefix(dapl, "here"));
  CALL(H5Pget_efile_prefix(dapl, name, sizeof name));
  CALL(H5Pset_virtual_prefix(dapl, "there"));
  CALL(H5Pget_virtual_prefix(dapl, name, sizeof name));
  printf("%s\n", name);
  VALUE(H5Pget_buffer(dxpl, NULL, NULL));
  CALL(H5Pget_edc_check(dxpl));
  CALL(H5Pset_edc_check(dxpl, H5Z_DISABLE_EDC));
  CALL(H5Pget_edc_check(dxpl));
  CALL(H5Pset_data_transform(dxpl, "(5/9.0)*(x-32)"));
  CALL(H5Pget_data_transform(dxpl, name, sizeof name));
  printf("%s\n", name);
  ocpypl = H5Pcreate(H5P_OBJECT_COPY);
  CALL(H5Pset_copy_object(ocpypl, H5O_COPY_WITHOUT_ATTR_FLAG | H5O_COPY_EXPAND_SOFT_LINK_FLAG));
  H5Pget_copy_object(ocpypl, &a);
  VALUE(a);
}

int main(void) {
  hid_t fcpl, fapl, copy;
  quiet();
  fcpl = H5Pcreate(H5P_FILE_CREATE);
  file_creation(fcpl);
  set_file_creation(fcpl);
  file_creation(fcpl);
  fapl = H5Pcreate(H5P_FILE_ACCESS);
  file_access(fapl);
  set_file_access(fapl);
  file_access(fapl);
  copy = H5Pcopy(fapl);
  CALL(H5Pequal(fapl, copy));
  H5Pset_alignment(copy, 1, 2);
  CALL(H5Pequal(fapl, copy));
  drivers(H5Pcreate(H5P_FILE_ACCESS));
  dataset_creation(H5Pcreate(H5P_DATASET_CREATE));
  variable_fill();
  filters();
  mappings();
  others();
  return 0;
}
