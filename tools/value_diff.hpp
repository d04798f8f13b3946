// SPDX-License-Identifier: Apache-2.0
//
// Comparison of elements as h5diff compares them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <filigree/filigree.hpp>

#include "values.hpp"

namespace filigree::tools {

/// When two numbers count as equal, beside being the same.
struct Tolerance {
  std::optional<double> absolute;  ///< if |a - b| is at most this
  std::optional<double> relative;  ///< if |(b - a) / a| is at most this
};

/// Returns the type as which elements of both types can be compared: integers of the same sign and
/// floating-point numbers as the larger one, others if they are equal. Empty if they cannot.
std::optional<Datatype> common_type(const Datatype& a, const Datatype& b);

/// Compares elements of two files. Equal are numbers with the same bits, two NaNs, and references to objects
/// of the same path. Of references of HDF5 1.12 to regions, attributes and other files only the kind is
/// compared.
class ElementComparison {
 public:
  ElementComparison(PathFinder& paths_a, PathFinder& paths_b, Tolerance tolerance)
      : a_(paths_a, Style()), b_(paths_b, Style()), tolerance_(tolerance) {}

  /// Whether elements with the same bytes are equal: they refer neither to memory nor to objects of a file.
  static bool same_bytes_are_equal(const Datatype& native);
  bool equal(const Datatype& native, const std::byte* a, const std::byte* b) const;
  std::string text_a(const Datatype& native, const std::byte* a) const { return a_.text(native, a); }
  std::string text_b(const Datatype& native, const std::byte* b) const { return b_.text(native, b); }

 private:
  bool numbers_equal(const Datatype& native, const std::byte* a, const std::byte* b) const;

  const ValueWriter a_, b_;
  const Tolerance tolerance_;
};

}  // namespace filigree::tools
