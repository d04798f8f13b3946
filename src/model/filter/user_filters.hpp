// SPDX-License-Identifier: Apache-2.0
//
// User-defined filters in the filter registry of the process.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include <filigree/filters.hpp>

namespace filigree::model {

/// The implementations of filters::add(), remove(), find() and set_finder() in filigree/filters.hpp.
/// Thread safety: any number of threads may call them.
void add_filter(UserFilter filter);
bool remove_filter(std::uint16_t id);
std::optional<FilterDescription> find_filter(std::uint16_t id);
void set_filter_finder(std::function<std::optional<UserFilter>(std::uint16_t)> finder);

}  // namespace filigree::model
