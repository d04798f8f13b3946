// SPDX-License-Identifier: Apache-2.0
//
// Selections as patterns of patterns on the line of bytes: the pattern segments of the Selection I/O RFC,
// whose names are kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "space/selection.hpp"

namespace filigree::space {

struct PatternSegment;

/// Gives the segments of one level; each that is not solid brings an iterator for the level below. What an
/// iterator and those below it share is not for several threads at once.
///
/// A regular selection has one segment on every level. A set that is not regular has one for every span of
/// its SpanTree, of one block. Points have only one level, on which neighbours in the list are one block.
class PatternIterator {
 public:
  /// Throws Error(invalid_argument) for elements of no size, Error(limit) when the extent has more than
  /// 2^64 - 1 bytes.
  PatternIterator(const Selection& selection, std::uint64_t element_bytes);

  /// Whether every segment of this level has been returned. At once for a selection of nothing.
  bool complete() const;
  /// The next segment; one of count 0 when complete().
  PatternSegment next();
  /// Keeps `udata` with the segment that next() returned last, and with all that differ from it at most in
  /// `start`, wherever they come up. Throws Error(invalid_argument) before the first segment.
  void cache_udata(void* udata);

 private:
  class Pattern;
  /// Which of the levels: the dimension and, in a span tree, the node.
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
  std::size_t next_ = 0;  ///< span or point
  Shape last_;            ///< of the segment returned last
};

/// `count` blocks of `block` sub-patterns each, the first block at `start`, `stride` apart: all in units of
/// `sub_pattern_size` bytes, and from where the sub-pattern begins that the segment is part of.
struct PatternSegment {
  std::uint64_t start = 0;
  std::uint64_t stride = 1;
  std::uint64_t count = 0;
  std::uint64_t block = 0;
  std::uint64_t sub_pattern_size = 0;
  std::optional<PatternIterator> sub_pattern_iter;  ///< absent: every byte of the sub-pattern is selected
  void* udata = nullptr;
};

}  // namespace filigree::space
