// SPDX-License-Identifier: Apache-2.0
//
// Comparison of datasets by the elements that are defined.
#pragma once

#include <cstdint>

#include <filigree/dataset.hpp>

#include "value_diff.hpp"

namespace filigree::tools {

/// What was found in two datasets of the same shape and type.
struct DefinedComparison {
  std::uint64_t equal_elements = 0;
  std::uint64_t different = 0;  ///< defined in both, with different values
  std::uint64_t only_in_a = 0, only_in_b = 0;

  bool equal() const { return different == 0 && only_in_a == 0 && only_in_b == 0; }
};

/// Compares the defined elements of both datasets: bit by bit, or by `elements` if they contain references,
/// whose bits depend on the file. Memory is limited by the elements of one chunk or about a million elements;
/// elements that are not defined in either dataset cost nothing.
/// Throws: Error(invalid_argument) for other shapes or types, and for types with variable-length parts.
DefinedComparison compare_defined(const Dataset& a, const Dataset& b, const ElementComparison& elements);

}  // namespace filigree::tools
