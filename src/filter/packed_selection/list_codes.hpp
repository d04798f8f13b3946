// SPDX-License-Identifier: Apache-2.0
//
// The encoding of lists of blocks or points in any order: distances between first elements, and sizes of
// blocks.
#pragma once

#include "filter/packed_selection/box_set.hpp"
#include "filter/packed_selection/rice.hpp"

namespace filigree::filter {

/// An encoded list before it is written.
struct ListPlan {
  std::uint64_t bits = 0;  ///< size of all codes
  bool ascending = true;   ///< whether the distances are unsigned
  Words distances;
  std::vector<Words> sizes;  ///< sizes less one, for every dimension; empty for points
  RiceCode distance_code;
  std::vector<RiceCode> size_codes;
};

/// Encodes points, or boxes with their first and last coordinates. *Requires* that they lie within the
/// extent.
ListPlan plan_list(WordSpan words, WordSpan dims, bool boxes);

void write_list(Buffer& to, const ListPlan& plan);

/// Decodes `items` boxes or points. *Requires* that no dimension is 0. *Throws* Error for invalid data.
Words read_list(VarintReader in, std::uint64_t items, WordSpan dims, bool boxes);

}  // namespace filigree::filter
