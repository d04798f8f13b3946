// SPDX-License-Identifier: Apache-2.0
//
// Properties of file creation and of mounting.
#include <algorithm>

#include "capi/H5P/properties/tables.hpp"

namespace filigree::capi {
namespace {

using Fcpl = FileCreationSettings;
using SharedIndex = SharedMessageIndexOptions;

constexpr std::size_t most_indexes = 8;

const std::vector<SharedIndex>& indexes_of(const Settings& settings) {
  return dynamic_cast<const Fcpl&>(settings).options.shared_messages;
}
std::vector<SharedIndex>& indexes_of(Settings& settings) {
  return dynamic_cast<Fcpl&>(settings).options.shared_messages;
}

template <auto Member>
bool same_indexes(const Settings& a, const Settings& b) {
  return std::ranges::equal(indexes_of(a), indexes_of(b), {}, Member, Member);
}

void encode_btree_ranks(PlistCoder& coder, Settings& settings) {
  auto& options = dynamic_cast<Fcpl&>(settings).options;
  coder.size_mark(4);
  coder.raw(options.group_internal_k, 4);
  coder.raw(options.chunk_k, 4);
}

void encode_index_types(PlistCoder& coder, Settings& settings) {
  auto& indexes = indexes_of(settings);
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

void encode_index_sizes(PlistCoder& coder, Settings& settings) {
  auto& indexes = indexes_of(settings);
  coder.size_mark(4);
  for (std::size_t i = 0; i < most_indexes; ++i) {
    constexpr unsigned usual = 250;
    constexpr std::size_t initialised_by_hdf5 = 6;  // of its eight entries
    unsigned bytes = i < indexes.size() ? indexes[i].least_bytes : i < initialised_by_hdf5 ? usual : 0;
    coder.raw(bytes, 4);
    if (!coder.writing() && i < indexes.size()) indexes[i].least_bytes = bytes;
  }
}

void encode_index_count(PlistCoder& coder, Settings& settings) {
  auto& indexes = indexes_of(settings);
  std::size_t count = indexes.size();
  coder.word(count);
  if (count > most_indexes) PlistCoder::refuse("there are at most 8 indexes of shared messages");
  indexes.resize(count);
}

constexpr LibraryProperty file_create[] = {
    choice<int, FILIGREE_FIELD(Fcpl, options.space.strategy), H5F_FSPACE_STRATEGY_NONE>(
        "file_space_strategy"),
    opaque("btree_rank", 8)
        .compared<FILIGREE_FIELD(Fcpl, options.group_internal_k), FILIGREE_FIELD(Fcpl, options.chunk_k)>()
        .encoded(encode_btree_ranks),
    scalar<hsize_t, FILIGREE_FIELD(Fcpl, options.user_block_bytes), Encoding::number>("block_size"),
    scalar<unsigned, FILIGREE_FIELD(Fcpl, options.group_leaf_k), Encoding::word>("symbol_leaf"),
    scalar<hsize_t, FILIGREE_FIELD(Fcpl, options.space.page_bytes), Encoding::number>("file_space_page_size"),
    scalar<bool, FILIGREE_FIELD(Fcpl, options.space.persist), Encoding::byte>("free_space_persist"),
    opaque("shmsg_message_types", 32).compared(same_indexes<&SharedIndex::types>).encoded(encode_index_types),
    scalar<unsigned, FILIGREE_FIELD(Fcpl, superblock_version)>("super_version").uncompared(),
    scalar<std::uint8_t, FILIGREE_FIELD(Fcpl, options.length_bytes), Encoding::byte>("obj_byte_num"),
    scalar<hsize_t, FILIGREE_FIELD(Fcpl, options.space.threshold), Encoding::number>("free_space_threshold"),
    scalar<std::uint8_t, FILIGREE_FIELD(Fcpl, options.offset_bytes), Encoding::byte>("addr_byte_num"),
    opaque("shmsg_message_minsize", 32)
        .compared(same_indexes<&SharedIndex::least_bytes>)
        .encoded(encode_index_sizes),
    scalar<unsigned, FILIGREE_FIELD(Fcpl, options.shared_btree_min), Encoding::word>("shmsg_btree_min"),
    scalar<unsigned, FILIGREE_FIELD(Fcpl, options.shared_list_max), Encoding::word>("shmsg_list_max"),
    opaque("num_shmsg_indexes", 4).encoded(encode_index_count),
};

constexpr LibraryProperty file_mount[] = {
    scalar<bool, FILIGREE_FIELD(MountSettings, local)>("local"),
};

}  // namespace

std::span<const LibraryProperty> file_create_properties() { return file_create; }
std::span<const LibraryProperty> file_mount_properties() { return file_mount; }

}  // namespace filigree::capi
