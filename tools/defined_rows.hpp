// SPDX-License-Identifier: Apache-2.0
//
// Defined elements as rows of coordinates and a value.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "values.hpp"

namespace filigree::tools {

/// The defined ones of the selected elements, in row-major order.
class DefinedRows {
 public:
  DefinedRows(const Dataset& data, const Selection& selection);

  std::size_t size() const { return values_.size(); }
  const Elements& values() const { return values_; }
  std::vector<std::uint64_t> coordinates(std::size_t i) const;
  /// Returns the coordinates of one element, with this text between them.
  std::string coordinates_text(std::size_t i, const char* separator) const;
  /// Returns the lines "(1, 2)  7" of `count` elements.
  std::string lines(std::size_t first, std::size_t count, const ValueWriter& writer) const;

 private:
  std::size_t rank_;
  std::vector<std::uint64_t> coordinates_;
  Elements values_;
};

}  // namespace filigree::tools
