// SPDX-License-Identifier: Apache-2.0
#include "format/btrees/btree2.hpp"

#include <fmt/format.h>

#include "format/codec/codec_instantiate.hpp"

namespace filigree::format {
namespace {

constexpr std::uint64_t node_overhead = 10;    // signature, version, type, checksum
constexpr std::uint64_t most_records = 65535;  // the header counts the root's records in two bytes
constexpr std::uint64_t total_limit = std::uint64_t{1} << 63;

/// Records of structured chunks.
constexpr bool structured(unsigned type) { return type == 12 || type == 13; }

}  // namespace

BTree2Geometry::BTree2Geometry(std::uint32_t node_bytes, std::uint16_t record_bytes,
                               std::uint8_t offset_bytes)
    : node_bytes_(node_bytes), record_bytes_(record_bytes), count_bytes_(0) {
  const std::uint64_t capacity = node_bytes > node_overhead ? node_bytes - node_overhead : 0;
  const std::uint64_t leaf_records = record_bytes == 0 ? 0 : capacity / record_bytes;
  if (leaf_records == 0 || leaf_records > most_records) {
    throw Error(ErrorKind::corrupt,
                fmt::format("{}: nodes of {} bytes hold {} records of {} bytes, allowed 1 to {}",
                            BTree2Header::structure, node_bytes, leaf_records, record_bytes, most_records));
  }
  count_bytes_ = static_cast<std::uint8_t>(bytes_to_hold(leaf_records));
  levels_.push_back({static_cast<std::uint32_t>(leaf_records), leaf_records, 0, 0});
  for (;;) {
    const Level& below = levels_.back();
    const std::uint64_t pointer = offset_bytes + count_bytes_ + below.total_bytes;
    const std::uint64_t records = capacity > pointer ? (capacity - pointer) / (record_bytes + pointer) : 0;
    // Internal nodes without records would permit a deep tree without any content.
    if (records == 0 || below.most_total > (total_limit - records) / (records + 1)) return;
    const std::uint64_t total = (records + 1) * below.most_total + records;
    levels_.push_back({static_cast<std::uint32_t>(records), total,
                       static_cast<std::uint8_t>(bytes_to_hold(total)), static_cast<std::uint8_t>(pointer)});
  }
}

void BTree2Geometry::throw_too_deep(std::size_t depth) const {
  throw Error(ErrorKind::corrupt,
              fmt::format("{}: depth {} is impossible, nodes of {} bytes with records of {} bytes allow {}",
                          BTree2Header::structure, depth, node_bytes_, record_bytes_, levels_.size() - 1));
}

std::uint64_t BTree2Geometry::used_bytes(std::size_t depth, std::uint64_t records) const {
  const std::uint64_t pointers = depth == 0 ? 0 : (records + 1) * level(depth).pointer_bytes;
  return node_overhead + records * record_bytes_ + pointers;
}

template <class Io, Model<BTree2Header> M>
void describe(Io& io, M& m) {
  io.signature("BTHD");
  io.u8("version", m.version);
  io.u8("type", m.type);
  io.range("version", m.version, 0, structured(m.type) ? 1 : 0);
  io.u32("node bytes", m.node_bytes);
  io.u16("record bytes", m.record_bytes);
  io.u16("depth", m.depth);
  io.u8("split percent", m.split_percent);
  io.u8("merge percent", m.merge_percent);
  io.address("root", m.root);
  io.u16("root records", m.root_records);
  io.length("total records", m.total_records);
  io.checksum();
}

template <class Io, class M, class Child>
void describe_child(Io& io, M& m, Child& child) {
  const auto& below = m.geometry->level(m.depth - 1u);
  io.address("child", child.at);
  io.require(is_valid(child.at), "child", "is undefined");
  io.word("child records", child.records, m.geometry->count_bytes());
  io.range("child records", child.records, 0, below.max_records);
  if (m.depth > 1) {
    io.word("child total", child.total, below.total_bytes);
  } else if constexpr (Io::decodes) {
    child.total = child.records;
  }
  io.range("child total", child.total, child.records, below.most_total);
}

template <class Io, Model<BTree2Node> M>
void describe(Io& io, M& m) {
  const auto& level = m.geometry->level(m.depth);
  io.range("records", m.count, 0, level.max_records);
  io.signature(m.depth == 0 ? "BTLF" : "BTIN");
  io.u8("version", m.version);
  io.range("version", m.version, 0, structured(m.type) ? 1 : 0);
  io.constant("type", m.type);
  io.blob("records", m.records, std::uint64_t{m.count} * m.geometry->record_bytes());
  if (m.depth > 0) {
    io.resize("children", m.children, std::uint64_t{m.count} + 1, level.pointer_bytes);
    for (auto& child : m.children) describe_child(io, m, child);
  }
  io.checksum();
}

FILIGREE_DESCRIBED(BTree2Header);
FILIGREE_DESCRIBED(BTree2Node);

}  // namespace filigree::format
