// SPDX-License-Identifier: Apache-2.0
#include "capi/H5P/encoded_properties.hpp"

#include <array>
#include <cstring>

#include <filigree/error.hpp>

#include "api/type_access.hpp"
#include "capi/H5F/mdc_config.hpp"
#include "capi/H5P/fill_values.hpp"
#include "capi/H5S/dataspace.hpp"
#include "capi/H5T/type_tools.hpp"
#include "type/datatypes.hpp"

namespace filigree::capi {
namespace {

constexpr std::size_t most_entries = 4096;

/// A property that is one member, in one form.
#define FILIGREE_CODED(owner, member, form) \
  [](PlistCoder& coder, Settings& settings) { coder.form(dynamic_cast<owner&>(settings).member); }
/// One of so many choices, counted from 0.
#define FILIGREE_CHOICE(owner, member, most) \
  [](PlistCoder& coder, Settings& settings) { coder.choice(dynamic_cast<owner&>(settings).member, most); }
/// One that we do not have; stock's default is written.
#define FILIGREE_CONSTANT(type, value, form) \
  [](PlistCoder& coder, Settings&) {         \
    type constant = value;                   \
    coder.form(constant);                    \
  }

// --- objects ---

using Ocpl = ObjectCreationSettings;

void code_filter(PlistCoder& coder, FilterSetting& filter) {
  constexpr std::size_t name_bytes = 12, most_parameters = 65535;
  coder.raw(filter.id, 4);
  coder.raw(filter.flags, 4);
  std::uint8_t named = 0;
  coder.byte(named);
  std::array<char, name_bytes> name{};
  if (named != 0) coder.copy(name.data(), name.size());
  std::size_t parameters = filter.parameters.size();
  coder.count(parameters, most_parameters);
  filter.parameters.resize(parameters);
  for (unsigned& parameter : filter.parameters) coder.raw(parameter, 4);
}

void code_pipeline(PlistCoder& coder, Settings& settings) {
  auto& filters = dynamic_cast<Ocpl&>(settings).filters[Ocpl::fixed_section];
  coder.size_mark(4);
  std::size_t count = filters.size();
  coder.count(count, H5Z_MAX_NFILTERS);
  filters.resize(count);
  for (FilterSetting& filter : filters) code_filter(coder, filter);
}

void code_header_flags(PlistCoder& coder, Settings& settings) {
  constexpr unsigned tracked = 4, indexed = 8, times = 32;
  ObjectCreationValues& object = dynamic_cast<Ocpl&>(settings).object;
  unsigned flags = (object.attributes.track_order ? tracked : 0u) |
                   (object.attributes.index_order ? indexed : 0u) | (object.track_times ? times : 0u);
  coder.byte(flags);
  object.attributes.track_order = (flags & tracked) != 0;
  object.attributes.index_order = (flags & indexed) != 0;
  object.track_times = (flags & times) != 0;
}

const std::vector<EncodedProperty> object_create = {
    {"pline", code_pipeline},
    {"min dense attr", FILIGREE_CODED(Ocpl, object.attributes.min_dense, word)},
    {"max compact attr", FILIGREE_CODED(Ocpl, object.attributes.max_compact, word)},
    {"object header flags", code_header_flags},
};

void code_group(PlistCoder& coder, Settings& settings) {
  auto& group = dynamic_cast<GroupCreationSettings&>(settings);
  coder.raw(group.local_heap_bytes, 4);
  coder.raw(group.max_compact, 2);
  coder.raw(group.min_dense, 2);
  coder.raw(group.expected_links, 2);
  coder.raw(group.expected_name_bytes, 2);
}

const std::vector<EncodedProperty> group_create = {
    {"link info", FILIGREE_CODED(GroupCreationSettings, creation_order, word)},
    {"group info", code_group},
};

// --- files ---

using Fcpl = FileCreationSettings;

void code_btree_ranks(PlistCoder& coder, Settings& settings) {
  auto& options = dynamic_cast<Fcpl&>(settings).options;
  coder.size_mark(4);
  coder.raw(options.group_internal_k, 4);
  coder.raw(options.chunk_k, 4);
}

constexpr std::size_t most_indexes = 8;

void code_index_types(PlistCoder& coder, Settings& settings) {
  auto& indexes = dynamic_cast<Fcpl&>(settings).options.shared_messages;
  coder.size_mark(4);
  for (std::size_t i = 0; i < most_indexes; ++i) {
    unsigned flags = 0;
    if (coder.writing() && i < indexes.size())
      for (const SharedMessage type : indexes[i].types) flags |= static_cast<unsigned>(type);
    coder.raw(flags, 4);
    if (coder.writing() || flags == 0) continue;
    if (indexes.size() <= i) indexes.resize(i + 1);
    for (unsigned bit = 1; bit <= H5O_SHMESG_ALL_FLAG; bit <<= 1)
      if ((flags & bit & H5O_SHMESG_ALL_FLAG) != 0)
        indexes[i].types.push_back(static_cast<SharedMessage>(bit));
  }
}

void code_index_sizes(PlistCoder& coder, Settings& settings) {
  auto& indexes = dynamic_cast<Fcpl&>(settings).options.shared_messages;
  coder.size_mark(4);
  for (std::size_t i = 0; i < most_indexes; ++i) {
    constexpr unsigned usual = 250;
    constexpr std::size_t given_by_stock = 6;  // of its eight
    unsigned bytes = i < indexes.size() ? indexes[i].least_bytes : i < given_by_stock ? usual : 0;
    coder.raw(bytes, 4);
    if (!coder.writing() && i < indexes.size()) indexes[i].least_bytes = bytes;
  }
}

void code_index_count(PlistCoder& coder, Settings& settings) {
  auto& indexes = dynamic_cast<Fcpl&>(settings).options.shared_messages;
  std::size_t count = indexes.size();
  coder.word(count);
  if (count > most_indexes) PlistCoder::refuse("there are at most 8 indexes of shared messages");
  indexes.resize(count);
}

// The number of indexes stands before what they are, so that reading finds room for them.
const std::vector<EncodedProperty> file_create = {
    {"num_shmsg_indexes", code_index_count},
    {"file_space_strategy", FILIGREE_CHOICE(Fcpl, options.space.strategy, H5F_FSPACE_STRATEGY_NONE)},
    {"btree_rank", code_btree_ranks},
    {"block_size", FILIGREE_CODED(Fcpl, options.user_block_bytes, number)},
    {"symbol_leaf", FILIGREE_CODED(Fcpl, options.group_leaf_k, word)},
    {"file_space_page_size", FILIGREE_CODED(Fcpl, options.space.page_bytes, number)},
    {"free_space_persist", FILIGREE_CODED(Fcpl, options.space.persist, byte)},
    {"shmsg_message_types", code_index_types},
    {"obj_byte_num", FILIGREE_CODED(Fcpl, options.length_bytes, byte)},
    {"free_space_threshold", FILIGREE_CODED(Fcpl, options.space.threshold, number)},
    {"addr_byte_num", FILIGREE_CODED(Fcpl, options.offset_bytes, byte)},
    {"shmsg_message_minsize", code_index_sizes},
    {"shmsg_btree_min", FILIGREE_CODED(Fcpl, options.shared_btree_min, word)},
    {"shmsg_list_max", FILIGREE_CODED(Fcpl, options.shared_list_max, word)},
};

using Fapl = FileAccessSettings;

void code_cache(PlistCoder& coder, Settings& settings) {
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

void code_cache_image(PlistCoder& coder, Settings& settings) {
  auto& held = dynamic_cast<Fapl&>(settings).cache_image;
  H5AC_cache_image_config_t image = {H5AC__CURR_CACHE_IMAGE_CONFIG_VERSION, false, false,
                                     H5AC__CACHE_IMAGE__ENTRY_AGEOUT__NONE};
  if (held) image = *held;
  coder.size_mark(4);
  coder.raw(image.version, 4);
  coder.raw(image.generate_image, 4);
  coder.raw(image.save_resize_status, 4);
  coder.raw(image.entry_ageout, 4);
  if (!coder.writing() && (image.generate_image || held)) held = image;
}

void code_locking(PlistCoder& coder, Settings& settings) {
  auto& access = dynamic_cast<Fapl&>(settings);
  bool used = access.use_locking;
  coder.byte(used);
  if (used != access.use_locking) access.locking_given = true;
  access.use_locking = used;
}

template <H5F_libver_t FileAccessSettings::*Bound>
void code_version(PlistCoder& coder, Settings& settings) {
  coder.choice(dynamic_cast<Fapl&>(settings).*Bound, H5F_LIBVER_LATEST);
}

const std::vector<EncodedProperty> file_access = {
    {"align", FILIGREE_CODED(Fapl, options.alignment, number)},
    {"metadata_read_attempts", FILIGREE_CODED(Fapl, metadata_read_attempts, word)},
    {"page_buffer_size", FILIGREE_CODED(Fapl, options.page_buffer_bytes, number)},
    {"mdc_initCacheImageCfg", code_cache_image},
    {"rdcc_w0", FILIGREE_CODED(Fapl, cache_w0, real)},
    {"evict_on_close_flag", FILIGREE_CODED(Fapl, evict_on_close, byte)},
    {"efc_size", FILIGREE_CODED(Fapl, external_file_cache, word)},
    {"close_degree", FILIGREE_CHOICE(Fapl, close_degree, H5F_CLOSE_STRONG)},
    {"sdata_block_size", FILIGREE_CODED(Fapl, options.small_data_block_bytes, number)},
    {"core_write_tracking_page_size", FILIGREE_CONSTANT(std::size_t, 524288, number)},
    {"mdc_log_location", FILIGREE_CODED(Fapl, log_location, text)},
    {"meta_block_size", FILIGREE_CODED(Fapl, options.metadata_block_bytes, number)},
    {"sieve_buf_size", FILIGREE_CODED(Fapl, sieve_bytes, number)},
    {"family_offset", FILIGREE_CODED(Fapl, family_offset, number)},
    {"page_buffer_min_meta_perc", FILIGREE_CODED(Fapl, options.page_buffer_metadata_percent, word)},
    {"libver_high_bound", code_version<&Fapl::high>},
    {"ignore_disabled_file_locks", FILIGREE_CODED(Fapl, ignore_disabled_locks, byte)},
    {"use_file_locking", code_locking},
    {"libver_low_bound", code_version<&Fapl::low>},
    {"multi_type", FILIGREE_CONSTANT(unsigned, 0, byte)},
    {"page_buffer_min_raw_perc", FILIGREE_CODED(Fapl, options.page_buffer_raw_percent, word)},
    {"mdc_initCacheCfg", code_cache},
    {"core_write_tracking_flag", FILIGREE_CONSTANT(bool, false, byte)},
    {"rdcc_nbytes", FILIGREE_CODED(Fapl, cache_bytes, number)},
    {"rdcc_nslots", FILIGREE_CODED(Fapl, cache_slots, number)},
    {"use_mdc_logging", FILIGREE_CODED(Fapl, log_use, byte)},
    {"threshold", FILIGREE_CODED(Fapl, options.alignment_threshold, number)},
    {"gc_ref", FILIGREE_CODED(Fapl, garbage_references, word)},
    {"start_mdc_log_on_access", FILIGREE_CODED(Fapl, log_on_start, byte)},
};

// --- datasets ---

using Dcpl = DatasetCreationSettings;

void code_space(PlistCoder& coder, SpaceValue& space) {
  if (coder.writing()) {
    std::vector<std::byte> bytes = encode_space(space);
    return coder.copy(bytes.data(), bytes.size());
  }
  DecodedSpace decoded = decode_space(coder.at());
  space = std::move(decoded.space);
  std::vector<std::byte> skipped(decoded.bytes);
  coder.copy(skipped.data(), skipped.size());
}

void code_mappings(PlistCoder& coder, std::vector<MappingSetting>& mappings) {
  std::size_t count = mappings.size();
  coder.raw(count, 8);
  if (count > most_entries * 16) PlistCoder::refuse("too many mappings");
  mappings.resize(count);
  for (MappingSetting& mapping : mappings) {
    coder.terminated(mapping.file);
    coder.terminated(mapping.dataset);
    code_space(coder, mapping.source_space);
    code_space(coder, mapping.virtual_space);
  }
}

void code_layout(PlistCoder& coder, Settings& settings) {
  auto& dataset = dynamic_cast<Dcpl&>(settings);
  const H5D_layout_t layout = dataset.layout;
  if (coder.writing() && (layout < H5D_COMPACT || layout > H5D_VIRTUAL))
    throw NestedFailure({&H5E_PLIST_g, &H5E_CANTENCODE_g}, "structured chunks have no encoded form");
  coder.choice(dataset.layout, H5D_VIRTUAL);
  if (dataset.layout == H5D_CHUNKED) {
    std::size_t rank = dataset.chunk.size();
    coder.byte(rank);
    if (rank == 0 || rank > H5S_MAX_RANK) PlistCoder::refuse("chunks of an impossible rank");
    dataset.chunk.resize(rank);
    for (hsize_t& extent : dataset.chunk) coder.raw(extent, 4);
  }
  if (dataset.layout == H5D_VIRTUAL) code_mappings(coder, dataset.mappings);
}

void code_external(PlistCoder& coder, Settings& settings) {
  auto& files = dynamic_cast<Dcpl&>(settings).external;
  std::size_t count = files.size();
  coder.count(count, most_entries);
  files.resize(count);
  for (ExternalFile& file : files) {
    coder.text(file.path, true);
    coder.number(file.offset);
    coder.number(file.bytes);
  }
}

void code_allocation_state(PlistCoder& coder, Settings& settings) {
  auto& dataset = dynamic_cast<Dcpl&>(settings);
  unsigned by_layout = dataset.allocation_given ? 0 : 1;
  coder.word(by_layout);
  dataset.allocation_given = by_layout == 0;
}

void code_fill(PlistCoder& coder, Settings& settings) {
  constexpr std::int64_t undefined = -1, most_bytes = 1 << 16;
  auto& dataset = dynamic_cast<Dcpl&>(settings);
  FillSetting& fill = dataset.fill;
  coder.choice(dataset.allocation, H5D_ALLOC_TIME_INCR);
  coder.choice(dataset.fill_time, H5D_FILL_TIME_IFSET);
  std::int64_t bytes =
      fill.state == H5D_FILL_VALUE_UNDEFINED ? undefined : static_cast<std::int64_t>(fill.value.size());
  coder.raw(bytes, 8);
  if (bytes > most_bytes || bytes < undefined) PlistCoder::refuse("a fill value of an impossible size");
  if (bytes <= 0) {
    if (!coder.writing()) fill = {};
    if (bytes == undefined) fill.state = H5D_FILL_VALUE_UNDEFINED;
    return;
  }
  std::vector<std::byte> value = fill.value;
  value.resize(static_cast<std::size_t>(bytes));
  coder.copy(value.data(), value.size());
  std::vector<std::byte> encoded;
  if (coder.writing()) encoded = encode_type(api::TypeAccess::impl(*fill.type).message);
  std::size_t encoded_bytes = encoded.size();
  coder.count(encoded_bytes, static_cast<std::size_t>(most_bytes));
  encoded.resize(encoded_bytes);
  coder.copy(encoded.data(), encoded.size());
  if (coder.writing()) return;
  const format::DatatypeMessage message = decode_type(encoded.data(), encoded.size());
  if (message.size != value.size() || type::has_variable_parts(message))
    PlistCoder::refuse("a fill value that is not of its type");
  fill = copy_fill(api::TypeAccess::make(message), value.data());
}

// Mappings and chunks before the fill value, as stock reads them.
const std::vector<EncodedProperty> dataset_create = {
    {"layout", code_layout},
    {"efl", code_external},
    {"dset_oh_minimize", FILIGREE_CODED(Dcpl, minimised_header, byte)},
    {"alloc_time_state", code_allocation_state},
    {"fill_value", code_fill},
};

/// Of the chunk cache, of which the default takes no byte.
template <std::size_t DatasetAccessSettings::*Member>
void code_cache_size(PlistCoder& coder, Settings& settings) {
  constexpr auto usual = static_cast<std::size_t>(-1);
  auto& value = dynamic_cast<DatasetAccessSettings&>(settings).*Member;
  if (coder.writing()) {
    std::uint8_t none = 0;
    value == usual ? coder.byte(none) : coder.number(value);
  } else if (*coder.at() == std::byte{0}) {
    std::uint8_t none = 0;
    coder.byte(none);
    value = usual;
  } else {
    coder.number(value);
  }
}

using Dapl = DatasetAccessSettings;
const std::vector<EncodedProperty> dataset_access = {
    {"rdcc_w0", FILIGREE_CODED(Dapl, cache_w0, real)},
    {"vds_prefix", FILIGREE_CODED(Dapl, virtual_prefix, text)},
    {"external file prefix", FILIGREE_CODED(Dapl, external_prefix, text)},
    {"vds_view", FILIGREE_CHOICE(Dapl, view, H5D_VDS_LAST_AVAILABLE)},
    {"vds_printf_gap", FILIGREE_CODED(Dapl, printf_gap, number)},
    {"rdcc_nbytes", code_cache_size<&Dapl::cache_bytes>},
    {"rdcc_nslots", code_cache_size<&Dapl::cache_slots>},
};

using Dxpl = TransferSettings;

void code_ratios(PlistCoder& coder, Settings& settings) {
  coder.size_mark(8);
  for (double& ratio : dynamic_cast<Dxpl&>(settings).btree_ratios) coder.plain_real(ratio);
}

const std::vector<EncodedProperty> dataset_transfer = {
    {"mpio_chunk_opt_ratio", FILIGREE_CONSTANT(unsigned, 60, word)},
    {"btree_split_ratio", code_ratios},
    {"max_temp_buf", FILIGREE_CODED(Dxpl, buffer_bytes, number)},
    {"err_detect", FILIGREE_CHOICE(Dxpl, edc, H5Z_ENABLE_EDC)},
    {"mpio_collective_opt", FILIGREE_CONSTANT(unsigned, 0, byte)},
    {"bkgr_buf_type", FILIGREE_CHOICE(Dxpl, background, H5T_BKG_YES)},
    {"data_transform",
     [](PlistCoder& coder, Settings& settings) {
       coder.text(dynamic_cast<Dxpl&>(settings).expression, true);
     }},
    {"vec_size", FILIGREE_CODED(Dxpl, vector_size, number)},
    {"mpio_chunk_opt_hard", FILIGREE_CONSTANT(unsigned, 0, byte)},
    {"mpio_chunk_opt_num", FILIGREE_CONSTANT(unsigned, 0, word)},
    {"io_xfer_mode", FILIGREE_CONSTANT(unsigned, 0, byte)},
};

// --- the rest ---

void code_merge_paths(PlistCoder& coder, Settings& settings) {
  auto& paths = dynamic_cast<ObjectCopySettings&>(settings).merge_paths;
  std::string end;
  if (coder.writing()) {
    for (auto path = paths.rbegin(); path != paths.rend(); ++path) coder.terminated(*path);
    return coder.terminated(end);
  }
  paths.clear();
  for (std::string path; coder.terminated(path), !path.empty();) {
    if (paths.size() == most_entries) PlistCoder::refuse("too many paths");
    paths.insert(paths.begin(), path);
  }
}

void code_link_access(PlistCoder& coder, Settings& settings) {
  auto& access = dynamic_cast<LinkAccessSettings&>(settings).external_access;
  std::uint8_t given = access == nullptr ? 0 : 1;
  coder.byte(given);
  if (given == 0) return;
  if (coder.writing()) {
    PropertyListHandle plist(library_class(PlistType::file_access));
    plist.set_settings(access->clone());
    std::vector<std::byte> bytes = encode_plist(plist);
    std::size_t count = bytes.size();
    coder.number(count);
    return coder.copy(bytes.data(), count);
  }
  std::size_t count = 0, used = 0;
  coder.count(count, std::size_t{1} << 20);
  const hid_t decoded = decode_plist(coder.at(), &used);
  const auto plist = ids().find_as<PropertyListHandle>(decoded);
  ids().release(decoded);
  access = std::dynamic_pointer_cast<const FileAccessSettings>(plist->settings());
  if (access == nullptr || used != count) PlistCoder::refuse("a file access list that is none");
  std::vector<std::byte> skipped(count);
  coder.copy(skipped.data(), count);
}

const std::vector<EncodedProperty> string_create = {
    {"character_encoding", FILIGREE_CHOICE(StringCreationSettings, charset, H5T_CSET_UTF8)},
};
const std::vector<EncodedProperty> object_copy = {
    {"merge committed dtype list", code_merge_paths},
    {"copy object", FILIGREE_CODED(ObjectCopySettings, flags, word)},
};
const std::vector<EncodedProperty> link_create = {
    {"intermediate_group", FILIGREE_CODED(LinkCreationSettings, create_parents, word)},
};
const std::vector<EncodedProperty> link_access = {
    {"max soft links", FILIGREE_CODED(LinkAccessSettings, max_links, number)},
    {"external link prefix", FILIGREE_CODED(LinkAccessSettings, external_prefix, text)},
    {"external link flags", FILIGREE_CODED(LinkAccessSettings, external_flags, word)},
    {"external link fapl", code_link_access},
};
const std::vector<EncodedProperty> nothing;

#undef FILIGREE_CODED
#undef FILIGREE_CHOICE
#undef FILIGREE_CONSTANT

}  // namespace

const std::vector<EncodedProperty>& encoded_properties(PlistType kind) {
  switch (kind) {
    case PlistType::object_create:
      return object_create;
    case PlistType::group_create:
      return group_create;
    case PlistType::file_create:
      return file_create;
    case PlistType::file_access:
      return file_access;
    case PlistType::dataset_create:
      return dataset_create;
    case PlistType::dataset_access:
      return dataset_access;
    case PlistType::dataset_transfer:
      return dataset_transfer;
    case PlistType::string_create:
      return string_create;
    case PlistType::object_copy:
      return object_copy;
    case PlistType::link_create:
      return link_create;
    case PlistType::link_access:
      return link_access;
    default:
      return nothing;
  }
}

}  // namespace filigree::capi
