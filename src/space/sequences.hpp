// SPDX-License-Identifier: Apache-2.0
//
// Selections as the bytes they mean: runs of neighbouring bytes, one at a time or a list at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "space/cursor.hpp"

namespace filigree::space {

/// `length` bytes from `offset` on.
struct ByteRun {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::uint64_t end() const { return offset + length; }
  friend bool operator==(const ByteRun&, const ByteRun&) = default;
};

enum class SequenceOrder : std::uint8_t {
  as_selected,  ///< points in the order of their list
  ascending,    ///< a list ends early rather than go back; only points can make it do so
};

/// How much of a selection one list describes.
struct SequenceCount {
  std::size_t sequences = 0;
  std::uint64_t elements = 0;
  friend bool operator==(const SequenceCount&, const SequenceCount&) = default;
};

/// Walks a selection of elements of `element_bytes` each and can be resumed anywhere. Runs that touch are
/// one, also where a row ends. The selection outlives the iterator.
class SequenceIterator {
 public:
  /// Throws Error(invalid_argument) for elements of no size, Error(limit) when the extent has more than
  /// 2^64 - 1 bytes.
  SequenceIterator(const Selection& selection, std::uint64_t element_bytes,
                   SequenceOrder order = SequenceOrder::as_selected);

  bool done() const { return cursor_.done(); }
  std::uint64_t remaining() const { return cursor_.remaining(); }  ///< elements

  /// Fills `into` with what comes next, at most `elements_at_most` elements of it; a run is cut when it has
  /// more. With SequenceOrder::ascending, a run that starts before the one ahead of it waits for the next
  /// call.
  SequenceCount fill(std::span<ByteRun> into, std::uint64_t elements_at_most);
  /// The next run; false at the end.
  bool next(ByteRun& run) { return fill({&run, 1}, remaining()).sequences != 0; }

 private:
  Cursor cursor_;
  std::uint64_t element_bytes_;
  SequenceOrder order_;
};

}  // namespace filigree::space
