// SPDX-License-Identifier: Apache-2.0
#include "format/messages/file_messages.hpp"

#include <algorithm>

#include "format/codec/codec_instantiate.hpp"

namespace filigree::format {

namespace {

constexpr std::uint64_t smallest_page_bytes = 512;
constexpr std::uint64_t largest_page_bytes = std::uint64_t{1} << 30;

/// The number of a strategy in version 0; 0 if it has none.
std::uint8_t old_strategy(const FileSpaceInfo& m) {
  switch (m.strategy) {
    case FileSpaceStrategy::managers_and_aggregators:
      return m.persist ? 1 : 2;
    case FileSpaceStrategy::aggregators:
      return 3;
    case FileSpaceStrategy::none:
      return 4;
    case FileSpaceStrategy::paged:
      break;
  }
  return 0;
}

FileSpaceStrategy from_old_strategy(std::uint8_t number) {
  if (number == 3) return FileSpaceStrategy::aggregators;
  if (number == 4) return FileSpaceStrategy::none;
  return FileSpaceStrategy::managers_and_aggregators;
}

std::size_t entry_bytes(const Widths& widths) { return 14u + widths.offset_bytes + widths.length_bytes; }

std::uint64_t image_bytes(const CacheImage& m, const Widths& widths) {
  std::uint64_t bytes = 14u + widths.length_bytes;
  for (const auto& entry : m.entries) {
    bytes += entry_bytes(widths) + entry.parents.size() * widths.offset_bytes + entry.bytes.size();
  }
  return bytes;
}

template <class Io, class M>
void describe_old_space(Io& io, M& m) {
  std::uint8_t number = old_strategy(m);
  io.u8("strategy", number);
  io.range("strategy", number, 1, 4);
  if constexpr (Io::decodes) {
    m.strategy = from_old_strategy(number);
    m.persist = number == 1;
  }
  io.length("threshold", m.threshold);
  if (!m.persist) return;
  for (std::size_t i = 0; i < 6; ++i) io.address("free-space manager", m.managers[i]);
}

template <class Io, class M>
void describe_new_space(Io& io, M& m) {
  io.u8("strategy", m.strategy);
  io.range("strategy", m.strategy, 0, 3);
  io.u8("persist", m.persist);
  io.length("threshold", m.threshold);
  io.length("page bytes", m.page_bytes);
  if (m.strategy == FileSpaceStrategy::paged) {
    io.range("page bytes", m.page_bytes, smallest_page_bytes, largest_page_bytes);
  }
  io.u16("page-end metadata threshold", m.page_end_metadata_threshold);
  io.address("end before free space", m.end_before_free_space);
  if (!m.persist) return;
  for (auto& manager : m.managers) io.address("free-space manager", manager);
}

template <class Io, class E>
void describe_image_entry(Io& io, E& entry) {
  io.u8("client", entry.client);
  io.u8("entry flags", entry.flags);
  io.u8("ring", entry.ring);
  io.u8("age", entry.age);
  io.u16("children", entry.children);
  io.u16("dirty children", entry.dirty_children);
  std::uint64_t parents = entry.parents.size();
  io.u16("parents", parents);
  io.u32("LRU rank", entry.lru_rank);
  io.address("address", entry.address);
  io.require(is_valid(entry.address), "address", "is undefined");
  std::uint64_t bytes = entry.bytes.size();
  io.length("entry bytes", bytes);
  io.require(bytes >= 1, "entry bytes", "is zero");
  io.resize("parent", entry.parents, parents, io.widths().offset_bytes);
  for (auto& parent : entry.parents) io.address("parent", parent);
  io.blob("image", entry.bytes, bytes);
}

}  // namespace

template <class Io, Model<SharedMessageTableInfo> M>
void describe(Io& io, M& m) {
  io.constant("version", 0);
  io.address("table", m.table);
  io.u8("indexes", m.indexes);
  io.range("indexes", m.indexes, 1, 8);
}

template <class Io, Model<BTreeK> M>
void describe(Io& io, M& m) {
  io.constant("version", 0);
  io.u16("chunk K", m.chunk_k);
  io.range("chunk K", m.chunk_k, 1, 32767);
  io.u16("group internal K", m.group_internal_k);
  io.range("group internal K", m.group_internal_k, 1, 32767);
  io.u16("group leaf K", m.group_leaf_k);
  io.range("group leaf K", m.group_leaf_k, 1, 32767);
}

template <class Io, Model<DriverInfoMessage> M>
void describe(Io& io, M& m) {
  io.constant("version", 0);
  io.characters("driver id", m.id, 8);
  std::uint64_t info_bytes = m.info.size();
  io.u16("info bytes", info_bytes);
  io.require(info_bytes >= 1, "info bytes", "is zero");
  io.blob("info", m.info, info_bytes);
}

template <class Io, Model<DriverInfoBlock> M>
void describe(Io& io, M& m) {
  io.constant("version", 0);
  io.reserved(3);
  std::uint64_t info_bytes = m.info.size();
  io.u32("info bytes", info_bytes);
  io.characters("driver id", m.id, 8);
  io.blob("info", m.info, info_bytes);
}

template <class Io, Model<MultiDriverInfo> M>
void describe(Io& io, M& m) {
  for (auto& kind : m.map) {
    io.u8("map", kind);
    io.range("map", kind, 0, 6);
  }
  io.reserved(2);
  io.resize("members", m.members, members_of(m.map).size(), 16);
  // Always eight bytes, whatever the offset width of the file.
  for (auto& member : m.members) {
    io.u64("member start", member.start);
    io.u64("member end", member.allocated_end);
  }
  for (auto& member : m.members) io.terminated("member name", member.name, 8);
}

template <class Io, Model<FamilyDriverInfo> M>
void describe(Io& io, M& m) {
  io.u64("member bytes", m.member_bytes);
  io.require(m.member_bytes >= 1, "member bytes", "is zero");
}

template <class Io, Model<FileSpaceInfo> M>
void describe(Io& io, M& m) {
  io.u8("version", m.version);
  io.range("version", m.version, 0, 1);
  if (m.version == 0) {
    describe_old_space(io, m);
  } else {
    describe_new_space(io, m);
  }
}

template <class Io, Model<CacheImageMessage> M>
void describe(Io& io, M& m) {
  io.constant("version", 0);
  io.address("block", m.block);
  io.length("bytes", m.bytes);
}

template <class Io, Model<CacheImage> M>
void describe(Io& io, M& m) {
  io.signature("MDCI");
  io.constant("version", 0);
  io.constant("flags", 0);
  std::uint64_t bytes = image_bytes(m, io.widths());
  io.length("bytes", bytes);
  std::uint64_t entries = m.entries.size();
  io.u32("entries", entries);
  io.resize("entries", m.entries, entries, entry_bytes(io.widths()) + 1);
  for (auto& entry : m.entries) describe_image_entry(io, entry);
  io.require(bytes == io.position() + 4, "bytes", "does not match the entries");
  io.checksum();
}

FILIGREE_DESCRIBED(SharedMessageTableInfo);
FILIGREE_DESCRIBED(BTreeK);
FILIGREE_DESCRIBED(DriverInfoMessage);
FILIGREE_DESCRIBED(DriverInfoBlock);
FILIGREE_DESCRIBED(MultiDriverInfo);
FILIGREE_DESCRIBED(FamilyDriverInfo);
FILIGREE_DESCRIBED(FileSpaceInfo);
FILIGREE_DESCRIBED(CacheImageMessage);
FILIGREE_DESCRIBED(CacheImage);

std::vector<std::uint8_t> members_of(const std::array<std::uint8_t, 6>& map) {
  std::vector<std::uint8_t> kinds;
  for (std::uint8_t own = 1; own <= map.size(); ++own) {
    const std::uint8_t used = map[own - 1] == 0 ? own : map[own - 1];
    if (std::find(kinds.begin(), kinds.end(), used) == kinds.end()) kinds.push_back(used);
  }
  return kinds;
}

}  // namespace filigree::format
