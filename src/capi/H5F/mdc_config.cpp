// SPDX-License-Identifier: Apache-2.0
#include "capi/H5F/mdc_config.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>

namespace filigree::capi {
namespace {

[[noreturn]] void bad_cache(const char* text) { throw NestedFailure({&H5E_CACHE_g, &H5E_BADVALUE_g}, text); }

void require(bool holds, const char* text) {
  if (!holds) bad_cache(text);
}

bool between(double value, double low, double high) { return value >= low && value <= high; }

void check_sizes(const H5AC_cache_config_t& config) {
  constexpr std::size_t most = std::size_t{128} << 20, least = 1024;
  require(config.max_size <= most, "max_size is too large");
  require(config.min_size >= least, "min_size is too small");
  require(config.min_size <= config.max_size, "min_size is beyond max_size");
  if (config.set_initial_size)
    require(config.initial_size >= config.min_size && config.initial_size <= config.max_size,
            "initial_size is not between min_size and max_size");
  require(between(config.min_clean_fraction, 0.0, 1.0), "min_clean_fraction is from 0 to 1");
  require(config.epoch_length >= 100 && config.epoch_length <= 1000000, "epoch_length is out of range");
}

void check_growth(const H5AC_cache_config_t& config) {
  require(config.incr_mode == H5C_incr__off || config.incr_mode == H5C_incr__threshold, "unknown incr_mode");
  if (config.incr_mode == H5C_incr__threshold) {
    require(between(config.lower_hr_threshold, 0.0, 1.0), "lower_hr_threshold is from 0 to 1");
    require(config.increment >= 1.0, "increment is at least 1");
  }
  require(
      config.flash_incr_mode == H5C_flash_incr__off || config.flash_incr_mode == H5C_flash_incr__add_space,
      "unknown flash_incr_mode");
  if (config.flash_incr_mode == H5C_flash_incr__add_space) {
    require(between(config.flash_multiple, 0.1, 10.0), "flash_multiple is from 0.1 to 10");
    require(between(config.flash_threshold, 0.1, 1.0), "flash_threshold is from 0.1 to 1");
  }
}

void check_shrinking(const H5AC_cache_config_t& config) {
  const H5C_cache_decr_mode mode = config.decr_mode;
  require(mode >= H5C_decr__off && mode <= H5C_decr__age_out_with_threshold, "unknown decr_mode");
  if (mode == H5C_decr__threshold) {
    require(config.upper_hr_threshold <= 1.0, "upper_hr_threshold is at most 1");
    require(between(config.decrement, 0.0, 1.0), "decrement is from 0 to 1");
  }
  if (mode == H5C_decr__age_out || mode == H5C_decr__age_out_with_threshold) {
    require(config.epochs_before_eviction >= 1 && config.epochs_before_eviction <= 10,
            "epochs_before_eviction is from 1 to 10");
    if (config.apply_empty_reserve)
      require(between(config.empty_reserve, 0.0, 1.0), "empty_reserve is from 0 to 1");
  }
  if (mode == H5C_decr__age_out_with_threshold)
    require(between(config.upper_hr_threshold, 0.0, 1.0), "upper_hr_threshold is from 0 to 1");
  if (config.incr_mode == H5C_incr__threshold &&
      (mode == H5C_decr__threshold || mode == H5C_decr__age_out_with_threshold))
    require(config.lower_hr_threshold < config.upper_hr_threshold,
            "the lower threshold is not below the upper one");
}

/// HDF5 writes a trace of its metadata cache to this file. Filigree has no such trace and leaves the file
/// empty.
void trace(SharedFile& shared, const H5AC_cache_config_t& config) {
  if (config.close_trace_file && !shared.cache_traced.exchange(false)) bad_cache("no trace file is open");
  if (!config.open_trace_file) return;
  require(!shared.cache_traced.load(), "a trace file is open already");
  require(std::ofstream(config.trace_file_name).good(), "the trace file cannot be made");
  shared.cache_traced = true;
}

}  // namespace

H5AC_cache_config_t default_mdc_config() {
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

void check_mdc_config(const H5AC_cache_config_t* config) {
  if (config == nullptr) bad_cache("the configuration cannot be NULL");
  require(config->version == H5AC__CURR_CACHE_CONFIG_VERSION, "unknown version of the configuration");
  if (config->open_trace_file) {
    const void* const end = std::memchr(config->trace_file_name, 0, sizeof config->trace_file_name);
    require(end != nullptr && end != config->trace_file_name,
            "the trace file has no name, or too long a one");
  }
  require(config->evictions_enabled ||
              (config->incr_mode == H5C_incr__off && config->flash_incr_mode == H5C_flash_incr__off &&
               config->decr_mode == H5C_decr__off),
          "without evictions the cache has to keep its size");
  require(config->dirty_bytes_threshold >= 512 && config->dirty_bytes_threshold <= std::size_t{32} << 20,
          "dirty_bytes_threshold is out of range");
  require(config->metadata_write_strategy == H5AC_METADATA_WRITE_STRATEGY__PROCESS_0_ONLY ||
              config->metadata_write_strategy == H5AC_METADATA_WRITE_STRATEGY__DISTRIBUTED,
          "unknown metadata_write_strategy");
  check_sizes(*config);
  check_growth(*config);
  check_shrinking(*config);
}

H5AC_cache_image_config_t default_mdc_image_config() {
  return {H5AC__CURR_CACHE_IMAGE_CONFIG_VERSION, false, false, H5AC__CACHE_IMAGE__ENTRY_AGEOUT__NONE};
}

void check_mdc_image_config(const H5AC_cache_image_config_t* config) {
  if (config == nullptr) bad_value("there is no configuration of the cache image");
  if (config->version != H5AC__CURR_CACHE_IMAGE_CONFIG_VERSION)
    bad_value("unknown version of the configuration of the cache image");
  // HDF5 has these two fields for later, and refuses them.
  if (config->save_resize_status) bad_value("save_resize_status must be false");
  if (config->entry_ageout != H5AC__CACHE_IMAGE__ENTRY_AGEOUT__NONE) bad_value("entry_ageout must be none");
}

H5AC_cache_config_t mdc_config_of(const OpenFile& open) {
  const auto set = open.shared->mdc_config.get();
  H5AC_cache_config_t config =
      set->has_value() ? **set : open.access->mdc_config.value_or(default_mdc_config());
  if (!config.set_initial_size)
    config.initial_size = std::clamp(default_mdc_config().initial_size, config.min_size, config.max_size);
  config.set_initial_size = false;  // the cache has its initial size by now
  config.open_trace_file = config.close_trace_file = false;
  config.trace_file_name[0] = '\0';
  // These only matter for a metadata cache that several MPI processes share.
  config.dirty_bytes_threshold = default_mdc_config().dirty_bytes_threshold;
  config.metadata_write_strategy = default_mdc_config().metadata_write_strategy;
  return config;
}

void set_mdc_config(const OpenFile& open, const H5AC_cache_config_t* given) {
  check_mdc_config(given);
  trace(*open.shared, *given);
  H5AC_cache_config_t config = *given;
  if (!config.set_initial_size)
    config.initial_size = std::clamp(mdc_config_of(open).initial_size, config.min_size, config.max_size);
  config.set_initial_size = true;
  open.shared->mdc_config.set(config);
}

void start_mdc(const OpenFile& open) {
  if (open.access->mdc_config) trace(*open.shared, *open.access->mdc_config);
}

}  // namespace filigree::capi
