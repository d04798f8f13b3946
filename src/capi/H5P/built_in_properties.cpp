// SPDX-License-Identifier: Apache-2.0
#include "capi/H5P/built_in_properties.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

namespace filigree::capi {
namespace {

/// A property that is one number; `Pick` leads from the settings to it. What programs hold is a Value.
template <class Owner, class Value, auto Pick>
constexpr BuiltIn number(const char* name) {
  return {name, sizeof(Value),
          [](const Settings& from, void* value) {
            const auto held = static_cast<Value>(Pick(const_cast<Owner&>(dynamic_cast<const Owner&>(from))));
            std::memcpy(value, &held, sizeof held);
          },
          [](Settings& to, const void* value) {
            Value given;
            std::memcpy(&given, value, sizeof given);
            auto& held = Pick(dynamic_cast<Owner&>(to));
            held = static_cast<std::remove_reference_t<decltype(held)>>(given);
          }};
}

/// One that can only be asked for whether it is there, and how large it is.
constexpr BuiltIn closed(const char* name, std::size_t bytes) { return {name, bytes}; }

#define FILIGREE_PICK(owner, member) \
  [](owner & s) -> auto& { return s.member; }

using Ocpl = ObjectCreationSettings;
const BuiltIn object_create[] = {
    closed("pline", 72),
    number<Ocpl, unsigned, FILIGREE_PICK(Ocpl, object.attributes.min_dense)>("min dense attr"),
    number<Ocpl, unsigned, FILIGREE_PICK(Ocpl, object.attributes.max_compact)>("max compact attr"),
    closed("object header flags", 1),
};

using Fcpl = FileCreationSettings;
const BuiltIn file_create[] = {
    number<Fcpl, int, FILIGREE_PICK(Fcpl, options.space.strategy)>("file_space_strategy"),
    closed("btree_rank", 8),
    number<Fcpl, hsize_t, FILIGREE_PICK(Fcpl, options.user_block_bytes)>("block_size"),
    number<Fcpl, unsigned, FILIGREE_PICK(Fcpl, options.group_leaf_k)>("symbol_leaf"),
    number<Fcpl, hsize_t, FILIGREE_PICK(Fcpl, options.space.page_bytes)>("file_space_page_size"),
    number<Fcpl, bool, FILIGREE_PICK(Fcpl, options.space.persist)>("free_space_persist"),
    closed("shmsg_message_types", 32),
    number<Fcpl, unsigned, FILIGREE_PICK(Fcpl, superblock_version)>("super_version"),
    number<Fcpl, std::uint8_t, FILIGREE_PICK(Fcpl, options.length_bytes)>("obj_byte_num"),
    number<Fcpl, hsize_t, FILIGREE_PICK(Fcpl, options.space.threshold)>("free_space_threshold"),
    number<Fcpl, std::uint8_t, FILIGREE_PICK(Fcpl, options.offset_bytes)>("addr_byte_num"),
    closed("shmsg_message_minsize", 32),
    number<Fcpl, unsigned, FILIGREE_PICK(Fcpl, options.shared_btree_min)>("shmsg_btree_min"),
    number<Fcpl, unsigned, FILIGREE_PICK(Fcpl, options.shared_list_max)>("shmsg_list_max"),
    closed("num_shmsg_indexes", 4),
};

using Fapl = FileAccessSettings;
const BuiltIn file_access[] = {
    closed("want_posix_fd", 1),
    number<Fapl, hsize_t, FILIGREE_PICK(Fapl, options.alignment)>("align"),
    number<Fapl, bool, FILIGREE_PICK(Fapl, options.ignore_write_mark)>("clear_status_flags"),
    number<Fapl, unsigned, FILIGREE_PICK(Fapl, metadata_read_attempts)>("metadata_read_attempts"),
    number<Fapl, std::size_t, FILIGREE_PICK(Fapl, options.page_buffer_bytes)>("page_buffer_size"),
    closed("mdc_initCacheImageCfg", 12),
    number<Fapl, double, FILIGREE_PICK(Fapl, cache_w0)>("rdcc_w0"),
    number<Fapl, bool, FILIGREE_PICK(Fapl, evict_on_close)>("evict_on_close_flag"),
    number<Fapl, unsigned, FILIGREE_PICK(Fapl, external_file_cache)>("efc_size"),
    closed("family_to_single", 1),
    number<Fapl, int, FILIGREE_PICK(Fapl, close_degree)>("close_degree"),
    number<Fapl, hsize_t, FILIGREE_PICK(Fapl, options.small_data_block_bytes)>("sdata_block_size"),
    closed("core_write_tracking_page_size", 8),
    closed("mdc_log_location", 8),
    number<Fapl, hsize_t, FILIGREE_PICK(Fapl, options.metadata_block_bytes)>("meta_block_size"),
    number<Fapl, std::size_t, FILIGREE_PICK(Fapl, sieve_bytes)>("sieve_buf_size"),
    number<Fapl, hsize_t, FILIGREE_PICK(Fapl, family_offset)>("family_offset"),
    number<Fapl, unsigned, FILIGREE_PICK(Fapl, options.page_buffer_metadata_percent)>(
        "page_buffer_min_meta_perc"),
    number<Fapl, int, FILIGREE_PICK(Fapl, high)>("libver_high_bound"),
    number<Fapl, bool, FILIGREE_PICK(Fapl, ignore_disabled_locks)>("ignore_disabled_file_locks"),
    number<Fapl, bool, FILIGREE_PICK(Fapl, use_locking)>("use_file_locking"),
    number<Fapl, int, FILIGREE_PICK(Fapl, low)>("libver_low_bound"),
    closed("object_flush_cb", 16),
    closed("multi_type", 4),
    closed("skip_eof_check", 1),
    closed("family_newsize", 8),
    number<Fapl, unsigned, FILIGREE_PICK(Fapl, options.page_buffer_raw_percent)>("page_buffer_min_raw_perc"),
    closed("null_fsm_addr", 1),
    closed("mdc_initCacheCfg", sizeof(H5AC_cache_config_t)),
    closed("core_write_tracking_flag", 1),
    number<Fapl, std::size_t, FILIGREE_PICK(Fapl, cache_bytes)>("rdcc_nbytes"),
    number<Fapl, std::size_t, FILIGREE_PICK(Fapl, cache_slots)>("rdcc_nslots"),
    number<Fapl, bool, FILIGREE_PICK(Fapl, log_use)>("use_mdc_logging"),
    closed("file_image_info", 72),
    number<Fapl, hsize_t, FILIGREE_PICK(Fapl, options.alignment_threshold)>("threshold"),
    closed("vfd_info", 16),
    number<Fapl, unsigned, FILIGREE_PICK(Fapl, garbage_references)>("gc_ref"),
    number<Fapl, bool, FILIGREE_PICK(Fapl, log_on_start)>("start_mdc_log_on_access"),
};

using Dcpl = DatasetCreationSettings;
const BuiltIn dataset_create[] = {
    closed("layout", 2256),
    closed("efl", 32),
    number<Dcpl, bool, FILIGREE_PICK(Dcpl, minimised_header)>("dset_oh_minimize"),
    closed("alloc_time_state", 4),
    closed("fill_value", 88),
};

using Dapl = DatasetAccessSettings;
const BuiltIn dataset_access[] = {
    number<Dapl, double, FILIGREE_PICK(Dapl, cache_w0)>("rdcc_w0"),
    closed("vds_prefix", 8),
    closed("external file prefix", 8),
    closed("append_flush", 280),
    number<Dapl, int, FILIGREE_PICK(Dapl, view)>("vds_view"),
    number<Dapl, hsize_t, FILIGREE_PICK(Dapl, printf_gap)>("vds_printf_gap"),
    number<Dapl, std::size_t, FILIGREE_PICK(Dapl, cache_bytes)>("rdcc_nbytes"),
    number<Dapl, std::size_t, FILIGREE_PICK(Dapl, cache_slots)>("rdcc_nslots"),
};

using Dxpl = TransferSettings;
const BuiltIn dataset_transfer[] = {
    closed("global_no_collective_cause", 4),
    number<Dxpl, void*, FILIGREE_PICK(Dxpl, background_buffer)>("bkgr_buf"),
    closed("mpio_chunk_opt_ratio", 4),
    number<Dxpl, std::array<double, 3>, FILIGREE_PICK(Dxpl, btree_ratios)>("btree_split_ratio"),
    closed("actual_io_mode", 4),
    number<Dxpl, std::size_t, FILIGREE_PICK(Dxpl, buffer_bytes)>("max_temp_buf"),
    closed("local_no_collective_cause", 4),
    closed("actual_chunk_opt_mode", 4),
    number<Dxpl, void*, FILIGREE_PICK(Dxpl, allocate_info)>("vlen_alloc_info"),
    number<Dxpl, int, FILIGREE_PICK(Dxpl, edc)>("err_detect"),
    number<Dxpl, H5MM_allocate_t, FILIGREE_PICK(Dxpl, allocate)>("vlen_alloc"),
    closed("mpio_collective_opt", 4),
    number<Dxpl, void*, FILIGREE_PICK(Dxpl, conversion_buffer)>("tconv_buf"),
    number<Dxpl, int, FILIGREE_PICK(Dxpl, background)>("bkgr_buf_type"),
    closed("data_transform", 8),
    number<Dxpl, std::size_t, FILIGREE_PICK(Dxpl, vector_size)>("vec_size"),
    number<Dxpl, H5MM_free_t, FILIGREE_PICK(Dxpl, release)>("vlen_free"),
    closed("mpio_chunk_opt_hard", 4),
    closed("type_conv_cb", 16),
    closed("filter_cb", 16),
    closed("mpio_chunk_opt_num", 4),
    number<Dxpl, void*, FILIGREE_PICK(Dxpl, release_info)>("vlen_free_info"),
    closed("io_xfer_mode", 4),
};

const BuiltIn file_mount[] = {number<MountSettings, bool, FILIGREE_PICK(MountSettings, local)>("local")};
const BuiltIn group_create[] = {closed("link info", 48), closed("group info", 16)};
const BuiltIn string_create[] = {
    number<StringCreationSettings, int, FILIGREE_PICK(StringCreationSettings, charset)>("character_encoding"),
};
const BuiltIn object_copy[] = {
    closed("committed dtype list search", 16),
    closed("merge committed dtype list", 8),
    number<ObjectCopySettings, unsigned, FILIGREE_PICK(ObjectCopySettings, flags)>("copy object"),
};
const BuiltIn link_create[] = {
    number<LinkCreationSettings, unsigned, FILIGREE_PICK(LinkCreationSettings, create_parents)>(
        "intermediate_group"),
};
using Lapl = LinkAccessSettings;
const BuiltIn link_access[] = {
    closed("external link callback", 16),
    number<Lapl, std::size_t, FILIGREE_PICK(Lapl, max_links)>("max soft links"),
    closed("external link prefix", 8),
    number<Lapl, unsigned, FILIGREE_PICK(Lapl, external_flags)>("external link flags"),
    closed("external link fapl", 8),
};

#undef FILIGREE_PICK

using Lists =
    std::array<std::vector<const BuiltIn*>, static_cast<std::size_t>(PlistType::reference_access) + 1>;

// Lists made anew hold this one; copies hold all of `copied_values`.
constexpr const char* created_value = "vfd_info";
constexpr std::array copied_values = {"pline",
                                      "layout",
                                      "efl",
                                      "fill_value",
                                      "mdc_log_location",
                                      "file_image_info",
                                      "vfd_info",
                                      "vds_prefix",
                                      "external file prefix",
                                      "external link prefix",
                                      "external link fapl",
                                      "data_transform",
                                      "merge committed dtype list"};

/// Bernstein's hash of a text, by which stock sorts.
std::uint32_t hash_of(std::string_view text) {
  std::uint32_t hash = 5381;
  for (const char c : text) hash = hash * 33 + static_cast<unsigned char>(c);
  return hash;
}

void sort_by_hash(std::vector<std::string>::iterator from, std::vector<std::string>::iterator to) {
  std::sort(from, to, [](const std::string& a, const std::string& b) {
    const std::uint32_t x = hash_of(a), y = hash_of(b);
    return x != y ? x < y : a < b;
  });
}

Lists make_lists() {
  Lists lists;
  const auto put = [&](PlistType kind, const auto& table) {
    for (const BuiltIn& property : table) lists[static_cast<std::size_t>(kind)].push_back(&property);
  };
  put(PlistType::object_create, object_create);
  put(PlistType::file_create, file_create);
  put(PlistType::file_access, file_access);
  put(PlistType::dataset_create, dataset_create);
  put(PlistType::dataset_access, dataset_access);
  put(PlistType::dataset_transfer, dataset_transfer);
  put(PlistType::file_mount, file_mount);
  put(PlistType::group_create, group_create);
  put(PlistType::string_create, string_create);
  put(PlistType::object_copy, object_copy);
  put(PlistType::link_create, link_create);
  put(PlistType::link_access, link_access);
  return lists;
}

}  // namespace

const std::vector<const BuiltIn*>& built_in(PlistType kind) {
  static const Lists* const lists = new Lists(make_lists());  // lists are closed at exit too
  return (*lists)[static_cast<std::size_t>(kind)];
}

PropertyNames held_at(Moment moment, const PropertyClass& of) {
  if (moment == Moment::creation)
    return find_built_in(of, created_value) == nullptr ? PropertyNames{} : PropertyNames{created_value};
  PropertyNames names;
  for (const char* name : copied_values)
    if (find_built_in(of, name) != nullptr) names.push_back(name);
  return names;
}

std::vector<std::string> property_order(const PropertyClass& of) {
  std::vector<std::string> names;
  for (const auto& [name, property] : of.properties) names.push_back(name);
  for (const BuiltIn* property : built_in(of.kind)) names.emplace_back(property->name);
  sort_by_hash(names.begin(), names.end());
  return names;
}

std::vector<std::string> property_order(const PropertyListHandle& plist) {
  const auto properties = plist.properties.get();
  const auto removed = plist.removed.get();
  const auto settings = plist.settings();
  std::vector<std::string> names;
  NameSet seen;
  const auto visit = [&](const std::string& name) {
    if (seen.insert(name).second) names.push_back(name);
  };
  for (const auto& [name, property] : *properties)
    if (property.of_plist) visit(name);
  for (const std::string& name : settings->held)
    if (!removed->contains(name)) visit(name);
  sort_by_hash(names.begin(), names.end());
  for (const PropertyClass* c = plist.property_class.get(); c != nullptr; c = c->parent.get())
    for (const std::string& name : property_order(*c))
      if (properties->contains(name) ||
          (find_built_in(*c, name.c_str()) != nullptr && !removed->contains(name)))
        visit(name);
  return names;
}

const BuiltIn* find_built_in(const PropertyClass& in, const char* name) {
  for (const PropertyClass* c = &in; c != nullptr; c = c->parent.get())
    for (const BuiltIn* property : built_in(c->kind))
      if (std::strcmp(property->name, name) == 0) return property;
  return nullptr;
}

}  // namespace filigree::capi
