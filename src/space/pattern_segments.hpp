// SPDX-License-Identifier: Apache-2.0
//
// Selections as nested patterns of bytes: the pattern segments of HDF5's RFC on selection I/O, with its
// names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "space/selection.hpp"

namespace filigree::space {

struct PatternSegment;

/// Iterates over the segments of one level. A segment that is not solid has an iterator for the level below.
///
/// A regular selection has one segment on every level. Another set has a segment of one block for every span
/// of its SpanTree. Points have one level, on which adjacent points of the list form one block.
///
/// *Thread safety*: an iterator and those below it are used by one thread at a time.
class PatternIterator {
 public:
  /// *Throws* Error(invalid_argument) for elements of size zero, and Error(limit) if the extent has more than
  /// 2^64 - 1 bytes.
  PatternIterator(const Selection& selection, std::uint64_t element_bytes);

  /// Whether all segments of this level have been returned; always true for an empty selection.
  bool complete() const;
  /// Returns the next segment, or one with a count of 0 if complete().
  PatternSegment next();
  /// Stores `udata` with the segment that next() returned last, and with all segments that differ from it
  /// only in `start`. *Throws* Error(invalid_argument) before the first segment.
  void cache_udata(void* udata);

 private:
  class Pattern;
  /// A level: the dimension and, in a span tree, the node.
  struct Level {
    std::size_t dimension = 0;
    std::size_t node = 0;
  };
  /// A segment without its start.
  struct Shape {
    std::uint64_t stride = 1;
    std::uint64_t count = 0;
    std::uint64_t block = 0;
    Level below;
    friend bool operator==(const Shape& a, const Shape& b) {
      return a.stride == b.stride && a.count == b.count && a.block == b.block &&
             a.below.dimension == b.below.dimension && a.below.node == b.below.node;
    }
  };
  PatternIterator(std::shared_ptr<Pattern> pattern, Level level)
      : pattern_(std::move(pattern)), level_(level) {}

  std::shared_ptr<Pattern> pattern_;
  Level level_;
  std::size_t next_ = 0;  ///< index of the next span or point
  Shape last_;            ///< the segment that was returned last
};

/// `count` blocks of `block` sub-patterns each, `stride` apart, from `start` on. All are in units of
/// `sub_pattern_size` bytes and relative to the sub-pattern that contains the segment.
struct PatternSegment {
  std::uint64_t start = 0;
  std::uint64_t stride = 1;
  std::uint64_t count = 0;
  std::uint64_t block = 0;
  std::uint64_t sub_pattern_size = 0;
  std::optional<PatternIterator> sub_pattern_iter;  ///< absent if every byte of the sub-pattern is selected
  void* udata = nullptr;
};

}  // namespace filigree::space
