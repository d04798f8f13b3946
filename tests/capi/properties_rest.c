/* SPDX-License-Identifier: Apache-2.0
 *
 * Properties that tune the library: B-trees, vectors, caches, logs, flushes. Each with its default, a change,
 * bad values and lists of another class; then what H5Pequal and H5Pencode make of them. */
#include "show.h"

static unsigned long sum_of(hid_t list) {
  unsigned char* bytes;
  size_t count = 0, i;
  unsigned long sum = 5381;
  if (H5Pencode(list, NULL, &count) < 0) return 0;
  bytes = (unsigned char*)malloc(count);
  H5Pencode(list, bytes, &count);
  for (i = 0; i < count; ++i) sum = (sum * 33 + bytes[i]) & 0xffffffffUL;
  free(bytes);
  return sum;
}

/* What a list has become: whether it equals a new one, and its encoded form, which decodes to an equal list.
 */
static void show_list(hid_t list, hid_t of) {
  unsigned char bytes[4096];
  size_t count = sizeof bytes;
  hid_t usual = H5Pcreate(of), copy = H5Pcopy(list), decoded = -1;
  /* The latest format is that of the library. */
  if (of == H5P_FILE_ACCESS) H5Pset_libver_bounds(list, H5F_LIBVER_EARLIEST, H5F_LIBVER_V110);
  if (of == H5P_FILE_ACCESS) H5Pset_libver_bounds(usual, H5F_LIBVER_EARLIEST, H5F_LIBVER_V110);
  if (of == H5P_FILE_ACCESS) H5Pset_libver_bounds(copy, H5F_LIBVER_EARLIEST, H5F_LIBVER_V110);
  printf("  as new: %d, as its copy: %d, encoded: %lu", (int)H5Pequal(list, usual), (int)H5Pequal(list, copy),
         sum_of(list));
  if (H5Pencode(list, bytes, &count) >= 0) decoded = H5Pdecode(bytes);
  printf(", decoded equal: %d\n", (int)H5Pequal(list, decoded));
  H5Pclose(usual);
  H5Pclose(copy);
  H5Pclose(decoded);
}

static hid_t other; /* of a class that has none of the properties */

static void use_transfer(void) {
  double left = 9, middle = 9, right = 9;
  size_t size = 99;
  hid_t list = H5Pcreate(H5P_DATASET_XFER);
  puts("-- dataset transfer");
  CALL(H5Pget_btree_ratios(list, &left, &middle, &right));
  printf("  %.17g %.17g %.17g\n", left, middle, right);
  CALL(H5Pset_btree_ratios(list, 0.25, 0.5, 1.0));
  CALL(H5Pget_btree_ratios(list, &left, NULL, &right));
  CALL(H5Pget_btree_ratios(list, NULL, &middle, NULL));
  printf("  %.17g %.17g %.17g\n", left, middle, right);
  CALL(H5Pset_btree_ratios(list, -0.1, 0.5, 0.5));
  CALL(H5Pset_btree_ratios(list, 0.1, 1.5, 0.5));
  CALL(H5Pset_btree_ratios(other, 0.1, 1.5, 0.5));
  CALL(H5Pset_btree_ratios(other, 0.1, 0.5, 0.5));
  CALL(H5Pget_btree_ratios(other, &left, &middle, &right));
  CALL(H5Pget_btree_ratios(H5P_DEFAULT, &left, &middle, &right));
  show_list(list, H5P_DATASET_XFER);
  CALL(H5Pget_hyper_vector_size(list, &size));
  VALUE(size);
  CALL(H5Pset_hyper_vector_size(list, 7));
  CALL(H5Pget_hyper_vector_size(list, &size));
  VALUE(size);
  CALL(H5Pget_hyper_vector_size(list, NULL));
  CALL(H5Pset_hyper_vector_size(list, 0));
  CALL(H5Pset_hyper_vector_size(other, 0));
  CALL(H5Pset_hyper_vector_size(other, 5));
  CALL(H5Pget_hyper_vector_size(other, &size));
  show_list(list, H5P_DATASET_XFER);
  H5Pclose(list);
}

static void use_numbers(void) {
  unsigned gc = 99;
  H5FD_mem_t type = (H5FD_mem_t)99;
  hbool_t evict = 2;
  hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  puts("-- garbage, type of the multi driver, eviction");
  CALL(H5Pget_gc_references(list, &gc));
  VALUE(gc);
  CALL(H5Pset_gc_references(list, 3));
  CALL(H5Pget_gc_references(list, &gc));
  VALUE(gc);
  CALL(H5Pget_gc_references(list, NULL));
  CALL(H5Pset_gc_references(other, 3));
  CALL(H5Pget_gc_references(other, &gc));
  show_list(list, H5P_FILE_ACCESS);
  CALL(H5Pget_multi_type(list, &type));
  VALUE(type);
  CALL(H5Pset_multi_type(list, H5FD_MEM_DRAW));
  CALL(H5Pget_multi_type(list, &type));
  VALUE(type);
  CALL(H5Pget_multi_type(list, NULL));
  CALL(H5Pset_multi_type(H5P_DEFAULT, H5FD_MEM_DRAW));
  CALL(H5Pget_multi_type(H5P_DEFAULT, &type));
  CALL(H5Pset_multi_type(other, H5FD_MEM_DRAW));
  CALL(H5Pget_multi_type(other, &type));
  show_list(list, H5P_FILE_ACCESS);
  CALL(H5Pget_evict_on_close(list, &evict));
  VALUE(evict);
  CALL(H5Pset_evict_on_close(list, 1));
  CALL(H5Pget_evict_on_close(list, &evict));
  VALUE(evict);
  CALL(H5Pset_evict_on_close(other, 1));
  CALL(H5Pget_evict_on_close(other, &evict));
  CALL(H5Pset_evict_on_close(H5P_DEFAULT, 1));
  show_list(list, H5P_FILE_ACCESS);
  H5Pclose(list);
}

static void use_core(void) {
  hbool_t tracks = 2;
  size_t page = 99;
  hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  puts("-- write tracking");
  H5Pset_fapl_core(list, 4096, 1);
  CALL(H5Pget_core_write_tracking(list, &tracks, &page));
  printf("  %d %lu\n", (int)tracks, (unsigned long)page);
  CALL(H5Pset_core_write_tracking(list, 1, 1024));
  CALL(H5Pget_core_write_tracking(list, &tracks, NULL));
  CALL(H5Pget_core_write_tracking(list, NULL, &page));
  printf("  %d %lu\n", (int)tracks, (unsigned long)page);
  CALL(H5Pset_core_write_tracking(list, 1, 0));
  CALL(H5Pset_core_write_tracking(other, 1, 0));
  CALL(H5Pset_core_write_tracking(other, 1, 1));
  CALL(H5Pget_core_write_tracking(other, &tracks, &page));
  H5Pset_fapl_sec2(list);
  show_list(list, H5P_FILE_ACCESS);
  H5Pclose(list);
}

static void use_log(void) {
  hbool_t used = 2, starts = 2;
  char location[64] = "untouched";
  size_t size = 64;
  hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  puts("-- log of the metadata cache");
  CALL(H5Pget_mdc_log_options(list, &used, NULL, &size, &starts));
  printf("  %d %lu %d\n", (int)used, (unsigned long)size, (int)starts);
  CALL(H5Pset_mdc_log_options(list, 1, "some.log", 0));
  CALL(H5Pget_mdc_log_options(list, &used, NULL, &size, &starts));
  printf("  %d %lu %d\n", (int)used, (unsigned long)size, (int)starts);
  CALL(H5Pget_mdc_log_options(list, NULL, location, &size, NULL));
  printf("  '%s' %lu\n", location, (unsigned long)size);
  size = 4;
  CALL(H5Pget_mdc_log_options(list, NULL, location, &size, NULL));
  printf("  '%.4s' %lu\n", location, (unsigned long)size);
  CALL(H5Pset_mdc_log_options(H5P_DEFAULT, 1, "some.log", 0));
  CALL(H5Pset_mdc_log_options(list, 1, NULL, 0));
  CALL(H5Pset_mdc_log_options(other, 1, NULL, 0));
  CALL(H5Pset_mdc_log_options(other, 1, "some.log", 0));
  CALL(H5Pget_mdc_log_options(other, &used, NULL, &size, &starts));
  show_list(list, H5P_FILE_ACCESS);
  H5Pclose(list);
}

static void use_image(void) {
  H5AC_cache_image_config_t image;
  hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  puts("-- image of the metadata cache");
  memset(&image, 0, sizeof image);
  CALL(H5Pget_mdc_image_config(list, &image));
  image.version = H5AC__CURR_CACHE_IMAGE_CONFIG_VERSION;
  CALL(H5Pget_mdc_image_config(list, &image));
  printf("  %d %d %d\n", (int)image.generate_image, (int)image.save_resize_status, (int)image.entry_ageout);
  image.generate_image = 1;
  CALL(H5Pset_mdc_image_config(list, &image));
  image.generate_image = 0;
  CALL(H5Pget_mdc_image_config(list, &image));
  printf("  %d %d %d\n", (int)image.generate_image, (int)image.save_resize_status, (int)image.entry_ageout);
  show_list(list, H5P_FILE_ACCESS);
  image.entry_ageout = 5;
  CALL(H5Pset_mdc_image_config(list, &image));
  image.entry_ageout = H5AC__CACHE_IMAGE__ENTRY_AGEOUT__NONE;
  image.save_resize_status = 1;
  CALL(H5Pset_mdc_image_config(list, &image));
  image.save_resize_status = 2;
  CALL(H5Pset_mdc_image_config(list, &image));
  image.save_resize_status = 0;
  image.generate_image = 3;
  CALL(H5Pset_mdc_image_config(list, &image));
  image.generate_image = 1;
  image.entry_ageout = -2;
  CALL(H5Pset_mdc_image_config(list, &image));
  image.entry_ageout = 101;
  CALL(H5Pset_mdc_image_config(list, &image));
  image.entry_ageout = -1;
  image.version = 7;
  CALL(H5Pset_mdc_image_config(list, &image));
  CALL(H5Pget_mdc_image_config(list, &image));
  CALL(H5Pset_mdc_image_config(list, NULL));
  CALL(H5Pget_mdc_image_config(list, NULL));
  image.version = H5AC__CURR_CACHE_IMAGE_CONFIG_VERSION;
  CALL(H5Pset_mdc_image_config(other, NULL));
  CALL(H5Pget_mdc_image_config(other, NULL));
  CALL(H5Pset_mdc_image_config(H5P_DEFAULT, &image));
  show_list(list, H5P_FILE_ACCESS);
  H5Pclose(list);
}

static herr_t on_flush(hid_t object, void* data) {
  (void)object, (void)data;
  return 0;
}

static void use_flush(void) {
  H5F_flush_cb_t function = on_flush;
  void* data = &function;
  hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  puts("-- callback of flushes");
  CALL(H5Pget_object_flush_cb(list, &function, &data));
  VALUE(function == NULL && data == NULL);
  CALL(H5Pset_object_flush_cb(list, on_flush, &list));
  CALL(H5Pget_object_flush_cb(list, &function, NULL));
  CALL(H5Pget_object_flush_cb(list, NULL, &data));
  VALUE(function == on_flush && data == &list);
  CALL(H5Pset_object_flush_cb(list, NULL, &list));
  CALL(H5Pset_object_flush_cb(other, NULL, &list));
  CALL(H5Pset_object_flush_cb(other, on_flush, &list));
  CALL(H5Pget_object_flush_cb(other, &function, &data));
  CALL(H5Pequal(list, H5P_FILE_ACCESS_DEFAULT));
  CALL(H5Pset_object_flush_cb(list, NULL, NULL));
  CALL(H5Pequal(list, H5P_FILE_ACCESS_DEFAULT));
  H5Pclose(list);
}

static void show_space(hid_t list) {
  H5F_file_space_type_t old = (H5F_file_space_type_t)99;
  H5F_fspace_strategy_t strategy = (H5F_fspace_strategy_t)99;
  hsize_t threshold = 99, of_strategy = 99;
  hbool_t persist = 2;
  CALL(H5Pget_file_space(list, &old, &threshold));
  H5Pget_file_space_strategy(list, &strategy, &persist, &of_strategy);
  printf("  %d %d, %d %d %d\n", (int)old, (int)threshold, (int)strategy, (int)persist, (int)of_strategy);
}

static void use_space(void) {
  int kind;
  hsize_t threshold = 99;
  hid_t list = H5Pcreate(H5P_FILE_CREATE);
  puts("-- file space, the old way");
  show_space(list);
  for (kind = 0; kind <= 5; ++kind) {
    CALL(H5Pset_file_space(list, (H5F_file_space_type_t)kind, (hsize_t)(10 + kind)));
    show_space(list);
    CALL(H5Pset_file_space(list, (H5F_file_space_type_t)kind, 0));
    show_space(list);
  }
  CALL(H5Pset_file_space(list, (H5F_file_space_type_t)-1, 0));
  show_list(list, H5P_FILE_CREATE);
  H5Pset_file_space_strategy(list, H5F_FSPACE_STRATEGY_PAGE, 1, 3);
  show_space(list);
  CALL(H5Pget_file_space(list, NULL, &threshold));
  VALUE(threshold);
  CALL(H5Pset_file_space(list, H5F_FILE_SPACE_DEFAULT, 2));
  CALL(H5Pset_file_space(other, H5F_FILE_SPACE_ALL, 2));
  CALL(H5Pset_file_space(other, H5F_FILE_SPACE_DEFAULT, 0));
  CALL(H5Pget_file_space(other, NULL, NULL));
  H5Pclose(list);
}

static void use_hint(void) {
  hbool_t minimised = 2;
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  puts("-- datasets without attributes");
  CALL(H5Pget_dset_no_attrs_hint(list, &minimised));
  VALUE(minimised);
  CALL(H5Pset_dset_no_attrs_hint(list, 1));
  CALL(H5Pget_dset_no_attrs_hint(list, &minimised));
  VALUE(minimised);
  CALL(H5Pget_dset_no_attrs_hint(list, NULL));
  CALL(H5Pget_dset_no_attrs_hint(other, NULL));
  CALL(H5Pget_dset_no_attrs_hint(other, &minimised));
  CALL(H5Pset_dset_no_attrs_hint(other, 1));
  show_list(list, H5P_DATASET_CREATE);
  H5Pclose(list);
}

static int on_filter(H5Z_filter_t filter, void* buffer, size_t bytes, void* data) {
  (void)filter, (void)buffer, (void)bytes, (void)data;
  return H5Z_CB_CONT;
}

static void use_filter(void) {
  hid_t list = H5Pcreate(H5P_DATASET_XFER);
  puts("-- callback of filters");
  CALL(H5Pset_filter_callback(list, (H5Z_filter_func_t)on_filter, &list));
  CALL(H5Pequal(list, H5P_DATASET_XFER_DEFAULT));
  CALL(H5Pset_filter_callback(list, NULL, NULL));
  CALL(H5Pequal(list, H5P_DATASET_XFER_DEFAULT));
  CALL(H5Pset_filter_callback(other, NULL, NULL));
  CALL(H5Pset_filter_callback(H5P_DEFAULT, NULL, NULL));
  H5Pclose(list);
}

int main(void) {
  quiet();
  other = H5Pcreate(H5P_LINK_CREATE);
  use_transfer();
  use_numbers();
  use_core();
  use_log();
  use_image();
  use_flush();
  use_space();
  use_hint();
  use_filter();
  H5Pclose(other);
  return 0;
}
