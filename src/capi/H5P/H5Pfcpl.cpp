// SPDX-License-Identifier: Apache-2.0
//
// Properties of file creation.
#include <algorithm>
#include <optional>

#include "capi/H5P/plist_calls.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

constexpr unsigned max_indexes = 8;
constexpr unsigned max_list = 5000;
constexpr unsigned max_entries = 65536;
constexpr SharedMessage shareable[] = {SharedMessage::dataspace, SharedMessage::datatype,
                                       SharedMessage::fill_value, SharedMessage::filter_pipeline,
                                       SharedMessage::attribute};

unsigned to_flags(const std::vector<SharedMessage>& types) {
  unsigned flags = 0;
  for (const SharedMessage type : types) flags |= static_cast<unsigned>(type);
  return flags;
}

bool is_width(size_t bytes) { return bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16; }

/// Returns the strategy in its older form, which has none for pages.
std::optional<H5F_file_space_type_t> old_strategy(const SpaceOptions& space) {
  switch (space.strategy) {
    case SpaceStrategy::free_list:
      return space.persist ? H5F_FILE_SPACE_ALL_PERSIST : H5F_FILE_SPACE_ALL;
    case SpaceStrategy::aggregated:
      return H5F_FILE_SPACE_AGGR_VFD;
    case SpaceStrategy::none:
      return H5F_FILE_SPACE_VFD;
    default:
      return std::nullopt;
  }
}

}  // namespace

herr_t H5Pset_userblock(hid_t plist_id, hsize_t size) {
  return api_call(plist_call("H5Pset_userblock"), [&] {
    if (size != 0 && size < 512) bad_value("a user block has at least 512 bytes, or none");
    if ((size & (size - 1)) != 0) bad_value("the size of a user block is a power of two");
    change_settings<FileCreationSettings>(plist_id, {"block_size"},
                                          [&](auto& s) { s.options.user_block_bytes = size; });
  });
}

herr_t H5Pget_userblock(hid_t plist_id, hsize_t* size) {
  return api_call(plist_call("H5Pget_userblock"), [&] {
    store_if(size, get_settings<FileCreationSettings>(plist_id)->options.user_block_bytes);
  });
}

herr_t H5Pset_sizes(hid_t plist_id, size_t sizeof_addr, size_t sizeof_size) {
  return api_call(plist_call("H5Pset_sizes"), [&] {
    if (sizeof_addr != 0 && !is_width(sizeof_addr)) bad_value("sizeof_addr is 2, 4, 8 or 16 bytes");
    if (sizeof_size != 0 && !is_width(sizeof_size)) bad_value("sizeof_size is 2, 4, 8 or 16 bytes");
    PropertyNames given;
    if (sizeof_addr != 0) given.push_back("addr_byte_num");
    if (sizeof_size != 0) given.push_back("obj_byte_num");
    change_settings<FileCreationSettings>(plist_id, given, [&](auto& s) {
      if (sizeof_addr != 0) s.options.offset_bytes = static_cast<std::uint8_t>(sizeof_addr);
      if (sizeof_size != 0) s.options.length_bytes = static_cast<std::uint8_t>(sizeof_size);
    });
  });
}

herr_t H5Pget_sizes(hid_t plist_id, size_t* sizeof_addr, size_t* sizeof_size) {
  return api_call(plist_call("H5Pget_sizes"), [&] {
    const auto settings = get_settings<FileCreationSettings>(plist_id);
    store_if(sizeof_addr, settings->options.offset_bytes);
    store_if(sizeof_size, settings->options.length_bytes);
  });
}

herr_t H5Pset_sym_k(hid_t plist_id, unsigned ik, unsigned lk) {
  return api_call(plist_call("H5Pset_sym_k"), [&] {
    const auto plist = find_plist<FileCreationSettings>(plist_id);
    if (ik >= max_entries / 2) bad_value("ik stands for more entries than a B-tree node can have");
    PropertyNames given;
    if (ik != 0) given.push_back("btree_rank");
    if (lk != 0) given.push_back("symbol_leaf");
    plist->change<FileCreationSettings>(given, [&](auto& s) {
      if (ik != 0) s.options.group_internal_k = static_cast<std::uint16_t>(ik);
      if (lk != 0) s.options.group_leaf_k = static_cast<std::uint16_t>(lk);
    });
  });
}

herr_t H5Pget_sym_k(hid_t plist_id, unsigned* ik, unsigned* lk) {
  return api_call(plist_call("H5Pget_sym_k"), [&] {
    const auto settings = get_settings<FileCreationSettings>(plist_id);
    store_if(ik, settings->options.group_internal_k);
    store_if(lk, settings->options.group_leaf_k);
  });
}

herr_t H5Pset_istore_k(hid_t plist_id, unsigned ik) {
  return api_call(plist_call("H5Pset_istore_k"), [&] {
    if (ik == 0) bad_value("ik must be positive");
    if (ik >= max_entries / 2) bad_value("ik stands for more entries than a B-tree node can have");
    change_settings<FileCreationSettings>(
        plist_id, {"btree_rank"}, [&](auto& s) { s.options.chunk_k = static_cast<std::uint16_t>(ik); });
  });
}

herr_t H5Pget_istore_k(hid_t plist_id, unsigned* ik) {
  return api_call(plist_call("H5Pget_istore_k"),
                  [&] { store_if(ik, get_settings<FileCreationSettings>(plist_id)->options.chunk_k); });
}

herr_t H5Pset_shared_mesg_nindexes(hid_t plist_id, unsigned nindexes) {
  return api_call(plist_call("H5Pset_shared_mesg_nindexes"), [&] {
    if (nindexes > max_indexes) out_of_range("a file has at most 8 indexes of shared messages");
    change_settings<FileCreationSettings>(plist_id, {"num_shmsg_indexes"},
                                          [&](auto& s) { s.options.shared_messages.resize(nindexes); });
  });
}

herr_t H5Pget_shared_mesg_nindexes(hid_t plist_id, unsigned* nindexes) {
  return api_call(plist_call("H5Pget_shared_mesg_nindexes"), [&] {
    store_if(nindexes, get_settings<FileCreationSettings>(plist_id)->options.shared_messages.size());
  });
}

herr_t H5Pset_shared_mesg_index(hid_t plist_id, unsigned index_num, unsigned mesg_type_flags,
                                unsigned min_mesg_size) {
  return api_call(plist_call("H5Pset_shared_mesg_index"), [&] {
    if (mesg_type_flags > H5O_SHMESG_ALL_FLAG) out_of_range("mesg_type_flags has unknown types");
    change_settings<FileCreationSettings>(
        plist_id, {"shmsg_message_types", "shmsg_message_minsize"}, [&](auto& s) {
          if (index_num >= s.options.shared_messages.size()) out_of_range("there is no index of that number");
          SharedMessageIndexOptions& index = s.options.shared_messages[index_num];
          index.types.clear();
          for (const SharedMessage type : shareable)
            if ((mesg_type_flags & static_cast<unsigned>(type)) != 0) index.types.push_back(type);
          index.least_bytes = min_mesg_size;
        });
  });
}

herr_t H5Pget_shared_mesg_index(hid_t plist_id, unsigned index_num, unsigned* mesg_type_flags,
                                unsigned* min_mesg_size) {
  return api_call(plist_call("H5Pget_shared_mesg_index"), [&] {
    const auto settings = get_settings<FileCreationSettings>(plist_id);
    if (index_num >= settings->options.shared_messages.size())
      out_of_range("there is no index of that number");
    const SharedMessageIndexOptions& index = settings->options.shared_messages[index_num];
    store_if(mesg_type_flags, to_flags(index.types));
    store_if(min_mesg_size, index.least_bytes);
  });
}

herr_t H5Pset_shared_mesg_phase_change(hid_t plist_id, unsigned max_list_size, unsigned min_btree) {
  return api_call(plist_call("H5Pset_shared_mesg_phase_change"), [&] {
    if (min_btree > max_list_size + 1) bad_value("min_btree is beyond max_list");
    if (max_list_size > max_list) out_of_range("max_list is at most 5000");
    if (min_btree > max_list) out_of_range("min_btree is at most 5000");
    change_settings<FileCreationSettings>(plist_id, {"shmsg_list_max", "shmsg_btree_min"}, [&](auto& s) {
      s.options.shared_list_max = static_cast<std::uint16_t>(max_list_size);
      s.options.shared_btree_min = static_cast<std::uint16_t>(max_list_size == 0 ? 0 : min_btree);
    });
  });
}

herr_t H5Pget_shared_mesg_phase_change(hid_t plist_id, unsigned* max_list_size, unsigned* min_btree) {
  return api_call(plist_call("H5Pget_shared_mesg_phase_change"), [&] {
    const auto settings = get_settings<FileCreationSettings>(plist_id);
    store_if(max_list_size, settings->options.shared_list_max);
    store_if(min_btree, settings->options.shared_btree_min);
  });
}

herr_t H5Pset_file_space_strategy(hid_t plist_id, H5F_fspace_strategy_t strategy, hbool_t persist,
                                  hsize_t threshold) {
  return api_call(plist_call("H5Pset_file_space_strategy"), [&] {
    if (strategy < H5F_FSPACE_STRATEGY_FSM_AGGR || strategy >= H5F_FSPACE_STRATEGY_NTYPES)
      bad_value("unknown strategy");
    // Other strategies do not track free space.
    const bool tracks = strategy <= H5F_FSPACE_STRATEGY_PAGE;
    PropertyNames given{"file_space_strategy"};
    if (tracks) given.insert(given.end(), {"free_space_persist", "free_space_threshold"});
    change_settings<FileCreationSettings>(plist_id, given, [&](auto& s) {
      s.options.space.strategy = static_cast<SpaceStrategy>(strategy);
      if (!tracks) return;
      s.options.space.persist = persist;
      s.options.space.threshold = threshold;
    });
  });
}

herr_t H5Pget_file_space_strategy(hid_t plist_id, H5F_fspace_strategy_t* strategy, hbool_t* persist,
                                  hsize_t* threshold) {
  return api_call(plist_call("H5Pget_file_space_strategy"), [&] {
    const SpaceOptions space = get_settings<FileCreationSettings>(plist_id)->options.space;
    store_if(strategy, space.strategy);
    store_if(persist, space.persist);
    store_if(threshold, space.threshold);
  });
}

// The older form knows no pages, and none of its strategies but one keeps free space in the file.
herr_t H5Pset_file_space(hid_t plist_id, H5F_file_space_type_t strategy, hsize_t threshold) {
  return api_call(property_call("H5Pset_file_space", &H5E_CANTSET_g, "can't set file space strategy"), [&] {
    if (static_cast<unsigned>(strategy) >= H5F_FILE_SPACE_NTYPES) bad_value("invalid strategy");
    const auto plist = ids().find_as<PropertyListHandle>(plist_id);
    const auto known =
        plist == nullptr ? nullptr : std::dynamic_pointer_cast<const FileCreationSettings>(plist->settings());
    if (strategy == H5F_FILE_SPACE_DEFAULT && known != nullptr)
      strategy = old_strategy(known->options.space).value_or(strategy);
    if (strategy == H5F_FILE_SPACE_DEFAULT) bad_value("invalid file space strategy");
    const bool tracks = strategy == H5F_FILE_SPACE_ALL_PERSIST || strategy == H5F_FILE_SPACE_ALL;
    PropertyNames given{"file_space_strategy"};
    if (tracks) given.insert(given.end(), {"free_space_persist", "free_space_threshold"});
    change_settings<FileCreationSettings>(plist_id, given, [&](auto& s) {
      SpaceOptions& space = s.options.space;
      space.strategy = strategy == H5F_FILE_SPACE_AGGR_VFD ? SpaceStrategy::aggregated
                       : strategy == H5F_FILE_SPACE_VFD    ? SpaceStrategy::none
                                                           : SpaceStrategy::free_list;
      if (!tracks) return;
      space.persist = strategy == H5F_FILE_SPACE_ALL_PERSIST;
      if (threshold != 0) space.threshold = threshold;
    });
  });
}

herr_t H5Pget_file_space(hid_t plist_id, H5F_file_space_type_t* strategy, hsize_t* threshold) {
  return api_call(property_call("H5Pget_file_space", &H5E_CANTGET_g, "can't get file space strategy"), [&] {
    const SpaceOptions space = get_settings<FileCreationSettings>(plist_id)->options.space;
    const auto old = old_strategy(space);
    if (strategy != nullptr && !old) bad_value("invalid file space strategy");
    if (strategy != nullptr) *strategy = *old;
    store_if(threshold, space.threshold);
  });
}

herr_t H5Pset_file_space_page_size(hid_t plist_id, hsize_t fsp_size) {
  return api_call(plist_call("H5Pset_file_space_page_size"), [&] {
    const auto plist = find_plist<FileCreationSettings>(plist_id);
    if (fsp_size < 512 || fsp_size > (hsize_t{1} << 30))
      throw Failure({&H5E_ID_g, &H5E_BADID_g}, "pages have from 512 bytes to 1 GiB");
    plist->change<FileCreationSettings>({"file_space_page_size"},
                                        [&](auto& s) { s.options.space.page_bytes = fsp_size; });
  });
}

herr_t H5Pget_file_space_page_size(hid_t plist_id, hsize_t* fsp_size) {
  return api_call(plist_call("H5Pget_file_space_page_size"), [&] {
    store_if(fsp_size, get_settings<FileCreationSettings>(plist_id)->options.space.page_bytes);
  });
}

herr_t H5Pget_version(hid_t plist_id, unsigned* boot, unsigned* freelist, unsigned* stab, unsigned* shhdr) {
  return api_call(plist_call("H5Pget_version"), [&] {
    store_if(boot, get_settings<FileCreationSettings>(plist_id)->superblock_version);
    store_if(freelist, 0);
    store_if(stab, 0);
    store_if(shhdr, 0);
  });
}
