// SPDX-License-Identifier: Apache-2.0
//
// The extent and the selection of a dataspace id.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <filigree/dataspace.hpp>

#include "space/huge_selection.hpp"
#include "space/selection.hpp"
#include "space/unlimited_slab.hpp"

namespace filigree::capi {

/// The value of a dataspace id.
struct SpaceValue {
  Dataspace extent;
  bool has_extent = true;  ///< false: a simple dataspace whose dimensions are not set yet
  /// Unset: everything. Other selections have frames of their own, because they may exceed the extent until
  /// they are used.
  std::optional<space::Selection> selection;
  std::optional<space::UnlimitedSlab> unlimited;  ///< used instead of `selection`
  /// Used instead of `selection` in an extent of 2^64 elements or more.
  std::optional<space::HugeSelection> huge;
  std::vector<std::int64_t> offset;  ///< of the selection (H5Soffset_simple); empty: no offset

  std::size_t rank() const { return extent.dims().size(); }
  bool is_all() const { return !selection && !unlimited && !huge; }
  /// Returns whether the extent has 2^64 elements or more, or the selection was made in such an extent.
  bool is_huge() const { return huge || (has_extent && space::is_huge(extent.dims())); }
  /// Replaces the selection.
  void select(space::Selection made) {
    select_all();
    selection = std::move(made);
  }
  void select(space::UnlimitedSlab made) {
    select_all();
    unlimited = std::move(made);
  }
  void select(space::HugeSelection made) {
    select_all();
    huge = std::move(made);
  }
  void select_all() {
    selection.reset();
    unlimited.reset();
    huge.reset();
  }
};

}  // namespace filigree::capi
