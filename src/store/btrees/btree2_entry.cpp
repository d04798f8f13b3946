// SPDX-License-Identifier: Apache-2.0
#include "store/btrees/btree2_entry.hpp"

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "format/codec/codec.hpp"
#include "store/corrupt.hpp"

namespace filigree::store {
namespace {

std::shared_ptr<const BTree2Frame> make_frame(Address at, const format::BTree2Header& header,
                                              const format::Widths& widths) {
  return std::make_shared<const BTree2Frame>(
      BTree2Frame{at, header.type, header.version, widths,
                  format::BTree2Geometry(header.node_bytes, header.record_bytes, widths.offset_bytes),
                  std::min<unsigned>(header.merge_percent, 43)});
}

std::shared_ptr<BTree2NodeEntry> read_node(const FileStore& store,
                                           const std::shared_ptr<const BTree2Frame>& frame,
                                           const format::BTree2Child& child, std::uint16_t depth) {
  constexpr auto structure = format::BTree2Node::structure;
  const std::uint32_t node_bytes = frame->geometry.node_bytes();
  auto node = std::make_shared<BTree2NodeEntry>(frame, depth);
  node->value.count = child.records;
  if (child.records > node->max_records()) {
    throw_corrupt(structure, child.at,
                  fmt::format("has {} records according to its parent, but only {} fit", child.records,
                              node->max_records()));
  }
  if (store.available(child.at) < node_bytes) {
    throw Error(ErrorKind::truncated,
                fmt::format("{} at {}: needs {} bytes, but the file holds {} there", structure,
                            to_string(child.at), node_bytes, store.available(child.at)));
  }
  const Buffer bytes = store.read(child.at, frame->geometry.used_bytes(depth, child.records), structure);
  format::decode(node->value, bytes, frame->widths, child.at);
  if (node->total() != child.total) {
    throw_corrupt(structure, child.at,
                  fmt::format("has {} records with all nodes below it, but {} according to its parent",
                              node->total(), child.total));
  }
  return node;
}

}  // namespace

BTree2HeaderEntry::BTree2HeaderEntry(Address at, const format::BTree2Header& header,
                                     const format::Widths& widths)
    : Entry(entry_kind), value(header), frame(make_frame(at, header, widths)) {
  const auto& level = geometry().level(header.depth);
  constexpr auto structure = format::BTree2Header::structure;
  if (header.root_records > level.max_records)
    throw_corrupt(structure, at, "field 'root records' is more than a node holds");
  if (is_valid(header.root)) {
    if (header.total_records < header.root_records || header.total_records > level.most_total) {
      throw_corrupt(structure, at, "field 'total records' does not fit the depth and the root");
    }
  } else if (header.total_records != 0 || header.root_records != 0) {
    throw_corrupt(structure, at, "has records, but no root");
  }
}

std::size_t BTree2HeaderEntry::memory_bytes() const {
  return sizeof(*this) + sizeof(BTree2Frame) + geometry().levels() * sizeof(format::BTree2Geometry::Level);
}

void BTree2HeaderEntry::encode(EncodedBlocks& out) const {
  out.push_back({address(), format::encode(value, frame->widths)});
}

BTree2NodeEntry::BTree2NodeEntry(std::shared_ptr<const BTree2Frame> frame, std::uint16_t depth)
    : Entry(entry_kind), frame_(std::move(frame)) {
  value.geometry = &frame_->geometry;
  value.type = frame_->type;
  value.version = frame_->version;
  value.depth = depth;
}

std::size_t BTree2NodeEntry::memory_bytes() const {
  // A node grows after it was charged to the budget, up to about its size in the file.
  return sizeof(*this) + std::max<std::size_t>(value.records.capacity() +
                                                   value.children.capacity() * sizeof(format::BTree2Child),
                                               std::min(frame_->geometry.node_bytes(), 4096u));
}

void BTree2NodeEntry::encode(EncodedBlocks& out) const {
  EncodedBlock encoded{address(), Buffer(frame_->geometry.node_bytes())};
  format::encode(value, MutableBytes(encoded.bytes), frame_->widths);
  out.push_back(std::move(encoded));
}

std::uint64_t BTree2NodeEntry::total() const {
  std::uint64_t sum = value.count;  // no overflow: every total is at most that of a full node
  for (const auto& child : value.children) sum += child.total;
  return sum;
}

void BTree2NodeEntry::insert_record(std::uint32_t before, Bytes record) {
  auto& records = value.records;
  if (records.capacity() < records.size() + record.size()) {
    // Nodes of common sizes allocate their memory once; large ones grow.
    records.reserve(std::max<std::size_t>(
        records.size() + record.size(),
        std::min<std::size_t>(max_records() * record.size(), 2 * records.size() + 4096)));
  }
  records.insert(records.begin() + std::size_t{before} * record.size(), record.begin(), record.end());
  ++value.count;
}

void BTree2NodeEntry::erase_record(std::uint32_t i) {
  const auto first = value.records.begin() + std::size_t{i} * record_bytes();
  value.records.erase(first, first + record_bytes());
  --value.count;
}

std::shared_ptr<const BTree2NodeEntry> load_btree2_node(const FileStore& store,
                                                        const std::shared_ptr<const BTree2Frame>& frame,
                                                        const format::BTree2Child& child,
                                                        std::uint16_t depth) {
  auto node =
      store.cache().get<BTree2NodeEntry>(child.at, [&] { return read_node(store, frame, child, depth); });
  const auto& found = node->value;
  if (node->frame().header != frame->header || found.depth != depth || found.count != child.records ||
      found.records.size() != std::size_t{child.records} * frame->geometry.record_bytes()) {
    throw_corrupt(format::BTree2Node::structure, child.at,
                  fmt::format("a node of depth {} with {} records was expected, but the cache holds another",
                              depth, child.records));
  }
  return node;
}

std::shared_ptr<const BTree2HeaderEntry> load_btree2_header(const FileStore& store, Address at) {
  return store.cache().get<BTree2HeaderEntry>(at, [&] {
    constexpr auto structure = format::BTree2Header::structure;
    const std::size_t bytes = format::encoded_bytes(format::BTree2Header{}, store.widths());
    const auto header =
        format::decode<format::BTree2Header>(store.read(at, bytes, structure), store.widths(), at);
    auto entry = std::make_shared<BTree2HeaderEntry>(at, header, store.widths());
    // Every record takes space in the file. A tree that declares more must have a node with two parents, and
    // a walk would take very long.
    const std::uint64_t most = header.total_records > store.available(to_address(0)) / header.record_bytes
                                   ? store.file_bytes()  // there may be several parts
                                   : store.available(to_address(0));
    if (header.total_records > most / header.record_bytes) {
      throw_corrupt(structure, at, "field 'total records' is more than the file can hold");
    }
    return entry;
  });
}

}  // namespace filigree::store
