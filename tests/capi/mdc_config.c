/* SPDX-License-Identifier: Apache-2.0
 *
 * Metadata cache configurations of property lists and open files: which ones are refused, and what is
 * reported for the others. */
#include "show.h"

static hid_t file, fapl;
static H5AC_cache_config_t cache;

/* The default configuration with one change. */
#define WITH(change)                                         \
  do {                                                       \
    hid_t copy_ = H5Pcopy(fapl);                             \
    memset(&cache, 0, sizeof cache);                         \
    cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;         \
    H5Pget_mdc_config(fapl, &cache);                         \
    change;                                                  \
    printf("%s\n", #change);                                 \
    show_result("  list", H5Pset_mdc_config(copy_, &cache)); \
    show_result("  file", H5Fset_mdc_config(file, &cache));  \
    H5Pclose(copy_);                                         \
  } while (0)

static void show_cache(hid_t of) {
  memset(&cache, 0, sizeof cache);
  cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  CALL(H5Fget_mdc_config(of, &cache));
  printf("trace %d %d '%s' sizes %d %lu %lu %lu modes %d %d %d epoch %ld max_increment %lu\n",
         cache.open_trace_file, cache.close_trace_file, cache.trace_file_name, cache.set_initial_size,
         (unsigned long)cache.initial_size, (unsigned long)cache.min_size, (unsigned long)cache.max_size,
         cache.incr_mode, cache.flash_incr_mode, cache.decr_mode, cache.epoch_length,
         (unsigned long)cache.max_increment);
}

static void sizes(void) {
  WITH(cache.version = 0);
  WITH(cache.version = 2);
  WITH(cache.initial_size = 0);
  WITH(cache.initial_size = cache.min_size - 1);
  WITH(cache.initial_size = cache.max_size + 1);
  WITH(cache.set_initial_size = 0; cache.initial_size = 0);
  WITH(cache.min_clean_fraction = -0.1);
  WITH(cache.min_clean_fraction = 1.1);
  WITH(cache.max_size = 1023);
  WITH(cache.max_size = (size_t)128 << 20);
  WITH(cache.max_size = ((size_t)128 << 20) + 1);
  WITH(cache.min_size = 1023);
  WITH(cache.min_size = 1024);
  WITH(cache.min_size = cache.max_size + 1);
  WITH(cache.epoch_length = 99);
  WITH(cache.epoch_length = 100);
  WITH(cache.epoch_length = 1000000);
  WITH(cache.epoch_length = 1000001);
  WITH(cache.dirty_bytes_threshold = 511);
  WITH(cache.dirty_bytes_threshold = 512);
  WITH(cache.dirty_bytes_threshold = 32 << 20);
  WITH(cache.dirty_bytes_threshold = (32 << 20) + 1);
  WITH(cache.metadata_write_strategy = 2);
  WITH(cache.metadata_write_strategy = -1);
}

static void growth(void) {
  WITH(cache.incr_mode = 2);
  WITH(cache.incr_mode = -1);
  WITH(cache.lower_hr_threshold = -0.1);
  WITH(cache.lower_hr_threshold = 1.1);
  WITH(cache.incr_mode = H5C_incr__off; cache.lower_hr_threshold = 1.1);
  WITH(cache.increment = 0.99);
  WITH(cache.increment = 1.0);
  WITH(cache.incr_mode = H5C_incr__off; cache.increment = 0);
  WITH(cache.flash_incr_mode = 2);
  WITH(cache.flash_multiple = 0.09);
  WITH(cache.flash_multiple = 10.0);
  WITH(cache.flash_multiple = 10.1);
  WITH(cache.flash_threshold = 0.09);
  WITH(cache.flash_threshold = 1.0);
  WITH(cache.flash_threshold = 1.1);
  WITH(cache.flash_incr_mode = H5C_flash_incr__off; cache.flash_threshold = 1.1);
}

static void shrinking(void) {
  WITH(cache.decr_mode = 4);
  WITH(cache.decr_mode = -1);
  WITH(cache.upper_hr_threshold = 1.1);
  WITH(cache.lower_hr_threshold = cache.upper_hr_threshold = 0.5);
  WITH(cache.decr_mode = H5C_decr__threshold; cache.lower_hr_threshold = cache.upper_hr_threshold = 0.5);
  WITH(cache.decr_mode = H5C_decr__age_out; cache.lower_hr_threshold = cache.upper_hr_threshold = 0.5);
  WITH(cache.incr_mode = H5C_incr__off; cache.upper_hr_threshold = 0.5);
  WITH(cache.incr_mode = H5C_incr__off; cache.upper_hr_threshold = -0.1);
  WITH(cache.incr_mode = H5C_incr__off; cache.decr_mode = H5C_decr__threshold;
       cache.upper_hr_threshold = 1.1);
  WITH(cache.decr_mode = H5C_decr__threshold; cache.decrement = -0.1);
  WITH(cache.decr_mode = H5C_decr__threshold; cache.decrement = 1.1);
  WITH(cache.decrement = 1.1);
  WITH(cache.epochs_before_eviction = 0);
  WITH(cache.epochs_before_eviction = 10);
  WITH(cache.epochs_before_eviction = 11);
  WITH(cache.decr_mode = H5C_decr__threshold; cache.epochs_before_eviction = 11);
  WITH(cache.empty_reserve = -0.1);
  WITH(cache.empty_reserve = 1.1);
  WITH(cache.apply_empty_reserve = 0; cache.empty_reserve = 1.1);
  WITH(cache.evictions_enabled = 0);
  WITH(cache.evictions_enabled = 0; cache.incr_mode = 0; cache.decr_mode = 0);
  WITH(cache.evictions_enabled = 0; cache.incr_mode = 0; cache.flash_incr_mode = 0; cache.decr_mode = 0);
}

static void traces(void) {
  hid_t other;
  WITH(cache.open_trace_file = 1);
  WITH(cache.close_trace_file = 1);
  WITH(cache.open_trace_file = 1; strcpy(cache.trace_file_name, "trace"));
  WITH(cache.open_trace_file = 1; strcpy(cache.trace_file_name, "trace"));
  WITH(cache.open_trace_file = cache.close_trace_file = 1; strcpy(cache.trace_file_name, "trace"));
  show_cache(file);
  WITH(cache.open_trace_file = 1; memset(cache.trace_file_name, 'x', sizeof cache.trace_file_name));
  WITH(cache.open_trace_file = cache.close_trace_file = 1; strcpy(cache.trace_file_name, "no/trace"));
  WITH(cache.close_trace_file = 1);
  WITH(cache.open_trace_file = 1; strcpy(cache.trace_file_name, "no/trace"));
  CALL(H5Pset_mdc_config(fapl, &cache));
  CALL_ID(H5Fcreate("untraced.h5", H5F_ACC_EXCL, NONE, fapl));
  remove("untraced.h5");
  strcpy(cache.trace_file_name, "trace");
  CALL(H5Pset_mdc_config(fapl, &cache));
  CALL_ID(other = H5Fcreate("traced.h5", H5F_ACC_TRUNC, NONE, fapl));
  show_cache(other);
  H5Fclose(other);
  CALL_ID(other = H5Fopen("traced.h5", H5F_ACC_RDONLY, fapl));
  cache.close_trace_file = 1;
  CALL(H5Fset_mdc_config(other, &cache));
  CALL(H5Fset_mdc_config(other, &cache));
  H5Fclose(other);
}

/* The current size of the cache. */
static void current(void) {
  hid_t other, list = H5Pcreate(H5P_FILE_ACCESS);
  WITH(cache.initial_size = 3 << 20; cache.max_increment = 77);
  show_cache(file);
  WITH(cache.set_initial_size = 0; cache.initial_size = 9 << 20);
  show_cache(file);
  WITH(cache.set_initial_size = 0; cache.max_size = 2 << 20);
  show_cache(file);
  WITH(cache.set_initial_size = 0; cache.min_size = 10 << 20);
  show_cache(file);
  CALL(H5Pset_mdc_config(list, &cache));
  CALL_ID(other = H5Fcreate("other.h5", H5F_ACC_TRUNC, NONE, list));
  show_cache(other);
  H5Fclose(other);
  H5Pclose(list);
}

int main(void) {
  quiet();
  file = new_file("cache.h5");
  fapl = H5Pcreate(H5P_FILE_ACCESS);
  sizes();
  growth();
  shrinking();
  current();
  traces();
  CALL(H5Fset_mdc_config(fapl, &cache));
  CALL(H5Fset_mdc_config(-1, NULL));
  CALL(H5Pset_mdc_config(file, &cache));
  CALL(H5Pset_mdc_config(H5P_DEFAULT, &cache));
  H5Pclose(fapl);
  H5Fclose(file);
  return 0;
}
