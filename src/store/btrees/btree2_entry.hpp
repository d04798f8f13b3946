// SPDX-License-Identifier: Apache-2.0
//
// The header and the nodes of a version 2 B-tree, as the metadata cache holds them. Only the sources of the
// B-tree include this.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "format/btrees/btree2.hpp"
#include "store/cache/entry.hpp"
#include "store/file_store.hpp"

namespace filigree::store {

/// What the header and all nodes of one tree share, and no operation changes.
struct BTree2Frame {
  Address header = Address::undefined;
  std::uint8_t type = 0;
  std::uint8_t version = 0;  ///< of the header and of new nodes
  format::Widths widths;
  format::BTree2Geometry geometry;

  /// A node other than the root with fewer records gets some from a sibling, or is merged with it.
  std::uint32_t least_records(std::size_t depth) const {
    return std::max<std::uint32_t>(1, geometry.level(depth).max_records * merge_percent / 100);
  }
  unsigned merge_percent = 40;  ///< at most 43: records come only from a larger sibling
};

/// A decoded header.
class BTree2HeaderEntry : public Entry {
 public:
  static constexpr EntryKind entry_kind = EntryKind::btree2_header;
  /// *Throws* Error(corrupt) when the fields are inconsistent.
  BTree2HeaderEntry(Address at, const format::BTree2Header& header, const format::Widths& widths);

  std::size_t memory_bytes() const override;
  void encode(EncodedBlocks& out) const override;
  /// Gives every changed node that the file holds a new address, so that the old one stays unchanged for
  /// readers. *Requires* that the nodes above a changed node are marked as changed too.
  void move_for_swmr_readers(FileStore& store) override;

  format::BTree2Child root() const { return {value.root, value.root_records, value.total_records}; }
  const format::BTree2Geometry& geometry() const { return frame->geometry; }

  format::BTree2Header value;
  std::shared_ptr<const BTree2Frame> frame;
};

/// A decoded internal node or leaf.
class BTree2NodeEntry : public Entry {
 public:
  static constexpr EntryKind entry_kind = EntryKind::btree2_node;
  /// A node without records; the caller adds them.
  BTree2NodeEntry(std::shared_ptr<const BTree2Frame> frame, std::uint16_t depth);

  std::size_t memory_bytes() const override;
  void encode(EncodedBlocks& out) const override;

  const BTree2Frame& frame() const { return *frame_; }
  bool leaf() const { return value.depth == 0; }
  std::uint32_t count() const { return value.count; }
  std::uint32_t max_records() const { return frame_->geometry.level(value.depth).max_records; }
  /// The number of records of this node and of all nodes below it, from the child pointers.
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

/// Loads the node that `child` points to. *Throws* Error(corrupt) when its record counts differ from those of
/// the pointer, or it belongs to another tree or level.
std::shared_ptr<const BTree2NodeEntry> load_btree2_node(const FileStore& store,
                                                        const std::shared_ptr<const BTree2Frame>& frame,
                                                        const format::BTree2Child& child,
                                                        std::uint16_t depth);

/// The header of the tree at `at`. *Throws* Error(corrupt or truncated).
std::shared_ptr<const BTree2HeaderEntry> load_btree2_header(const FileStore& store, Address at);

}  // namespace filigree::store
