// SPDX-License-Identifier: Apache-2.0
//
// Excerpts of extents with 2^64 elements or more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "space/frame.hpp"
#include "space/huge_selection.hpp"
#include "space/selection.hpp"

namespace filigree::space {

/// Some rows of chunks in every dimension of an extent, joined without gaps. The excerpt is a grid of
/// chunks like any other: its elements have linear offsets, and their order is that of the extent. Chunks at
/// the end of the extent stay partial.
class Excerpt {
 public:
  /// Chunk coordinates from `first` to `last`.
  struct Interval {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    friend bool operator==(const Interval&, const Interval&) = default;
  };

  /// *Requires* ascending intervals within the extent, for every dimension at least one. *Throws*
  /// Error(limit) for 2^64 elements and more.
  Excerpt(std::vector<std::uint64_t> extent, std::vector<std::uint64_t> chunk_dims,
          std::vector<std::vector<Interval>> intervals);

  /// The dimensions of the original.
  const std::vector<std::uint64_t>& extent() const { return extent_; }
  const std::vector<std::uint64_t>& chunk_dims() const { return chunk_dims_; }
  /// The elements of the excerpt.
  const Frame& frame() const { return frame_; }

  /// The coordinates of a chunk of the excerpt in the extent. *Requires* a chunk of the excerpt.
  void chunk_in_extent(std::span<const std::uint64_t> chunk, std::uint64_t* into) const;
  /// The inverse; returns false for a chunk that is not part of the excerpt.
  bool chunk_in_excerpt(std::span<const std::uint64_t> chunk, std::uint64_t* into) const;
  /// The last chunk coordinate in the extent of dimension `d`.
  std::uint64_t last_chunk(std::size_t d) const { return dims_[d].back().last; }

  /// The coordinate of an element in the excerpt. *Requires* an element of the excerpt.
  std::uint64_t in_excerpt(std::size_t d, std::uint64_t at) const;
  /// Elements of the excerpt as elements of the extent. Points keep their order.
  HugeSelection in_extent(const Selection& selection) const;

 private:
  struct Part : Interval {
    std::uint64_t start = 0;  ///< chunk coordinate of `first` in the excerpt
  };
  /// The part that has a chunk of the extent, or the first one after it.
  const Part& part_of(std::size_t d, std::uint64_t chunk) const;
  /// The index of the part that has a chunk of the excerpt.
  std::size_t part_at(std::size_t d, std::uint64_t chunk) const;
  void divide_box(std::span<std::uint64_t> box, std::size_t d, std::vector<std::uint64_t>& into) const;

  std::vector<std::uint64_t> extent_;
  std::vector<std::uint64_t> chunk_dims_;
  std::vector<std::vector<Part>> dims_;
  Frame frame_;
};

/// The same elements in the frame of their bounding box. *Throws* Error(limit) if it has more than 2^62
/// elements.
Selection cropped(const HugeSelection& selection);

/// A part of a transfer that concerns one excerpt.
struct ExcerptPart {
  std::shared_ptr<const Excerpt> excerpt;
  Selection file;    ///< in the frame of the excerpt
  Selection memory;  ///< as many elements
};

/// Divides a transfer into parts: one if the bounding box has less than 2^64 elements, otherwise groups of
/// chunks. *Throws* Error(invalid_argument) if the selections differ in their number of elements, or `file`
/// exceeds the extent. *Throws* Error(limit) for too many elements that are far apart.
std::vector<ExcerptPart> divide(const HugeSelection& file, const std::vector<std::uint64_t>& extent,
                                const std::vector<std::uint64_t>& chunk_dims, const Selection& memory);

}  // namespace filigree::space
