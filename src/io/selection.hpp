// SPDX-License-Identifier: Apache-2.0
//
// Requests for elements of selections, and what they are as extents.
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

/// Elements to read: those that `file` selects go to those that `memory` selects, equally many, each in its
/// order. Both outlive the request.
struct SelectionRead {
  const space::Selection* file = nullptr;
  const space::Selection* memory = nullptr;
  std::uint64_t offset = 0;         ///< in the file, of element 0 of the frame of `file`
  std::uint32_t element_bytes = 1;  ///< on both sides
  MutableBytes into;                ///< begins with element 0 of the frame of `memory`
};

struct SelectionWrite {
  const space::Selection* file = nullptr;
  const space::Selection* memory = nullptr;
  std::uint64_t offset = 0;
  std::uint32_t element_bytes = 1;
  Bytes from;
};

/// Gives the extents of pieces, in the order of their selections.
template <class Piece>
class SelectionWalk {
 public:
  using Extent = std::conditional_t<std::is_same_v<Piece, SelectionRead>, ReadExtent, WriteExtent>;

  /// Throws Error(invalid_argument) for pieces whose selections differ in their number of elements.
  SelectionWalk(std::span<const Piece> pieces, MemoryType type);

  /// Fills `extents` with at most `most` of what comes next; false when nothing is left. Throws
  /// Error(invalid_argument) for elements outside of their memory, Error(limit) for addresses that do not
  /// exist.
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
