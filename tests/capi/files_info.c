/* SPDX-License-Identifier: Apache-2.0
 *
 * Information on open files. */
#include "show.h"

int main(void) {
  hid_t file, group, list;
  hsize_t size = 0;
  H5F_info2_t info;
  H5AC_cache_config_t config;
  size_t most = 0, clean = 0;
  double rate = 9;
  unsigned pages[2];
  void* handle = NULL;
  char small[4];
  quiet();
  file = new_file("info.h5");
  group = H5Gcreate2(file, "g", NONE, NONE, NONE);
  H5Fflush(file, H5F_SCOPE_LOCAL);
  CALL(H5Fget_filesize(file, &size));
  CALL(size > 0);
  CALL(H5Fget_filesize(file, NULL));
  CALL(H5Fget_filesize(group, &size));
  CALL(H5Fget_freespace(file) >= 0);
  CALL(H5Fget_freespace(group));
  CALL(H5Fget_file_image(file, NULL, 0) > 0);
  CALL(H5Fget_file_image(file, small, sizeof small));
  CALL(H5Fget_file_image(group, NULL, 0));
  CALL(H5Fget_info2(group, &info));
  printf("superblock %u of %lu bytes and %lu\n", info.super.version, (unsigned long)info.super.super_size,
         (unsigned long)info.super.super_ext_size);
  CALL(H5Fget_info2(file, NULL));
  CALL(H5Fget_info2(-1, &info));
  CALL(H5Fget_mdc_hit_rate(file, &rate));
  CALL(rate >= 0 && rate <= 1);
  CALL(H5Fget_mdc_hit_rate(file, NULL));
  CALL(H5Fget_mdc_hit_rate(group, &rate));
  CALL(H5Freset_mdc_hit_rate_stats(file));
  CALL(H5Freset_mdc_hit_rate_stats(group));
  CALL(H5Fget_mdc_size(file, &most, &clean, NULL, NULL));
  printf("%lu %lu\n", (unsigned long)most, (unsigned long)clean);
  CALL(H5Fget_mdc_size(group, &most, &clean, NULL, NULL));
  memset(&config, 0, sizeof config);
  CALL(H5Fget_mdc_config(file, &config));
  config.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  CALL(H5Fget_mdc_config(file, &config));
  printf("%d %lu %g %lu %lu %ld\n", (int)config.set_initial_size, (unsigned long)config.initial_size,
         config.min_clean_fraction, (unsigned long)config.max_size, (unsigned long)config.min_size,
         config.epoch_length);
  printf("%d %g %g %d %lu, %d %g %g\n", (int)config.incr_mode, config.lower_hr_threshold, config.increment,
         (int)config.apply_max_increment, (unsigned long)config.max_increment, (int)config.flash_incr_mode,
         config.flash_multiple, config.flash_threshold);
  printf("%d %g %g %d %lu %d %d %g %lu %d\n", (int)config.decr_mode, config.upper_hr_threshold,
         config.decrement, (int)config.apply_max_decrement, (unsigned long)config.max_decrement,
         config.epochs_before_eviction, (int)config.apply_empty_reserve, config.empty_reserve,
         (unsigned long)config.dirty_bytes_threshold, config.metadata_write_strategy);
  config.set_initial_size = 1;
  config.initial_size = 4 << 20;
  CALL(H5Fset_mdc_config(file, &config));
  CALL(H5Fget_mdc_config(file, &config));
  printf("%lu\n", (unsigned long)config.initial_size);
  config.version = 9;
  CALL(H5Fset_mdc_config(file, &config));
  CALL(H5Fset_mdc_config(file, NULL));
  CALL(H5Fget_vfd_handle(file, NONE, &handle));
  CALL(*(int*)handle > 2 && *(long long*)handle == *(int*)handle); /* some programs read eight bytes */
  CALL(*(int*)handle > 2);
  CALL(H5Fget_vfd_handle(file, NONE, NULL));
  CALL(H5Fget_vfd_handle(group, NONE, &handle));
  CALL(H5Fstart_swmr_write(file));
  CALL(H5Fstart_swmr_write(group));
  CALL(H5Fget_page_buffering_stats(file, pages, pages, pages, pages, pages));
  CALL(H5Fget_page_buffering_stats(group, pages, pages, pages, pages, pages));
  CALL(H5Freset_page_buffering_stats(file));
  CALL(H5Fclear_elink_file_cache(file));
  CALL(H5Fclear_elink_file_cache(group));
  CALL(H5Fset_libver_bounds(file, H5F_LIBVER_V18, H5F_LIBVER_LATEST));
  CALL(H5Fset_libver_bounds(group, H5F_LIBVER_V18, H5F_LIBVER_LATEST));
  new_group(file, "newer");
  {
    H5O_info1_t now;
    CALL(H5Oget_info_by_name1(file, "newer", &now, NONE));
    printf("header version %u\n", now.hdr.version);
  }
  H5Gclose(group);
  H5Fclose(file);

  list = H5Pcreate(H5P_FILE_CREATE);
  H5Pset_file_space_strategy(list, H5F_FSPACE_STRATEGY_PAGE, 0, 1);
  {
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_page_buffer_size(access, 65536, 0, 0);
    file = H5Fcreate("info_pages.h5", H5F_ACC_TRUNC, list, access);
    CALL_ID(file);
    new_group(file, "g");
    CALL(H5Fget_page_buffering_stats(file, pages, pages, pages, pages, pages));
    CALL(H5Fget_page_buffering_stats(file, NULL, pages, pages, pages, pages));
    CALL(H5Freset_page_buffering_stats(file));
    CALL(H5Fget_info2(file, &info));
    printf("superblock %u of %lu bytes\n", info.super.version, (unsigned long)info.super.super_size);
    H5Fclose(file);
    H5Pclose(access);
  }
  H5Pclose(list);
  return 0;
}
