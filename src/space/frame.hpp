// SPDX-License-Identifier: Apache-2.0
//
// The numbering that turns coordinates into positions on a line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace filigree::space {

inline constexpr std::size_t max_rank = 32;
inline constexpr std::uint64_t unlimited = ~std::uint64_t{0};

/// A box that starts at the origin, its elements numbered in row-major order. Rank 0 has one element.
class Frame {
 public:
  Frame() = default;
  /// Throws Error(limit) for more than 32 dimensions or more than 2^64 - 1 elements.
  explicit Frame(std::vector<std::uint64_t> dims);

  std::size_t rank() const { return dims_.size(); }
  const std::vector<std::uint64_t>& dims() const { return dims_; }
  std::uint64_t elements() const { return elements_; }
  /// Positions from one element to its neighbour in dimension `d`.
  std::uint64_t step(std::size_t d) const { return steps_[d]; }
  bool contains(std::span<const std::uint64_t> coordinates) const;

  /// The coordinates lie inside.
  std::uint64_t offset(std::span<const std::uint64_t> coordinates) const {
    std::uint64_t at = 0;
    for (std::size_t d = 0; d < steps_.size(); ++d) at += coordinates[d] * steps_[d];
    return at;
  }
  /// The inverse; `offset` is below elements().
  void coordinates(std::uint64_t offset, std::uint64_t* into) const {
    for (std::size_t d = 0; d < steps_.size(); ++d) {
      into[d] = offset / steps_[d];
      offset %= steps_[d];
    }
  }
  /// Whether every element of both has the same position in both: only the first dimension may differ.
  bool has_same_offsets(const Frame& other) const;
  /// The smallest frame that holds this one and `other`, of the same rank.
  Frame joined(const Frame& other) const;

  friend bool operator==(const Frame& a, const Frame& b) { return a.dims_ == b.dims_; }

 private:
  std::vector<std::uint64_t> dims_;
  std::vector<std::uint64_t> steps_;
  std::uint64_t elements_ = 1;
};

}  // namespace filigree::space
