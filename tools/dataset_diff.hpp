// SPDX-License-Identifier: Apache-2.0
//
// Differences of the elements of two datasets or attributes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <filigree/filigree.hpp>

#include "value_diff.hpp"

namespace filigree::tools {

/// What was found in a pair of objects or attributes.
struct PairResult {
  std::uint64_t differences = 0;
  std::uint64_t only_in_a = 0, only_in_b = 0;  ///< elements that are defined in one of the datasets
  std::string not_comparable;                  ///< the reason

  bool same() const { return differences == 0 && only_in_a == 0 && only_in_b == 0; }
};
PairResult not_comparable(std::string reason);

/// What to compare and to report of datasets.
struct ElementReport {
  bool defined = false;                               ///< compare which elements are defined, too
  std::uint64_t most = 0;                             ///< differences to report of a dataset; 0: all
  std::function<void(const std::string& lines)> put;  ///< called for each part with differences; or empty
};

PairResult compare_datasets(const Dataset& a, const Dataset& b, const ElementComparison& elements,
                            const ElementReport& report);
PairResult compare_attributes(const Attribute& a, const Attribute& b, const ElementComparison& elements);

}  // namespace filigree::tools
