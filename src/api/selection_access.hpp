// SPDX-License-Identifier: Apache-2.0
//
// Public selections as those of space/.
#pragma once

#include <cstdint>
#include <vector>

#include <filigree/selection.hpp>

#include "model/virtual/virtual_layout.hpp"
#include "space/selection.hpp"

namespace filigree::api {

class FILIGREE_EXPORT SelectionAccess {
 public:
  static Selection make(space::Selection selection);
  class Forms;  ///< what a public selection holds
};

/// Throws Error(invalid_argument) when the selection does not fit the extent.
FILIGREE_EXPORT space::Selection to_space(const Selection& selection,
                                          const std::vector<std::uint64_t>& extent);

/// One side of a virtual mapping.
model::MappedElements to_mapped(const Selection& selection);
Selection from_mapped(const model::MappedElements& elements);

}  // namespace filigree::api
