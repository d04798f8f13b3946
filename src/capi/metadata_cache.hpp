// SPDX-License-Identifier: Apache-2.0
//
// How stock's metadata cache is configured: kept and given back; our own cache follows AccessOptions.
#pragma once

#include "capi/open_file.hpp"

namespace filigree::capi {

/// What stock begins with. Its fractions are rounded to float.
inline H5AC_cache_config_t default_metadata_cache() {
  H5AC_cache_config_t config{};
  config.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  config.evictions_enabled = true;
  config.set_initial_size = true;
  config.initial_size = std::size_t{2} << 20;
  config.min_clean_fraction = 0.01f;
  config.max_size = std::size_t{32} << 20;
  config.min_size = std::size_t{1} << 20;
  config.epoch_length = 50000;
  config.incr_mode = H5C_incr__threshold;
  config.lower_hr_threshold = 0.9f;
  config.increment = 2.0f;
  config.apply_max_increment = true;
  config.max_increment = std::size_t{4} << 20;
  config.flash_incr_mode = H5C_flash_incr__add_space;
  config.flash_multiple = 1.4f;
  config.flash_threshold = 0.25f;
  config.decr_mode = H5C_decr__age_out_with_threshold;
  config.upper_hr_threshold = 0.999f;
  config.decrement = 0.9f;
  config.apply_max_decrement = true;
  config.max_decrement = std::size_t{1} << 20;
  config.epochs_before_eviction = 3;
  config.apply_empty_reserve = true;
  config.empty_reserve = 0.1f;
  config.dirty_bytes_threshold = std::size_t{256} << 10;
  config.metadata_write_strategy = H5AC_METADATA_WRITE_STRATEGY__DISTRIBUTED;
  return config;
}

/// Of an open file: as set last, as its access list says, or the default.
inline H5AC_cache_config_t metadata_cache_config(const OpenFile& open) {
  const auto set = open.shared->metadata_cache.get();
  H5AC_cache_config_t config =
      set->has_value() ? **set : open.access->metadata_cache.value_or(default_metadata_cache());
  config.set_initial_size = false;  // the cache has its size by now
  return config;
}

}  // namespace filigree::capi
