// SPDX-License-Identifier: Apache-2.0
#include "capi/H5P/settings.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>

#include "capi/H5F/mdc_config.hpp"

namespace filigree::capi {

void LinkAccessSettings::own_copies() {
  if (external_access == nullptr) return;
  auto copy = std::make_shared<FileAccessSettings>(*external_access);
  copy->own_copies();
  external_access = std::move(copy);
}
namespace {

auto values(const AttributeStorage& s) {
  return std::tuple(s.track_order, s.index_order, s.max_compact, s.min_dense);
}

auto values(const SpaceOptions& s) { return std::tuple(s.strategy, s.persist, s.threshold, s.page_bytes); }

bool same_index(const SharedMessageIndexOptions& a, const SharedMessageIndexOptions& b) {
  return a.types == b.types && a.least_bytes == b.least_bytes;
}

bool same_fill(const FillSetting& a, const FillSetting& b) {
  return a.state == b.state && a.type == b.type && a.value == b.value;
}

bool same_external(const ExternalFile& a, const ExternalFile& b) {
  return std::tie(a.path, a.offset, a.bytes) == std::tie(b.path, b.offset, b.bytes);
}

bool same_space(const SpaceValue& a, const SpaceValue& b) {
  if (a.extent != b.extent || a.unlimited != b.unlimited || a.offset != b.offset) return false;
  if (a.selection.has_value() != b.selection.has_value()) return false;
  return !a.selection || space::same_elements(*a.selection, *b.selection);
}

bool same_mapping(const MappingSetting& a, const MappingSetting& b) {
  return a.file == b.file && a.dataset == b.dataset && same_space(a.virtual_space, b.virtual_space) &&
         same_space(a.source_space, b.source_space);
}

/// For the plain structs of the C API, which are set as a whole.
template <class T>
bool same_bytes(const std::optional<T>& a, const std::optional<T>& b) {
  return a.has_value() == b.has_value() && (!a || std::memcmp(&*a, &*b, sizeof(T)) == 0);
}

/// Field by field: what is between them is anything.
auto values(const H5AC_cache_config_t& c) {
  return std::tuple(c.version, c.rpt_fcn_enabled, c.open_trace_file, c.close_trace_file,
                    std::string(c.trace_file_name, strnlen(c.trace_file_name, sizeof c.trace_file_name)),
                    c.evictions_enabled, c.set_initial_size, c.initial_size, c.min_clean_fraction, c.max_size,
                    c.min_size, c.epoch_length, c.incr_mode, c.lower_hr_threshold, c.increment,
                    c.apply_max_increment, c.max_increment, c.flash_incr_mode, c.flash_multiple,
                    c.flash_threshold, c.decr_mode, c.upper_hr_threshold, c.decrement, c.apply_max_decrement,
                    c.max_decrement, c.epochs_before_eviction, c.apply_empty_reserve, c.empty_reserve,
                    c.dirty_bytes_threshold, c.metadata_write_strategy);
}

bool same_cache(const std::optional<H5AC_cache_config_t>& a, const std::optional<H5AC_cache_config_t>& b) {
  return values(a.value_or(default_mdc_config())) == values(b.value_or(default_mdc_config()));
}

auto core_values(const AccessOptions& o) {
  return std::tuple(o.page_buffer_bytes, o.page_buffer_metadata_percent, o.page_buffer_raw_percent,
                    o.alignment, o.alignment_threshold, o.metadata_block_bytes, o.small_data_block_bytes);
}

auto plain_values(const FileAccessSettings& s) {
  return std::tie(
      s.driver, s.cache_slots, s.cache_bytes, s.cache_w0, s.metadata_elements, s.close_degree, s.low, s.high,
      s.garbage_references, s.family_offset, s.sieve_bytes, s.metadata_read_attempts, s.external_file_cache,
      s.image, s.use_locking, s.ignore_disabled_locks, s.evict_on_close, s.collective_metadata_read,
      s.collective_metadata_write, s.log_on_start, s.log_use, s.log_location, s.flush_callback, s.flush_data);
}

auto plain_values(const TransferSettings& s) {
  return std::tie(s.buffer_bytes, s.conversion_buffer, s.background_buffer, s.background, s.btree_ratios,
                  s.allocate, s.allocate_info, s.release, s.release_info, s.edc, s.filter_callback,
                  s.filter_data, s.conversion_callback, s.conversion_data, s.vector_size, s.expression,
                  s.preserve, s.modify_write_buffer, s.dataset_io_selection, s.selection_io);
}

}  // namespace

H5D_alloc_time_t usual_allocation(H5D_layout_t layout) {
  switch (layout) {
    case H5D_COMPACT:
      return H5D_ALLOC_TIME_EARLY;
    case H5D_CHUNKED:
    case H5D_VIRTUAL:
    case H5D_STRUCT_CHUNK:
      return H5D_ALLOC_TIME_INCR;
    default:
      return H5D_ALLOC_TIME_LATE;
  }
}

bool ObjectCreationValues::operator==(const ObjectCreationValues& other) const {
  return values(attributes) == values(other.attributes) && track_times == other.track_times;
}

bool GroupCreationSettings::equals(const GroupCreationSettings& other) const {
  const auto own = [](const GroupCreationSettings& s) {
    return std::tie(s.local_heap_bytes, s.max_compact, s.min_dense, s.expected_links, s.expected_name_bytes,
                    s.creation_order);
  };
  return ObjectCreationSettings::equals(other) && own(*this) == own(other);
}

bool FileCreationSettings::equals(const FileCreationSettings& other) const {
  const auto own = [](const CreateOptions& o) {
    return std::tuple(o.user_block_bytes, o.offset_bytes, o.length_bytes, o.group_leaf_k, o.group_internal_k,
                      o.chunk_k, values(o.space), o.shared_list_max, o.shared_btree_min);
  };
  return GroupCreationSettings::equals(other) && own(options) == own(other.options) &&
         std::ranges::equal(options.shared_messages, other.options.shared_messages, same_index);
}

bool DatasetCreationSettings::equals(const DatasetCreationSettings& other) const {
  const auto own = [](const DatasetCreationSettings& s) {
    return std::tie(s.layout, s.chunk, s.chunk_options, s.structured_kind, s.allocation, s.allocation_given,
                    s.fill_time, s.minimised_header);
  };
  return ObjectCreationSettings::equals(other) && own(*this) == own(other) && same_fill(fill, other.fill) &&
         std::ranges::equal(external, other.external, same_external) &&
         std::ranges::equal(mappings, other.mappings, same_mapping);
}

bool LinkAccessSettings::equals(const LinkAccessSettings& other) const {
  const auto own = [](const LinkAccessSettings& s) {
    return std::tie(s.max_links, s.external_prefix, s.external_flags, s.external_callback,
                    s.external_callback_data, s.collective_metadata);
  };
  if (own(*this) != own(other)) return false;
  if (external_access == nullptr || other.external_access == nullptr)
    return external_access == other.external_access;
  return external_access->equals(*other.external_access);
}

bool DatasetAccessSettings::equals(const DatasetAccessSettings& other) const {
  const auto own = [](const DatasetAccessSettings& s) {
    return std::tie(s.cache_slots, s.cache_bytes, s.cache_w0, s.view, s.printf_gap, s.virtual_prefix,
                    s.external_prefix, s.append_boundary, s.append_callback, s.append_data);
  };
  return LinkAccessSettings::equals(other) && own(*this) == own(other);
}

bool FileAccessSettings::equals(const FileAccessSettings& other) const {
  return core_values(options) == core_values(other.options) && plain_values(*this) == plain_values(other) &&
         same_cache(mdc_config, other.mdc_config) && same_bytes(cache_image, other.cache_image);
}

bool TransferSettings::equals(const TransferSettings& other) const {
  return plain_values(*this) == plain_values(other);
}

bool ObjectCopySettings::equals(const ObjectCopySettings& other) const {
  const auto own = [](const ObjectCopySettings& s) {
    return std::tie(s.flags, s.merge_paths, s.merge_callback, s.merge_data);
  };
  return own(*this) == own(other);
}

}  // namespace filigree::capi
