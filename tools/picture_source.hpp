// SPDX-License-Identifier: Apache-2.0
//
// What `filigree picture` shows: elements or chunks at rows and columns.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <filigree/filigree.hpp>

#include "slice.hpp"

namespace filigree::tools {

/// The numbers of the two dimensions that a picture shows.
struct Axes {
  std::size_t rows = 0, columns = 0;
};

/// Takes a value at a row and column of the picture.
using Visit = std::function<void(std::uint64_t row, std::uint64_t column, double value)>;

/// The elements of a slice with two dimensions.
class ElementSource {
 public:
  /// Throws: Error(invalid_argument) unless the slice has two dimensions, and elements.
  ElementSource(const Dataset& data, const std::vector<SliceRange>& ranges);

  std::uint64_t rows() const { return ranges_[axes_.rows].count; }
  std::uint64_t columns() const { return ranges_[axes_.columns].count; }

  /// Visits the elements, a million at a time: all of a dense dataset, the defined ones of a sparse one.
  /// Throws: Error(invalid_argument) for elements that are no numbers.
  void visit_values(const Visit& visit) const;
  /// Visits the defined elements, with the value 1.
  void visit_defined(const Visit& visit) const;

 private:
  void require_numbers() const;
  /// A part of the slice with as many elements as are read at once.
  struct Tile {
    std::uint64_t row = 0, column = 0;  ///< of its first element
    std::uint64_t width = 0;            ///< in columns
    Selection selection;
  };
  void for_each_tile(const std::function<void(const Tile&)>& read) const;
  void visit_all_values(const Tile& tile, const Visit& visit) const;
  void visit_defined_values(const Selection& part, const Visit& visit) const;
  std::uint64_t index(std::size_t dimension, const std::uint64_t* coordinates) const;

  const Dataset& data_;
  const std::vector<SliceRange>& ranges_;
  const Axes axes_;
};

/// The chunks that a slice with two dimensions touches, each as one element.
class ChunkSource {
 public:
  /// Throws: Error(wrong_type) for layouts without chunks; Error(invalid_argument) as ElementSource does.
  ChunkSource(const Dataset& data, const std::vector<SliceRange>& ranges);

  std::uint64_t rows() const { return count(axes_.rows); }
  std::uint64_t columns() const { return count(axes_.columns); }

  /// Visits the chunks that are stored, with their bytes in the file.
  void visit(const Visit& visit) const;

 private:
  std::uint64_t first(std::size_t d) const { return ranges_[d].start / chunk_[d]; }
  std::uint64_t count(std::size_t d) const;

  const Dataset& data_;
  const std::vector<SliceRange>& ranges_;
  const Axes axes_;
  const std::vector<std::uint64_t> chunk_;
};

}  // namespace filigree::tools
