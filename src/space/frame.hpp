// SPDX-License-Identifier: Apache-2.0
//
// Frames: extents whose elements are identified by linear offsets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace filigree::space {

/// The largest number of dimensions, as in HDF5 (H5S_MAX_RANK).
inline constexpr std::size_t max_rank = 32;
/// An unlimited dimension, count or block (H5S_UNLIMITED).
inline constexpr std::uint64_t unlimited = ~std::uint64_t{0};

/// A box at the origin, such as the extent of a dataspace. The linear offset of an element is its index in
/// row-major order. A frame of rank 0 has one element.
class Frame {
 public:
  Frame() = default;
  /// *Throws* Error(limit) for more than 32 dimensions or more than 2^64 - 1 elements.
  explicit Frame(std::vector<std::uint64_t> dims);

  std::size_t rank() const { return dims_.size(); }
  const std::vector<std::uint64_t>& dims() const { return dims_; }
  std::uint64_t elements() const { return elements_; }
  /// The difference of the offsets of two neighbours in dimension `d`.
  std::uint64_t step(std::size_t d) const { return steps_[d]; }
  bool contains(std::span<const std::uint64_t> coordinates) const;

  /// The linear offset of an element. *Requires* coordinates within the frame.
  std::uint64_t offset(std::span<const std::uint64_t> coordinates) const {
    std::uint64_t at = 0;
    for (std::size_t d = 0; d < steps_.size(); ++d) at += coordinates[d] * steps_[d];
    return at;
  }
  /// The inverse of offset(). *Requires* an offset below elements().
  void coordinates(std::uint64_t offset, std::uint64_t* into) const {
    for (std::size_t d = 0; d < steps_.size(); ++d) {
      into[d] = offset / steps_[d];
      offset %= steps_[d];
    }
  }
  /// Whether common elements have the same offset in both frames: only the first dimension may differ.
  bool has_same_offsets(const Frame& other) const;
  /// The smallest frame that contains this one and `other`. *Requires* the same rank.
  Frame joined(const Frame& other) const;

  friend bool operator==(const Frame& a, const Frame& b) { return a.dims_ == b.dims_; }

 private:
  std::vector<std::uint64_t> dims_;
  std::vector<std::uint64_t> steps_;
  std::uint64_t elements_ = 1;
};

}  // namespace filigree::space
