// SPDX-License-Identifier: Apache-2.0
//
// The filters of this build, and the names of filters that it does not have.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "filter/filter.hpp"

namespace filigree::filter {

/// All filters of this build in the order of their ids.
std::span<const Filter* const> builtin_filters();

/// The name of a filter that is registered with The HDF Group but not part of this build; empty if it is
/// unknown.
std::string_view registered_name(std::uint16_t id);

}  // namespace filigree::filter
