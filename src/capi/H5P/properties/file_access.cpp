// SPDX-License-Identifier: Apache-2.0
//
// Properties of file access.
#include <cstring>
#include <tuple>

#include "capi/H5F/mdc_config.hpp"
#include "capi/H5FD/drivers.hpp"
#include "capi/H5P/properties/tables.hpp"

namespace filigree::capi {
namespace {

using Fapl = FileAccessSettings;

/// The fields of a configuration. The padding between them is not compared.
auto fields_of(const H5AC_cache_config_t& c) {
  return std::tuple(c.version, c.rpt_fcn_enabled, c.open_trace_file, c.close_trace_file,
                    std::string(c.trace_file_name, strnlen(c.trace_file_name, sizeof c.trace_file_name)),
                    c.evictions_enabled, c.set_initial_size, c.initial_size, c.min_clean_fraction, c.max_size,
                    c.min_size, c.epoch_length, c.incr_mode, c.lower_hr_threshold, c.increment,
                    c.apply_max_increment, c.max_increment, c.flash_incr_mode, c.flash_multiple,
                    c.flash_threshold, c.decr_mode, c.upper_hr_threshold, c.decrement, c.apply_max_decrement,
                    c.max_decrement, c.epochs_before_eviction, c.apply_empty_reserve, c.empty_reserve,
                    c.dirty_bytes_threshold, c.metadata_write_strategy);
}

bool same_mdc_config(const Settings& a, const Settings& b) {
  const auto config = [](const Settings& s) {
    return dynamic_cast<const Fapl&>(s).mdc_config.value_or(default_mdc_config());
  };
  return fields_of(config(a)) == fields_of(config(b));
}

bool same_cache_image(const Settings& a, const Settings& b) {
  const auto fields = [](const Settings& s) {
    const auto config = dynamic_cast<const Fapl&>(s).cache_image.value_or(default_mdc_image_config());
    return std::tuple(config.version, config.generate_image, config.save_resize_status, config.entry_ageout);
  };
  return fields(a) == fields(b);
}

void encode_mdc_config(PlistCoder& coder, Settings& settings) {
  auto& held = dynamic_cast<Fapl&>(settings).mdc_config;
  H5AC_cache_config_t c = held.value_or(default_mdc_config());
  coder.size_mark(4);
  coder.size_mark(8);
  coder.raw(c.version, 4);
  coder.raw(c.rpt_fcn_enabled, 4);
  coder.raw(c.open_trace_file, 4);
  coder.raw(c.close_trace_file, 4);
  coder.copy(c.trace_file_name, sizeof c.trace_file_name);
  c.trace_file_name[sizeof c.trace_file_name - 1] = '\0';
  coder.raw(c.evictions_enabled, 4);
  coder.raw(c.set_initial_size, 4);
  coder.number(c.initial_size);
  coder.plain_real(c.min_clean_fraction);
  coder.number(c.max_size);
  coder.number(c.min_size);
  coder.raw(c.epoch_length, 8);
  coder.raw(c.incr_mode, 1);
  coder.plain_real(c.lower_hr_threshold);
  coder.plain_real(c.increment);
  coder.raw(c.apply_max_increment, 4);
  coder.number(c.max_increment);
  coder.raw(c.flash_incr_mode, 1);
  coder.plain_real(c.flash_multiple);
  coder.plain_real(c.flash_threshold);
  coder.raw(c.decr_mode, 1);
  coder.plain_real(c.upper_hr_threshold);
  coder.plain_real(c.decrement);
  coder.raw(c.apply_max_decrement, 4);
  coder.number(c.max_decrement);
  coder.raw(c.epochs_before_eviction, 4);
  coder.raw(c.apply_empty_reserve, 4);
  coder.plain_real(c.empty_reserve);
  coder.raw(c.dirty_bytes_threshold, 4);
  coder.raw(c.metadata_write_strategy, 4);
  const H5AC_cache_config_t usual = default_mdc_config();
  if (!coder.writing() && std::memcmp(&c, &usual, sizeof c) != 0) held = c;
}

void encode_cache_image(PlistCoder& coder, Settings& settings) {
  auto& held = dynamic_cast<Fapl&>(settings).cache_image;
  H5AC_cache_image_config_t image = held.value_or(default_mdc_image_config());
  coder.size_mark(4);
  coder.raw(image.version, 4);
  coder.raw(image.generate_image, 4);
  coder.raw(image.save_resize_status, 4);
  coder.raw(image.entry_ageout, 4);
  if (!coder.writing() && (image.generate_image || held)) held = image;
}

/// A decoded value that differs from the default counts as set by the program.
void encode_locking(PlistCoder& coder, Settings& settings) {
  auto& access = dynamic_cast<Fapl&>(settings);
  bool used = access.use_locking;
  coder.byte(used);
  if (used != access.use_locking) access.locking_given = true;
  access.use_locking = used;
}

/// A location that was never set is encoded as an empty one.
void encode_log_location(PlistCoder& coder, Settings& settings) {
  auto& location = dynamic_cast<Fapl&>(settings).log_location;
  std::string text = location.value_or("");
  coder.text(text);
  if (!coder.writing()) location = text.empty() ? std::nullopt : std::optional(text);
}

/// User-defined drivers copy their info themselves.
void copy_vfd_info(Settings& settings) {
  DriverSetting& driver = dynamic_cast<Fapl&>(settings).driver;
  if (driver.info == nullptr || driver_of(driver)->of_library) return;
  driver.info = copy_driver_info(driver.driver, driver.info.get());
}

void copy_connector(Settings& settings) {
  ConnectorSetting& connector = dynamic_cast<Fapl&>(settings).connector;
  connector = connector.copied();
}

void copy_file_image(Settings& settings) {
  ImageSetting& image = dynamic_cast<Fapl&>(settings).image;
  image = image.copied();
}

constexpr LibraryProperty file_access[] = {
    opaque("want_posix_fd", 1),
    scalar<hsize_t, FILIGREE_FIELD(Fapl, options.alignment), Encoding::number>("align"),
    scalar<bool, FILIGREE_FIELD(Fapl, options.ignore_write_mark)>("clear_status_flags").uncompared(),
    scalar<unsigned, FILIGREE_FIELD(Fapl, metadata_read_attempts), Encoding::word>("metadata_read_attempts"),
    scalar<std::size_t, FILIGREE_FIELD(Fapl, options.page_buffer_bytes), Encoding::number>(
        "page_buffer_size"),
    opaque("mdc_initCacheImageCfg", 12).compared(same_cache_image).encoded(encode_cache_image),
    scalar<double, FILIGREE_FIELD(Fapl, cache_w0), Encoding::real>("rdcc_w0"),
    scalar<bool, FILIGREE_FIELD(Fapl, evict_on_close), Encoding::byte>("evict_on_close_flag"),
    scalar<unsigned, FILIGREE_FIELD(Fapl, external_file_cache), Encoding::word>("efc_size"),
    opaque("family_to_single", 1),
    choice<int, FILIGREE_FIELD(Fapl, close_degree), H5F_CLOSE_STRONG>("close_degree"),
    scalar<hsize_t, FILIGREE_FIELD(Fapl, options.small_data_block_bytes), Encoding::number>(
        "sdata_block_size"),
    scalar<std::size_t, FILIGREE_FIELD(Fapl, tracked_page_bytes), Encoding::number>(
        "core_write_tracking_page_size"),
    opaque("mdc_log_location", 8)
        .compared<FILIGREE_FIELD(Fapl, log_location)>()
        .encoded(encode_log_location)
        .kept_on_copy(),
    scalar<hsize_t, FILIGREE_FIELD(Fapl, options.metadata_block_bytes), Encoding::number>("meta_block_size"),
    scalar<std::size_t, FILIGREE_FIELD(Fapl, sieve_bytes), Encoding::number>("sieve_buf_size"),
    scalar<hsize_t, FILIGREE_FIELD(Fapl, family_offset), Encoding::number>("family_offset"),
    scalar<unsigned, FILIGREE_FIELD(Fapl, options.page_buffer_metadata_percent), Encoding::word>(
        "page_buffer_min_meta_perc"),
    choice<int, FILIGREE_FIELD(Fapl, high), H5F_LIBVER_LATEST>("libver_high_bound"),
    scalar<bool, FILIGREE_FIELD(Fapl, ignore_disabled_locks), Encoding::byte>("ignore_disabled_file_locks"),
    scalar<bool, FILIGREE_FIELD(Fapl, use_locking)>("use_file_locking").encoded(encode_locking),
    choice<int, FILIGREE_FIELD(Fapl, low), H5F_LIBVER_LATEST>("libver_low_bound"),
    opaque("object_flush_cb", 16)
        .compared<FILIGREE_FIELD(Fapl, flush_callback), FILIGREE_FIELD(Fapl, flush_data)>(),
    scalar<H5FD_mem_t, FILIGREE_FIELD(Fapl, multi_type), Encoding::byte>("multi_type"),
    opaque("skip_eof_check", 1),
    opaque("family_newsize", 8),
    scalar<unsigned, FILIGREE_FIELD(Fapl, options.page_buffer_raw_percent), Encoding::word>(
        "page_buffer_min_raw_perc"),
    opaque("null_fsm_addr", 1),
    opaque("mdc_initCacheCfg", sizeof(H5AC_cache_config_t))
        .compared(same_mdc_config)
        .encoded(encode_mdc_config),
    scalar<bool, FILIGREE_FIELD(Fapl, tracks_writes), Encoding::byte>("core_write_tracking_flag"),
    scalar<std::size_t, FILIGREE_FIELD(Fapl, cache_bytes), Encoding::number>("rdcc_nbytes"),
    scalar<std::size_t, FILIGREE_FIELD(Fapl, cache_slots), Encoding::number>("rdcc_nslots"),
    scalar<bool, FILIGREE_FIELD(Fapl, log_use), Encoding::byte>("use_mdc_logging"),
    opaque("file_image_info", 72).compared<FILIGREE_FIELD(Fapl, image)>().kept_on_copy(copy_file_image),
    scalar<hsize_t, FILIGREE_FIELD(Fapl, options.alignment_threshold), Encoding::number>("threshold"),
    opaque("vfd_info", 16)
        .compared<FILIGREE_FIELD(Fapl, driver)>()
        .kept_on_creation()
        .kept_on_copy(copy_vfd_info),
    scalar<unsigned, FILIGREE_FIELD(Fapl, garbage_references), Encoding::word>("gc_ref"),
    scalar<bool, FILIGREE_FIELD(Fapl, log_on_start), Encoding::byte>("start_mdc_log_on_access"),
    unnamed<FILIGREE_FIELD(Fapl, metadata_elements)>(),
    unnamed<FILIGREE_FIELD(Fapl, mpio)>(),
    unnamed<FILIGREE_FIELD(Fapl, connector)>().copied_by(copy_connector),
    unnamed<FILIGREE_FIELD(Fapl, relaxed_checks)>(),
    unnamed<FILIGREE_FIELD(Fapl, collective_metadata_read),
            FILIGREE_FIELD(Fapl, collective_metadata_write)>(),
};

}  // namespace

std::span<const LibraryProperty> file_access_properties() { return file_access; }

}  // namespace filigree::capi
