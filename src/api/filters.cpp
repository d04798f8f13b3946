// SPDX-License-Identifier: Apache-2.0
#include <filigree/filters.hpp>

#include "model/filter/user_filters.hpp"

namespace filigree::filters {

void add(UserFilter filter) { model::add_filter(std::move(filter)); }

bool remove(std::uint16_t id) { return model::remove_filter(id); }

std::optional<FilterDescription> find(std::uint16_t id) { return model::find_filter(id); }

void set_finder(std::function<std::optional<UserFilter>(std::uint16_t)> finder) {
  model::set_filter_finder(std::move(finder));
}

}  // namespace filigree::filters
