// SPDX-License-Identifier: Apache-2.0
#include "index/tree2_index.hpp"

#include <array>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "format/codec/codec.hpp"
#include "index/coordinates.hpp"
#include "index/record_location.hpp"
#include "store/btrees/btree2_entry.hpp"
#include "store/file_store.hpp"

namespace filigree::index {
namespace {

constexpr std::uint32_t most_node_bytes = 1u << 20;

/// The size of the widest record, with coordinates for every dimension.
using RecordBuffer = std::array<std::byte, format::ChunkRecordLayout::most_bytes + 8 * format::max_rank>;

}  // namespace

Tree2Index::Tree2Index(store::FileStore& store, const format::LayoutMessage& layout,
                       const DatasetFacts& facts)
    : ChunkIndex(store, layout, facts) {
  if (grid_.rank() > format::max_rank)
    throw Error(ErrorKind::corrupt, fmt::format("{}: too many dimensions", format::LayoutMessage::structure));
  record_layout_ = record_layout(layout, facts.filtered, grid_.chunk_bytes, store.widths(),
                                 static_cast<std::uint8_t>(grid_.rank()));
  if (is_valid(layout.address)) open();
}

void Tree2Index::open() {
  if (layout().version >= 5) {
    const auto header = store::load_btree2_header(store_, layout().address);
    record_layout_ =
        stored_record_layout(record_layout_, header->value.record_bytes, grid_.chunk_bytes, store_.widths());
  }
  scaled_at_ = record_layout_.scaled_at(store_.widths());
  tree_.emplace(store_, layout().address, record_layout_.tree_type(), record_layout_.bytes(store_.widths()));
}

void Tree2Index::allocate() {
  if (tree_) return;
  store_.require_writable("create a chunk index");
  auto parameters = layout().btree_v2;
  // Prototypes of structured chunks store any number as the size of a node.
  const bool plausible = parameters.node_bytes >= 512 && parameters.node_bytes <= most_node_bytes;
  if (record_layout_.sections > 0 && !plausible)
    parameters.node_bytes = format::ChunkTreeParameters{}.node_bytes;
  edit_layout().address = store::BTree2::create(
      store_, {record_layout_.tree_type(), record_layout_.bytes(store_.widths()), parameters.node_bytes,
               parameters.split_percent, parameters.merge_percent});
  open();
}

int Tree2Index::compare(Bytes record, ChunkCoordinates at) const {
  const std::byte* stored = record.data() + scaled_at_;
  for (std::size_t d = 0; d < at.size(); ++d, stored += 8) {
    const std::uint64_t here = load_word(stored, 8);
    if (here != at[d]) return here < at[d] ? -1 : 1;
  }
  return 0;
}

format::ChunkRecord Tree2Index::decode(Bytes bytes) const {
  format::ChunkRecord record;
  record.layout = record_layout_;
  format::decode(record, bytes, store_.widths(), layout().address);
  return record;
}

ChunkLocation Tree2Index::location(const format::ChunkRecord& record) const {
  return record_location(record, grid_.chunk_bytes);
}

std::optional<ChunkLocation> Tree2Index::do_find(ChunkCoordinates at) const {
  const auto record = tree_->find([&](Bytes bytes) { return compare(bytes, at); });
  if (!record) return std::nullopt;
  return location(decode(*record));
}

void Tree2Index::do_find_many(std::span<const std::uint64_t> coordinates,
                              std::span<ChunkLocation> found) const {
  const auto order = sort_permutation(found.size(), [&](auto a, auto b) {
    return compare_coordinates(nth(coordinates, a), nth(coordinates, b)) < 0;
  });
  const auto which = [&](std::size_t key) { return order.empty() ? key : order[key]; };
  tree_->find_many(
      found.size(),
      [&](Bytes record, std::size_t key) { return compare(record, nth(coordinates, which(key))); },
      [&](std::size_t key, Bytes record) { found[which(key)] = location(decode(record)); });
}

bool Tree2Index::do_for_each(Visitor visitor, ChunkCoordinates from) const {
  std::vector<std::uint64_t> last;
  return tree_->visit_from([&](Bytes bytes) { return compare(bytes, from); },
                           [&](Bytes bytes) {
                             const format::ChunkRecord record = decode(bytes);
                             const ChunkCoordinates at(record.scaled.data(), grid_.rank());
                             if (!last.empty() && compare_coordinates(last, at) >= 0) {
                               throw Error(ErrorKind::corrupt,
                                           fmt::format("chunk index at {}: chunk {} is out of order",
                                                       to_string(layout().address), coordinates_text(at)));
                             }
                             last.assign(at.begin(), at.end());
                             return visitor(at, location(record));
                           });
}

std::optional<ChunkLocation> Tree2Index::do_insert(ChunkCoordinates at, const ChunkLocation& inserted) {
  format::ChunkRecord record = location_record(inserted, record_layout_);
  std::copy(at.begin(), at.end(), record.scaled.begin());
  RecordBuffer buffer;
  const MutableBytes bytes(buffer.data(), record_layout_.bytes(store_.widths()));
  format::encode(record, bytes, store_.widths());
  const auto here = [&](Bytes other) { return compare(other, at); };
  if (tree_->insert(bytes, here)) return std::nullopt;
  const auto before = do_find(at);
  if (before != inserted) {
    tree_->update(here, [&](MutableBytes old) { std::copy(bytes.begin(), bytes.end(), old.begin()); });
  }
  return before;
}

std::optional<ChunkLocation> Tree2Index::do_remove(ChunkCoordinates at) {
  const auto record = tree_->remove([&](Bytes bytes) { return compare(bytes, at); });
  if (!record) return std::nullopt;
  return location(decode(*record));
}

void Tree2Index::do_destroy() {
  tree_->destroy();
  tree_.reset();
}

}  // namespace filigree::index
