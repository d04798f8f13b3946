// SPDX-License-Identifier: Apache-2.0
//
// Which filters this build has.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "filter/filter.hpp"

namespace filigree::filter {

/// Every filter of this build, in order of id.
std::span<const Filter* const> builtin_filters();

/// The usual name of a filter that is not ours but known from public lists; empty when unknown.
std::string_view registered_name(std::uint16_t id);

}  // namespace filigree::filter
