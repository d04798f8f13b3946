// SPDX-License-Identifier: Apache-2.0
#include "io/selection.hpp"

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "io/virtual_file.hpp"

namespace filigree::io {
namespace {

/// The largest number of extents that selections are expanded to at a time.
constexpr std::size_t max_batch_extents = 16384;

MutableBytes memory_of(const SelectionRead& piece) { return piece.into; }
Bytes memory_of(const SelectionWrite& piece) { return piece.from; }

template <class Piece>
auto extent_of(const Piece& piece, const space::MatchedRun& run, MemoryType type) {
  using Extent = typename SelectionWalk<Piece>::Extent;
  constexpr std::string_view what = "the bytes of selected elements";
  const std::uint64_t bytes = checked_multiply(run.length, piece.element_bytes, what);
  const std::uint64_t at = checked_multiply(run.second, piece.element_bytes, what);
  const auto memory = memory_of(piece);
  if (at > memory.size() || bytes > memory.size() - at) {
    throw Error(
        ErrorKind::invalid_argument,
        fmt::format("{} selected elements of {} bytes at position {} lie outside of the memory of {} bytes",
                    run.length, piece.element_bytes, run.second, memory.size()));
  }
  const std::uint64_t offset =
      checked_add(piece.offset, checked_multiply(run.first, piece.element_bytes, what), what);
  return Extent{offset, memory.subspan(at, bytes), type};
}

}  // namespace

template <class Piece>
SelectionWalk<Piece>::SelectionWalk(std::span<const Piece> pieces, MemoryType type)
    : pieces_(pieces), type_(type) {
  for (const Piece& piece : pieces) space::require_equal_counts(piece.file.inside(), piece.memory.inside());
}

template <class Piece>
bool SelectionWalk<Piece>::next(std::vector<Extent>& extents, std::size_t most) {
  extents.clear();
  space::MatchedRun run;
  while (piece_ < pieces_.size() && extents.size() < most) {
    const Piece& piece = pieces_[piece_];
    if (!cursor_) cursor_.emplace(piece.file.inside(), piece.memory.inside());
    if (cursor_->next(run)) {
      extents.push_back(extent_of(piece, run, type_));
    } else {
      cursor_.reset();
      ++piece_;
    }
  }
  return !extents.empty();
}

template class SelectionWalk<SelectionRead>;
template class SelectionWalk<SelectionWrite>;

void VirtualFile::read_selections(std::span<const SelectionRead> pieces, MemoryType type) const {
  if (capabilities().selections && do_read_selections(pieces, type)) return;
  SelectionWalk<SelectionRead> walk(pieces, type);
  for (std::vector<ReadExtent> extents; walk.next(extents, max_batch_extents);) read(extents);
}

void VirtualFile::write_selections(std::span<const SelectionWrite> pieces, MemoryType type) {
  require_writable();
  if (capabilities().selections && do_write_selections(pieces, type)) return;
  SelectionWalk<SelectionWrite> walk(pieces, type);
  for (std::vector<WriteExtent> extents; walk.next(extents, max_batch_extents);) write(extents);
}

}  // namespace filigree::io
