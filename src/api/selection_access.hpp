// SPDX-License-Identifier: Apache-2.0
//
// Conversion between public selections and those of space/.
#pragma once

#include <cstdint>
#include <vector>

#include <filigree/selection.hpp>

#include "model/virtual/mappings.hpp"
#include "space/huge_selection.hpp"
#include "space/selection.hpp"

namespace filigree::api {

/// Access to the representation of public selections.
class FILIGREE_EXPORT SelectionAccess {
 public:
  static Selection make(space::Selection selection);
  /// Makes a selection of an extent of 2^64 elements or more.
  static Selection make(space::HugeSelection selection, std::vector<std::uint64_t> extent);
  class Forms;  ///< the representations of a public selection
};

/// Returns the selection in this extent.
/// Throws: Error(invalid_argument) if the selection does not fit the extent.
FILIGREE_EXPORT space::Selection to_space(const Selection& selection,
                                          const std::vector<std::uint64_t>& extent);

/// Returns the selection by coordinates, for an extent of 2^64 elements or more.
/// Throws: Error(invalid_argument) if the selection does not fit the extent, Error(limit) for all elements.
FILIGREE_EXPORT space::HugeSelection to_huge(const Selection& selection,
                                             const std::vector<std::uint64_t>& extent);

/// Converts one side of a virtual mapping.
model::MappedElements to_mapped(const Selection& selection);
Selection from_mapped(const model::MappedElements& elements);

}  // namespace filigree::api
