// SPDX-License-Identifier: Apache-2.0
//
// Subsets of datasets as h5dump takes them: start, stride, count and block.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <filigree/selection.hpp>

#include "../slice.hpp"

namespace filigree::tools {

/// The options of one subset. A missing list is empty.
struct SubsetText {
  std::vector<std::uint64_t> start, stride, count, block;

  bool is_empty() const { return start.empty() && stride.empty() && count.empty() && block.empty(); }
};

/// Reads numbers with commas or spaces between them.
/// Throws: Error(invalid_argument), naming the text.
std::vector<std::uint64_t> parse_numbers(std::string_view text);

/// Takes the compact form "[start;stride;count;block]" off the end of `path`; empty lists are defaults.
/// Leaves the path as it is if it has no such end.
SubsetText take_compact_subset(std::string& path);

/// Returns one range for each dimension. Missing numbers are 0 for the start and 1 for the others.
/// Throws: Error(invalid_argument) for more numbers than dimensions, a stride or block of 0, and overlaps.
std::vector<Selection::Range> to_ranges(const SubsetText& subset, const std::vector<std::uint64_t>& dims);
/// Returns the ranges of a slice.
std::vector<Selection::Range> to_ranges(const std::vector<SliceRange>& slice);
/// Returns the ranges that select everything.
std::vector<Selection::Range> all_of(const std::vector<std::uint64_t>& dims);

}  // namespace filigree::tools
