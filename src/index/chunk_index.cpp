// SPDX-License-Identifier: Apache-2.0
#include "index/chunk_index.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "format/codec/fields.hpp"
#include "index/array_index.hpp"
#include "index/coordinates.hpp"
#include "index/small_index.hpp"
#include "index/tree1_index.hpp"
#include "index/tree2_index.hpp"
#include "store/file_store.hpp"

namespace filigree::index {
namespace {

std::uint64_t chunks_along(std::uint64_t elements, std::uint64_t chunk) {
  return elements / chunk + (elements % chunk != 0 ? 1 : 0);
}

bool outside_of(ChunkCoordinates at, const std::vector<std::uint64_t>& counts) {
  for (std::size_t d = 0; d < counts.size(); ++d) {
    if (at[d] >= counts[d]) return true;
  }
  return false;
}

/// Checks a layout message that was not decoded, as its codec would.
void require_composition(const format::LayoutMessage& layout) {
  const unsigned sections = layout.composition.sections;
  const bool structured = layout.layout == format::LayoutClass::structured;
  const bool known =
      !structured || (layout.version >= 5 && layout.index != format::ChunkIndexType::btree_v1 &&
                      layout.index != format::ChunkIndexType::implicit && sections >= 2 &&
                      sections <= format::SectionTable::most);
  if (known && structured == (sections > 0)) return;
  throw Error(ErrorKind::corrupt, fmt::format("{}: there is no index for chunks of {} sections",
                                              format::LayoutMessage::structure, sections));
}

}  // namespace

IndexGrid::IndexGrid(const format::LayoutMessage& layout, const DatasetFacts& facts) {
  const std::size_t rank_here = facts.extent.size();
  if (!layout.in_chunks() || rank_here == 0 || layout.dims.size() != rank_here + 1 ||
      facts.max_extent.size() != rank_here) {
    throw Error(ErrorKind::corrupt,
                fmt::format("{}: chunks have {} dimensions, but the dataset has {}",
                            format::LayoutMessage::structure, layout.dims.size(), rank_here));
  }
  chunk_bytes = 1;
  for (const std::uint64_t dim : layout.dims) {
    const auto bytes = try_multiply(chunk_bytes, dim);
    if (dim == 0 || !bytes) {
      throw Error(ErrorKind::corrupt,
                  fmt::format("{}: the size of a chunk is out of range", format::LayoutMessage::structure));
    }
    chunk_bytes = *bytes;
  }
  dims.assign(layout.dims.begin(), layout.dims.end() - 1);
  for (std::size_t d = 0; d < rank_here; ++d) {
    const std::uint64_t most = facts.max_extent[d];
    max_counts.push_back(most == format::unlimited ? most : chunks_along(most, dims[d]));
  }
  set_extent(facts.extent);
}

void IndexGrid::set_extent(std::span<const std::uint64_t> extent) {
  counts.clear();
  for (std::size_t d = 0; d < dims.size(); ++d) counts.push_back(chunks_along(extent[d], dims[d]));
}

bool IndexGrid::inside(ChunkCoordinates at) const { return !outside_of(at, counts); }

ChunkIndex::ChunkIndex(store::FileStore& store, const format::LayoutMessage& layout,
                       const DatasetFacts& facts)
    : store_(store), facts_(facts), grid_(layout, facts), layout_(layout) {}

void ChunkIndex::require_rank(std::size_t numbers, std::size_t chunks) const {
  if (numbers != chunks * grid_.rank()) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("{} coordinates for {} chunks of rank {}", numbers, chunks, grid_.rank()));
  }
}

void ChunkIndex::check(ChunkCoordinates at, const ChunkLocation& location) const {
  if (location.sections.count > 0 && !location.sections.fits(location.stored_bytes)) {
    throw Error(ErrorKind::corrupt,
                fmt::format("chunk {} at {}: its sections are not contiguous within its {} bytes",
                            coordinates_text(at), to_string(location.address), location.stored_bytes));
  }
  if (store_.available(location.address) >= location.stored_bytes && location.stored_bytes > 0) return;
  // Space that was allocated but not written yet is beyond the end of the file.
  const std::uint64_t end = store_.space().allocated_until(location.address);
  const std::uint64_t start = to_number(location.address);
  const bool fits = start <= end && location.stored_bytes <= end - start;
  if (location.stored_bytes > 0 && fits) return;
  throw Error(
      location.stored_bytes == 0 ? ErrorKind::corrupt : ErrorKind::truncated,
      fmt::format("chunk {} has {} bytes at {} according to its index, but the file does not hold them",
                  coordinates_text(at), location.stored_bytes, to_string(location.address)));
}

std::optional<ChunkLocation> ChunkIndex::find(ChunkCoordinates at) const {
  require_rank(at.size(), 1);
  if (!is_valid(layout_.address) || outside_of(at, grid_.max_counts)) return std::nullopt;
  auto found = do_find(at);
  if (found) check(at, *found);
  return found;
}

void ChunkIndex::find(std::span<const std::uint64_t> coordinates, std::span<ChunkLocation> found) const {
  require_rank(coordinates.size(), found.size());
  std::fill(found.begin(), found.end(), ChunkLocation{});
  if (!is_valid(layout_.address)) return;
  do_find_many(coordinates, found);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (is_valid(found[i].address)) check(nth(coordinates, i), found[i]);
  }
}

void ChunkIndex::do_find_many(std::span<const std::uint64_t> coordinates,
                              std::span<ChunkLocation> found) const {
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (outside_of(nth(coordinates, i), grid_.max_counts)) continue;
    if (const auto one = do_find(nth(coordinates, i))) found[i] = *one;
  }
}

bool ChunkIndex::for_each(Visitor visitor, ChunkCoordinates from) const {
  if (!is_valid(layout_.address)) return true;
  const std::vector<std::uint64_t> start(grid_.rank(), 0);
  if (!from.empty()) require_rank(from.size(), 1);
  return do_for_each(
      [&](ChunkCoordinates at, const ChunkLocation& location) {
        check(at, location);
        return visitor(at, location);
      },
      from.empty() ? ChunkCoordinates(start) : from);
}

std::uint64_t ChunkIndex::count() const {
  std::uint64_t chunks = 0;
  for_each([&](ChunkCoordinates, const ChunkLocation&) { return ++chunks, true; });
  return chunks;
}

std::uint64_t ChunkIndex::stored_bytes() const {
  std::uint64_t bytes = 0;
  for_each([&](ChunkCoordinates, const ChunkLocation& location) {
    bytes = checked_add(bytes, location.stored_bytes, "the bytes of all chunks");
    return true;
  });
  return bytes;
}

void ChunkIndex::require_representable(ChunkCoordinates at, const ChunkLocation& location) const {
  const auto refuse = [&](std::string_view what) {
    throw Error(ErrorKind::invalid_argument, fmt::format("chunk {} {}", coordinates_text(at), what));
  };
  const format::SectionTable& sections = location.sections;
  if (sections.count != layout_.composition.sections) {
    refuse(fmt::format("has {} sections, but the chunks of its dataset have {}", sections.count,
                       layout_.composition.sections));
  }
  if (sections.count > 0) {
    if (!sections.fits(location.stored_bytes)) refuse("has sections that are not contiguous within it");
    if (location.filter_mask != 0) refuse("has a filter mask, but only its sections may have one");
    const bool unfiltered = sections.unfiltered_bytes == decltype(sections.unfiltered_bytes){} &&
                            sections.filter_masks == decltype(sections.filter_masks){};
    if (!facts_.filtered && !unfiltered) refuse("has filtered sections, but its dataset has no filters");
    return;
  }
  // Version 1 B-trees store every size; other indexes store sizes only together with a filter mask.
  if (layout_.index != format::ChunkIndexType::btree_v1 && !facts_.filtered &&
      (location.stored_bytes != grid_.chunk_bytes || location.filter_mask != 0)) {
    refuse(fmt::format("of a dataset without filters has {} bytes, but all of them must have {}",
                       location.stored_bytes, grid_.chunk_bytes));
  }
}

void ChunkIndex::require_insertable(ChunkCoordinates at, const ChunkLocation& location) const {
  if (outside_of(at, grid_.max_counts)) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("chunk {} is outside of the dataset's maximum extent", coordinates_text(at)));
  }
  if (!is_valid(location.address) || location.stored_bytes == 0)
    throw Error(ErrorKind::invalid_argument, "a chunk needs an address and a size");
  require_representable(at, location);
}

std::optional<ChunkLocation> ChunkIndex::insert(ChunkCoordinates at, const ChunkLocation& location) {
  require_rank(at.size(), 1);
  store_.require_writable("add a chunk");
  require_insertable(at, location);
  if (!is_valid(layout_.address)) allocate();
  return do_insert(at, location);
}

void ChunkIndex::insert(std::span<const std::uint64_t> coordinates, std::span<const ChunkLocation> locations,
                        std::size_t& done) {
  done = 0;
  require_rank(coordinates.size(), locations.size());
  store_.require_writable("add chunks");
  for (std::size_t i = 0; i < locations.size(); ++i) require_insertable(nth(coordinates, i), locations[i]);
  if (!is_valid(layout_.address) && !locations.empty()) allocate();
  do_insert_many(coordinates, locations, done);
}

void ChunkIndex::do_insert_many(std::span<const std::uint64_t> coordinates,
                                std::span<const ChunkLocation> locations, std::size_t& done) {
  for (; done < locations.size(); ++done) do_insert(nth(coordinates, done), locations[done]);
}

std::optional<ChunkLocation> ChunkIndex::remove(ChunkCoordinates at) {
  require_rank(at.size(), 1);
  store_.require_writable("remove a chunk");
  if (!is_valid(layout_.address) || outside_of(at, grid_.max_counts)) return std::nullopt;
  return do_remove(at);
}

void ChunkIndex::do_for_each_from_shrunk(const std::vector<std::uint64_t>& before, Visitor visitor) const {
  std::vector<std::uint64_t> first(grid_.rank(), 0);
  bool slowest_only = true;
  for (std::size_t d = 1; d < first.size(); ++d) slowest_only &= grid_.counts[d] >= before[d];
  if (slowest_only) first[0] = grid_.counts[0];
  do_for_each(visitor, first);
}

void ChunkIndex::resize(std::span<const std::uint64_t> extent, OnRemoved outside) {
  require_rank(extent.size(), 1);
  for (std::size_t d = 0; d < extent.size(); ++d) {
    if (extent[d] > facts_.max_extent[d])
      throw Error(ErrorKind::invalid_argument, "the extent is larger than the maximum extent");
  }
  const std::vector<std::uint64_t> before = grid_.counts;
  grid_.set_extent(extent);
  bool shrinks = false;
  for (std::size_t d = 0; d < before.size(); ++d) shrinks |= grid_.counts[d] < before[d];
  if (!shrinks || preallocates_chunks() || !is_valid(layout_.address)) return;
  store_.require_writable("remove chunks");
  std::vector<std::uint64_t> gone;
  do_for_each_from_shrunk(before, [&](ChunkCoordinates at, const ChunkLocation&) {
    if (outside_of(at, grid_.counts)) gone.insert(gone.end(), at.begin(), at.end());
    return true;
  });
  // A chunk is removed before its space is freed: if that fails, the space is lost, but never used twice.
  for (std::size_t i = 0; i * grid_.rank() < gone.size(); ++i) {
    const ChunkCoordinates at = nth(gone, i);
    if (const auto location = do_remove(at)) outside(at, *location);
  }
}

void ChunkIndex::destroy(OnRemoved chunks) {
  store_.require_writable("delete a chunk index");
  if (!is_valid(layout_.address)) return;
  std::vector<std::uint64_t> coordinates;
  std::vector<ChunkLocation> locations;
  if (!preallocates_chunks()) {
    for_each([&](ChunkCoordinates at, const ChunkLocation& location) {
      coordinates.insert(coordinates.end(), at.begin(), at.end());
      locations.push_back(location);
      return true;
    });
  }
  do_destroy();
  edit_layout().address = Address::undefined;
  for (std::size_t i = 0; i < locations.size(); ++i) chunks(nth(coordinates, i), locations[i]);
}

std::unique_ptr<ChunkIndex> ChunkIndex::clone(
    store::FileStore& target, const DatasetFacts& facts,
    FunctionRef<ChunkLocation(ChunkCoordinates, const ChunkLocation&)> copy_chunk) const {
  format::LayoutMessage layout = layout_;
  layout.address = Address::undefined;
  auto copy = make_index(target, layout, facts);
  if (!is_valid(layout_.address)) return copy;
  copy->allocate();
  for_each([&](ChunkCoordinates at, const ChunkLocation& location) {
    copy->insert(at, copy_chunk(at, location));
    return true;
  });
  return copy;
}

std::unique_ptr<ChunkIndex> make_index(store::FileStore& store, const format::LayoutMessage& layout,
                                       const DatasetFacts& facts) {
  require_composition(layout);
  switch (layout.version < 4 ? format::ChunkIndexType::btree_v1 : layout.index) {
    case format::ChunkIndexType::btree_v1:
      return std::make_unique<Tree1Index>(store, layout, facts);
    case format::ChunkIndexType::single_chunk:
      return std::make_unique<SingleIndex>(store, layout, facts);
    case format::ChunkIndexType::implicit:
      return std::make_unique<ImplicitIndex>(store, layout, facts);
    case format::ChunkIndexType::fixed_array:
    case format::ChunkIndexType::extensible_array:
      return std::make_unique<ArrayIndex>(store, layout, facts);
    case format::ChunkIndexType::btree_v2:
      return std::make_unique<Tree2Index>(store, layout, facts);
  }
  throw Error(ErrorKind::corrupt, "data layout: unknown chunk index");
}

}  // namespace filigree::index
