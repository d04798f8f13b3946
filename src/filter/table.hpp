// SPDX-License-Identifier: Apache-2.0
//
// Which filters there are.
#pragma once

#include <cstdint>
#include <string_view>

#include <filigree/error.hpp>

#include "filter/filter.hpp"

namespace filigree::filter {

/// Every filter of this build, in order of id.
std::span<const Filter* const> builtin_filters();

/// The filter of that id, or nullptr.
const Filter* find_filter(std::uint16_t id);

/// What to tell a user whose file needs a filter that find_filter misses. `name_in_file` may be empty.
Error missing_filter_error(std::uint16_t id, std::string_view name_in_file);

}  // namespace filigree::filter
