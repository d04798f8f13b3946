// SPDX-License-Identifier: Apache-2.0
//
// Sets of scattered elements in little more than two bytes each. An element is identified by its linear
// (row-major) offset in the extent, which has 32 bits.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "filter/packed_selection/bitmap.hpp"

namespace filigree::filter {

/// An ascending list of offsets, cut into blocks of 2^k offsets. A block has the low bits of its offsets, and
/// the ordinal of its first element: the number of elements before it. Blocks are chosen so that they have
/// some hundred elements, so a search takes few steps.
class OffsetBlocks {
 public:
  class Writer;

  OffsetBlocks() = default;
  std::size_t elements() const { return low_.size(); }
  std::size_t memory_bytes() const {
    return low_.capacity() * sizeof(std::uint16_t) + starts_.capacity() * sizeof(std::uint32_t);
  }

  /// The ordinal of the first element at `offset` or after it; elements() if there is none.
  std::size_t find(std::uint64_t offset) const {
    const std::uint64_t block = offset >> shift_;
    if (block + 1 >= starts_.size()) return elements();
    // No branch depends on the comparisons, because their results are unpredictable.
    const std::uint16_t* from = low_.data() + starts_[block];
    std::size_t left = starts_[block + 1] - starts_[block];
    const auto low = static_cast<std::uint16_t>(offset & mask());
    while (left > 1) {
      const std::size_t half = left / 2;
      from += from[half - 1] < low ? half : 0;
      left -= half;
    }
    return static_cast<std::size_t>(from - low_.data()) + (left != 0 && *from < low ? 1 : 0);
  }
  /// Whether the element with this ordinal is at `offset`. *Requires*: `ordinal` is find(offset).
  bool is_at(std::size_t ordinal, std::uint64_t offset) const {
    const std::uint64_t block = offset >> shift_;
    return block + 1 < starts_.size() && ordinal < starts_[block + 1] && low_[ordinal] == (offset & mask());
  }

  /// Calls `visit(first, low)` for parts of the elements with ordinals from `begin` up to `end`, in order:
  /// the offset of an element is `first` plus its item of `low`. *Requires*: the first element is at `offset`
  /// or after it, in the same block or a later one.
  template <class Visit>
  void for_each_part(std::size_t begin, std::size_t end, std::uint64_t offset, Visit visit) const {
    for (std::uint64_t block = offset >> shift_; begin < end; ++block) {
      const std::size_t until = std::min<std::size_t>(end, starts_[block + 1]);
      if (until > begin) visit(block << shift_, std::span(low_).subspan(begin, until - begin));
      begin = std::max(begin, until);
    }
  }

  /// The edges of the set: the ascending offsets at which membership changes.
  std::vector<std::uint64_t> edges() const;

 private:
  std::uint64_t mask() const { return (std::uint64_t{1} << shift_) - 1; }

  unsigned shift_ = 16;
  std::vector<std::uint32_t> starts_;  ///< the ordinal of the first element of each block, and their number
  std::vector<std::uint16_t> low_;
};

/// Adds offsets in ascending order.
class OffsetBlocks::Writer {
 public:
  /// `end` is the number of elements of the extent. `elements` is about the number of offsets to come;
  /// memory is allocated for `capacity` of them. *Requires*: `end` fits into 32 bits.
  Writer(std::uint64_t end, std::uint64_t elements, std::uint64_t capacity);

  void add(std::uint64_t offset) {
    if (count_ == blocks_.low_.size()) [[unlikely]]
      grow();
    while (offset >> shift_ >= next_block_)
      *next_start_++ = static_cast<std::uint32_t>(count_), ++next_block_;
    blocks_.low_[count_++] = static_cast<std::uint16_t>(offset & mask_);
  }
  std::size_t count() const { return count_; }
  OffsetBlocks finish();

 private:
  void grow();

  OffsetBlocks blocks_;
  unsigned shift_;
  std::uint64_t mask_;
  std::uint64_t next_block_ = 0;
  std::uint32_t* next_start_;
  std::size_t count_ = 0;
};

/// The elements of a bitmap. `expected` is an estimate of their number. *Requires* offsets of 32 bits.
OffsetBlocks blocks_of(const Bitmap& set, std::size_t expected);
/// The elements between pairs of edges. *Requires*: as above.
OffsetBlocks blocks_of(std::span<const std::uint64_t> edges, std::uint64_t end, std::size_t elements);

}  // namespace filigree::filter
