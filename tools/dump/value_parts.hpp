// SPDX-License-Identifier: Apache-2.0
//
// Selected elements in parts that fit into memory.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <filigree/selection.hpp>

namespace filigree::tools {

/// The elements of a regular selection, which are numbered in each dimension.
class Lattice {
 public:
  /// With `counts_columns`, labels count elements from the start of a row instead of columns.
  explicit Lattice(std::vector<Selection::Range> ranges, bool counts_columns = false)
      : ranges_(std::move(ranges)), counts_columns_(counts_columns) {}

  std::size_t rank() const { return ranges_.size(); }
  std::uint64_t length(std::size_t d) const { return ranges_[d].count * ranges_[d].block; }
  std::uint64_t coordinate(std::size_t d, std::uint64_t i) const;
  /// Returns the coordinate as a label.
  std::uint64_t label(std::size_t d, std::uint64_t i) const {
    return counts_columns_ && d + 1 == rank() ? ranges_[d].start + i : coordinate(d, i);
  }
  /// The length of the last dimension; 1 without dimensions.
  std::uint64_t row() const { return ranges_.empty() ? 1 : length(rank() - 1); }
  /// Returns the number of elements; the largest number for 2^64 and more.
  std::uint64_t elements() const;
  const std::vector<Selection::Range>& ranges() const { return ranges_; }

  /// Visits parts in row-major order, each with at most `most` elements, but at least one.
  void for_each_part(std::uint64_t most, const std::function<void(const Selection&)>& visit) const;

 private:
  void split(std::size_t d, std::vector<Selection::Range>& part, std::uint64_t most,
             const std::function<void(const Selection&)>& visit) const;

  std::vector<Selection::Range> ranges_;
  bool counts_columns_;
};

/// Walks over the elements of a lattice in row-major order.
class LatticeWalk {
 public:
  explicit LatticeWalk(const Lattice& lattice);
  /// Returns the labels of the current element.
  std::span<const std::uint64_t> labels() const { return labels_; }
  void next();

 private:
  const Lattice& lattice_;
  std::vector<std::uint64_t> index_, labels_;
};

}  // namespace filigree::tools
