// SPDX-License-Identifier: Apache-2.0
//
// Selections as sequences of bytes, one at a time or a list at a time.
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

/// The order of the sequences.
enum class SequenceOrder : std::uint8_t {
  as_selected,  ///< the order of the selection
  ascending,    ///< a list ends early instead of going back, which only points can do
};

/// The size of one list.
struct SequenceCount {
  std::size_t sequences = 0;
  std::uint64_t elements = 0;
  friend bool operator==(const SequenceCount&, const SequenceCount&) = default;
};

/// Iterates over the byte sequences of a selection of elements of `element_bytes` each. Adjacent runs are
/// joined, also across the ends of rows. *Requires* that the selection outlives the iterator.
class SequenceIterator {
 public:
  /// *Throws* Error(invalid_argument) for elements of size zero, and Error(limit) if the extent has more than
  /// 2^64 - 1 bytes.
  SequenceIterator(const Selection& selection, std::uint64_t element_bytes,
                   SequenceOrder order = SequenceOrder::as_selected);

  bool done() const { return cursor_.done(); }
  std::uint64_t remaining() const { return cursor_.remaining(); }  ///< number of elements

  /// Fills `into` with the next runs, up to `elements_at_most` elements; a longer run is divided. With
  /// SequenceOrder::ascending, a run that starts before the previous one is left for the next call.
  SequenceCount fill(std::span<ByteRun> into, std::uint64_t elements_at_most);
  /// Returns the next run; false at the end.
  bool next(ByteRun& run) { return fill({&run, 1}, remaining()).sequences != 0; }

 private:
  Cursor cursor_;
  std::uint64_t element_bytes_;
  SequenceOrder order_;
};

}  // namespace filigree::space
