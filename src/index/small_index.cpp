// SPDX-License-Identifier: Apache-2.0
#include "index/small_index.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/bytes.hpp"
#include "base/checked.hpp"
#include "index/coordinates.hpp"
#include "store/file_store.hpp"

namespace filigree::index {

SingleIndex::SingleIndex(store::FileStore& store, const format::LayoutMessage& layout,
                         const DatasetFacts& facts)
    : ChunkIndex(store, layout, facts) {
  const bool one =
      std::all_of(grid_.max_counts.begin(), grid_.max_counts.end(), [](auto n) { return n == 1; });
  if (!one || layout.single_chunk_filtered != facts.filtered) {
    throw Error(ErrorKind::corrupt,
                fmt::format("{}: a single chunk {}", format::LayoutMessage::structure,
                            one ? "is recorded with filters, or without, unlike its dataset"
                                : "cannot hold the dataset's maximum extent"));
  }
}

ChunkLocation SingleIndex::location() const {
  if (layout().layout == format::LayoutClass::structured) {
    format::SectionTable sections = layout().single_chunk_sections;
    sections.count = layout().composition.sections;
    return {layout().address, layout().single_chunk_bytes, 0, sections};
  }
  if (!layout().single_chunk_filtered) return {layout().address, grid_.chunk_bytes, 0};
  return {layout().address, layout().single_chunk_bytes, layout().single_chunk_mask};
}

std::optional<ChunkLocation> SingleIndex::do_find(ChunkCoordinates) const { return location(); }

bool SingleIndex::do_for_each(Visitor visitor, ChunkCoordinates from) const {
  const std::vector<std::uint64_t> at(grid_.rank(), 0);
  return compare_coordinates(at, from) < 0 || visitor(at, location());
}

void SingleIndex::require_size_fits(std::uint64_t stored_bytes) const {
  const unsigned width = layout().composition.size_bytes(grid_.chunk_bytes);
  if (stored_bytes > widest_word(width)) {
    throw Error(ErrorKind::limit,
                fmt::format("{}: the size of a chunk, {} bytes, does not fit its field of {} bytes",
                            format::LayoutMessage::structure, stored_bytes, width));
  }
}

std::optional<ChunkLocation> SingleIndex::do_insert(ChunkCoordinates, const ChunkLocation& inserted) {
  std::optional<ChunkLocation> before;
  if (is_valid(layout().address)) before = location();
  if (before == inserted) return before;
  const bool structured = layout().layout == format::LayoutClass::structured;
  if (structured) require_size_fits(inserted.stored_bytes);
  auto& message = edit_layout();
  message.address = inserted.address;
  message.single_chunk_sections = inserted.sections;
  if (facts_.filtered || structured) {
    message.single_chunk_bytes = inserted.stored_bytes;
    message.single_chunk_mask = inserted.filter_mask;
  }
  return before;
}

std::optional<ChunkLocation> SingleIndex::do_remove(ChunkCoordinates) {
  const ChunkLocation before = location();
  do_destroy();
  return before;
}

void SingleIndex::do_destroy() {
  auto& message = edit_layout();
  message.address = Address::undefined;
  message.single_chunk_bytes = 0;
  message.single_chunk_mask = 0;
  message.single_chunk_sections = {};
}

ImplicitIndex::ImplicitIndex(store::FileStore& store, const format::LayoutMessage& layout,
                             const DatasetFacts& facts)
    : ChunkIndex(store, layout, facts), all_bytes_(grid_.chunk_bytes) {
  for (const std::uint64_t n : grid_.max_counts) {
    if (n == format::unlimited || facts.filtered)
      throw Error(ErrorKind::corrupt,
                  fmt::format("{}: the implicit index supports neither filters nor unlimited dimensions",
                              format::LayoutMessage::structure));
    all_bytes_ = checked_multiply(all_bytes_, n, "the bytes of the maximum extent");
  }
  if (is_valid(layout.address)) checked_add(to_number(layout.address), all_bytes_, "the end of the chunks");
}

void ImplicitIndex::allocate() {
  if (is_valid(layout().address) || all_bytes_ == 0) return;
  store_.require_writable("allocate chunks");
  edit_layout().address = store_.space().allocate(store::SpaceKind::raw, all_bytes_);
}

std::optional<ChunkLocation> ImplicitIndex::do_find(ChunkCoordinates at) const {
  std::uint64_t number = 0;
  for (std::size_t d = 0; d < at.size(); ++d) number = number * grid_.max_counts[d] + at[d];
  return ChunkLocation{layout().address + number * grid_.chunk_bytes, grid_.chunk_bytes, 0};
}

std::uint64_t ImplicitIndex::count() const {
  std::uint64_t chunks = is_valid(layout().address) ? 1 : 0;
  for (const std::uint64_t n : grid_.counts) chunks *= n;
  return chunks;
}

bool ImplicitIndex::do_for_each(Visitor visitor, ChunkCoordinates from) const {
  if (count() == 0) return true;
  std::vector<std::uint64_t> at(from.begin(), from.end());
  // Advances to the first chunk that is not before `from`: beyond the end of a row that is in the next row.
  for (std::size_t d = 0; d < at.size(); ++d) {
    if (at[d] < grid_.counts[d]) continue;
    at[d] = grid_.counts[d];
    std::fill(at.begin() + d + 1, at.end(), 0);
    break;
  }
  for (;;) {
    for (std::size_t d = at.size(); d-- > 0;) {
      if (at[d] < grid_.counts[d]) continue;
      if (d == 0) return true;
      at[d] = 0;
      ++at[d - 1];
    }
    if (!visitor(at, *do_find(at))) return false;
    ++at.back();
  }
}

std::optional<ChunkLocation> ImplicitIndex::do_insert(ChunkCoordinates at, const ChunkLocation& location) {
  const auto before = do_find(at);
  if (before != location)
    throw Error(ErrorKind::invalid_argument, fmt::format("chunk {} is preallocated at {}",
                                                         coordinates_text(at), to_string(before->address)));
  return before;
}

std::optional<ChunkLocation> ImplicitIndex::do_remove(ChunkCoordinates) { return std::nullopt; }

void ImplicitIndex::do_destroy() {
  check(std::vector<std::uint64_t>(grid_.rank(), 0), {layout().address, all_bytes_, 0});
  store_.space().release(store::SpaceKind::raw, layout().address, all_bytes_);
}

}  // namespace filigree::index
