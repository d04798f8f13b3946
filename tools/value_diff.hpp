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

/// What references are that lead to objects without a link.
enum class Unlinked : std::uint8_t {
  different,  ///< they lead to objects of their own
  null,       ///< they are null in the second file, as File::copy_contents_to() writes them
};

/// Compares elements of two files. Equal are numbers with the same bits, two NaNs, strings with the same
/// characters, and references to objects of the same path and to the same elements of them. Of references of
/// HDF5 1.12 to regions, attributes and other files only the kind is compared.
class ElementComparison {
 public:
  ElementComparison(PathFinder& paths_a, PathFinder& paths_b, Tolerance tolerance,
                    Unlinked unlinked = Unlinked::different)
      : paths_a_(paths_a),
        paths_b_(paths_b),
        a_(paths_a, Style()),
        b_(paths_b, Style()),
        tolerance_(tolerance),
        unlinked_(unlinked) {}

  /// Whether elements with the same bytes are equal: they refer neither to memory nor to objects of a file.
  static bool same_bytes_are_equal(const Datatype& native);
  bool equal(const Datatype& native, const std::byte* a, const std::byte* b) const;
  std::string text_a(const Datatype& native, const std::byte* a) const { return a_.text(native, a); }
  std::string text_b(const Datatype& native, const std::byte* b) const { return b_.text(native, b); }

 private:
  bool numbers_equal(const Datatype& native, const std::byte* a, const std::byte* b) const;
  bool sequences_equal(const Datatype& base, const std::byte* a, const std::byte* b) const;
  bool references_equal(const Datatype& native, const std::byte* a, const std::byte* b) const;
  bool regions_equal(const Datatype& native, const std::byte* a, const std::byte* b) const;
  bool objects_equal(std::uint64_t a, std::uint64_t b) const;
  bool may_become_null(const Datatype& native, const std::byte* a) const;

  PathFinder &paths_a_, &paths_b_;
  const ValueWriter a_, b_;
  const Tolerance tolerance_;
  const Unlinked unlinked_;
};

}  // namespace filigree::tools
