// SPDX-License-Identifier: Apache-2.0
//
// Expands requests for selected elements into extents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "io/extent.hpp"
#include "space/cursor.hpp"

namespace filigree::io {

/// Produces the extents of requests, in the order of their selections.
template <class Piece>
class SelectionWalk {
 public:
  using Extent = std::conditional_t<std::is_same_v<Piece, SelectionRead>, ReadExtent, WriteExtent>;

  /// *Throws*: Error(invalid_argument) for a request whose selections differ in their number of elements.
  SelectionWalk(std::span<const Piece> pieces, MemoryType type);

  /// Fills `extents` with at most `most` more extents; false when nothing is left. *Throws*:
  /// Error(invalid_argument) for elements outside of their buffer, Error(limit) for addresses beyond 64 bits.
  bool next(std::vector<Extent>& extents, std::size_t most);

 private:
  std::span<const Piece> pieces_;
  MemoryType type_;
  std::size_t piece_ = 0;
  std::optional<space::MatchedCursor> cursor_;
};

extern template class SelectionWalk<SelectionRead>;
extern template class SelectionWalk<SelectionWrite>;

}  // namespace filigree::io
