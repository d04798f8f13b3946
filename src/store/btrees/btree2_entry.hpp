// SPDX-License-Identifier: Apache-2.0
//
// The header and the nodes of a version 2 B-tree as the metadata cache holds them. Only the B-tree's
// own sources include this.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "format/btrees/btree2.hpp"
#include "store/cache/entry.hpp"
#include "store/file_store.hpp"

namespace filigree::store {

/// What all parts of one tree share and no operation changes.
struct BTree2Frame {
  Address header = Address::undefined;
  std::uint8_t type = 0;
  format::Widths widths;
  format::BTree2Geometry geometry;

  /// Below this many records a node other than the root takes some from a neighbour.
  std::uint32_t least_records(std::size_t depth) const {
    return std::max<std::uint32_t>(1, geometry.level(depth).max_records * merge_percent / 100);
  }
  unsigned merge_percent = 40;  ///< at most 43: a node takes only from a larger neighbour
};

class BTree2HeaderEntry : public Entry {
 public:
  static constexpr EntryKind entry_kind = EntryKind::btree2_header;
  /// Throws Error(corrupt) when the fields contradict each other.
  BTree2HeaderEntry(Address at, const format::BTree2Header& header, const format::Widths& widths);

  std::size_t memory_bytes() const override;
  void encode(EncodedBlocks& out) const override;

  format::BTree2Child root() const { return {value.root, value.root_records, value.total_records}; }
  const format::BTree2Geometry& geometry() const { return frame->geometry; }

  format::BTree2Header value;
  std::shared_ptr<const BTree2Frame> frame;
};

class BTree2NodeEntry : public Entry {
 public:
  static constexpr EntryKind entry_kind = EntryKind::btree2_node;
  /// A node without records, to be filled by the caller.
  BTree2NodeEntry(std::shared_ptr<const BTree2Frame> frame, std::uint16_t depth);

  std::size_t memory_bytes() const override;
  void encode(EncodedBlocks& out) const override;

  const BTree2Frame& frame() const { return *frame_; }
  bool leaf() const { return value.depth == 0; }
  std::uint32_t count() const { return value.count; }
  std::uint32_t max_records() const { return frame_->geometry.level(value.depth).max_records; }
  /// Records here and below, from the child pointers.
  std::uint64_t total() const;
  Bytes record(std::uint32_t i) const {
    return Bytes(value.records).subspan(std::size_t{i} * record_bytes(), record_bytes());
  }
  MutableBytes record(std::uint32_t i) {
    return MutableBytes(value.records).subspan(std::size_t{i} * record_bytes(), record_bytes());
  }

  void insert_record(std::uint32_t before, Bytes record);
  void erase_record(std::uint32_t i);

  format::BTree2Node value;

 private:
  std::size_t record_bytes() const { return frame_->geometry.record_bytes(); }
  std::shared_ptr<const BTree2Frame> frame_;
};

/// Loads the node that `child` points to. Throws Error(corrupt) when it does not hold what the pointer
/// promises, or belongs to another tree or level.
std::shared_ptr<const BTree2NodeEntry> load_btree2_node(const FileStore& store,
                                                        const std::shared_ptr<const BTree2Frame>& frame,
                                                        const format::BTree2Child& child,
                                                        std::uint16_t depth);

/// The header at `at`.
std::shared_ptr<const BTree2HeaderEntry> load_btree2_header(const FileStore& store, Address at);

}  // namespace filigree::store
