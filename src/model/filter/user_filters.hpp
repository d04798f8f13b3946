// SPDX-License-Identifier: Apache-2.0
//
// Filters of programs in the registry of the process; the functions are those of filigree/filters.hpp.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include <filigree/filters.hpp>

namespace filigree::model {

void add_filter(UserFilter filter);
bool remove_filter(std::uint16_t id);
std::optional<FilterDescription> find_filter(std::uint16_t id);
void set_filter_finder(std::function<std::optional<UserFilter>(std::uint16_t)> finder);

}  // namespace filigree::model
