// SPDX-License-Identifier: Apache-2.0
//
// Lists of blocks or points in any order: distances between their first elements, and the sizes of blocks.
#pragma once

#include "filter/packed_selection/box_set.hpp"
#include "filter/packed_selection/rice.hpp"

namespace filigree::filter {

/// A list, ready to be written.
struct ListPlan {
  std::uint64_t bits = 0;  ///< of all codes
  bool ascending = true;   ///< distances have no sign
  Words distances;
  std::vector<Words> sizes;  ///< less one, along every dimension; none for points
  RiceCode distance_code;
  std::vector<RiceCode> size_codes;
};

/// `words` are points, or boxes with their first and last coordinates, within the extent.
ListPlan plan_list(WordSpan words, WordSpan dims, bool boxes);

void write_list(Buffer& to, const ListPlan& plan);

/// The words of `items` boxes or points. No dimension is 0. Throws Error.
Words read_list(VarintReader in, std::uint64_t items, WordSpan dims, bool boxes);

}  // namespace filigree::filter
