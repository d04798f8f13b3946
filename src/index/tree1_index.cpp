// SPDX-License-Identifier: Apache-2.0
#include "index/tree1_index.hpp"

#include <array>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "format/messages/dataspace.hpp"
#include "index/coordinates.hpp"
#include "store/file_store.hpp"

namespace filigree::index {
namespace {

ChunkLocation location(const format::BTree1ChunkKey& key, Address chunk) {
  return {chunk, key.stored_bytes, key.filter_mask};
}

}  // namespace

Tree1Index::Tree1Index(store::FileStore& store, const format::LayoutMessage& layout,
                       const DatasetFacts& facts)
    : ChunkIndex(store, layout, facts) {
  if (facts.btree1_k == 0 || facts.btree1_k > 32767)
    throw Error(ErrorKind::corrupt, fmt::format("{}: nodes of {} children are not supported",
                                                format::BTree1Node::structure, 2u * facts.btree1_k));
  if (is_valid(layout.address)) tree_.emplace(store, layout.address, shape());
}

void Tree1Index::allocate() {
  if (tree_) return;
  store_.require_writable("create a chunk index");
  edit_layout().address = ChunkTree1::create(store_, shape());
  tree_.emplace(store_, layout().address, shape());
}

std::vector<std::uint64_t> Tree1Index::offsets(ChunkCoordinates at) const {
  std::vector<std::uint64_t> result(at.size());
  for (std::size_t d = 0; d < at.size(); ++d) result[d] = offset(at, d);
  return result;
}

std::uint64_t Tree1Index::offset(ChunkCoordinates at, std::size_t d) const {
  return try_multiply(at[d], grid_.dims[d]).value_or(~std::uint64_t{0});
}

std::optional<ChunkLocation> Tree1Index::do_find(ChunkCoordinates at) const {
  std::optional<ChunkLocation> result;
  std::array<std::uint64_t, format::max_rank> offsets;
  for (std::size_t d = 0; d < at.size(); ++d) offsets[d] = offset(at, d);
  tree_->find({offsets.data(), at.size()},
              [&](const format::BTree1ChunkKey& key, Address chunk) { result = location(key, chunk); });
  return result;
}

void Tree1Index::do_find_many(std::span<const std::uint64_t> coordinates,
                              std::span<ChunkLocation> found) const {
  const auto order = sort_permutation(found.size(), [&](auto a, auto b) {
    return compare_coordinates(nth(coordinates, a), nth(coordinates, b)) < 0;
  });
  const std::size_t rank = grid_.rank();
  std::vector<std::uint64_t> all(coordinates.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const ChunkCoordinates at = nth(coordinates, order.empty() ? i : order[i]);
    for (std::size_t d = 0; d < rank; ++d) all[i * rank + d] = offset(at, d);
  }
  tree_->find_many(
      found.size(), [&](std::size_t key) { return nth(all, key); },
      [&](std::size_t i, const format::BTree1ChunkKey& key, Address chunk) {
        found[order.empty() ? i : order[i]] = location(key, chunk);
      });
}

bool Tree1Index::do_for_each(Visitor visitor, ChunkCoordinates from) const {
  std::vector<std::uint64_t> at(grid_.rank());
  return tree_->visit(offsets(from), [&](const format::BTree1ChunkKey& key, Address chunk) {
    bool exact = key.offsets.back() == 0;
    for (std::size_t d = 0; d < at.size(); ++d) {
      at[d] = key.offsets[d] / grid_.dims[d];
      exact &= key.offsets[d] % grid_.dims[d] == 0;
    }
    if (!exact) {
      throw Error(ErrorKind::corrupt,
                  fmt::format("{} below {}: the offsets of a chunk are not multiples of the chunk dimensions",
                              format::BTree1Node::structure, to_string(layout().address)));
    }
    return visitor(at, location(key, chunk));
  });
}

format::BTree1ChunkKey Tree1Index::key(ChunkCoordinates at, const ChunkLocation& location) const {
  if (location.stored_bytes > 0xffffffffu)
    throw Error(ErrorKind::limit,
                fmt::format("chunk {} has {} bytes, but this kind of index stores sizes below 2^32",
                            coordinates_text(at), location.stored_bytes));
  format::BTree1ChunkKey made{static_cast<std::uint32_t>(location.stored_bytes), location.filter_mask, {}};
  made.offsets.resize(at.size() + 1);  // the last one, for the element size, is zero
  for (std::size_t d = 0; d < at.size(); ++d) {
    made.offsets[d] = checked_multiply(at[d], grid_.dims[d], "a chunk's offset");
    // The last key of the tree is one chunk further.
    checked_add(made.offsets[d], grid_.dims[d], "a chunk's offset");
  }
  return made;
}

void Tree1Index::refuse_swmr_writer() const {
  if (store_.swmr_writer())
    throw Error(
        ErrorKind::unsupported,
        "chunks cannot be added to a version 1 B-tree by an SWMR writer: its nodes have no checksums");
}

void Tree1Index::do_insert_many(std::span<const std::uint64_t> coordinates,
                                std::span<const ChunkLocation> locations, std::size_t& done) {
  refuse_swmr_writer();
  tree_->insert_many(
      locations.size(),
      [&](std::size_t i) { return std::pair(key(nth(coordinates, i), locations[i]), locations[i].address); },
      done);
}

std::optional<ChunkLocation> Tree1Index::do_insert(ChunkCoordinates at, const ChunkLocation& inserted) {
  refuse_swmr_writer();
  const auto before = tree_->insert(key(at, inserted), inserted.address);
  if (!before) return std::nullopt;
  return location(before->first, before->second);
}

std::optional<ChunkLocation> Tree1Index::do_remove(ChunkCoordinates at) {
  refuse_swmr_writer();
  const auto before = tree_->remove(offsets(at));
  if (!before) return std::nullopt;
  return location(before->first, before->second);
}

void Tree1Index::do_destroy() {
  tree_->destroy();
  tree_.reset();
}

}  // namespace filigree::index
