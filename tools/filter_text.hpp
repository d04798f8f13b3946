// SPDX-License-Identifier: Apache-2.0
//
// Filters as users write and read them: "shuffle,zstd=3" and "shuffle, zstd 3".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <filigree/filters.hpp>

namespace filigree::tools {

/// Reads names or numbers of filters with commas between them, each with its parameters after '='. "packed"
/// stands for filter 500 or 501, whichever suits the section; "none" for no filter.
/// Throws: Error(invalid_argument), naming the part that is wrong.
std::vector<FilterChoice> parse_filters(std::string_view text, bool selection_section);

/// Writes a filter with the parameters that a user chooses: "shuffle", "zstd 3", "filter 32099".
std::string filter_text(const FilterChoice& filter);
/// Writes all filters with commas between them; empty if there are none.
std::string filters_text(const std::vector<FilterChoice>& filters);

}  // namespace filigree::tools
