// SPDX-License-Identifier: Apache-2.0
//
// Filters that programs and plugins bring.
#pragma once

#include <optional>
#include <string>

#include <filigree/filters.hpp>

#include "capi/H5P/property_list.hpp"
#include "capi/core/api_call.hpp"

namespace filigree::capi {

/// Makes a filter known to the core, and its callbacks to us.
void register_filter(const H5Z_class2_t& filter);
/// False when the program has registered none of that number.
bool unregister_filter(H5Z_filter_t id);
/// The functions of a filter, as the core calls them.
UserFilter to_user_filter(const H5Z_class2_t& filter);

/// Before a dataset is made: asks the program's filters in the list whether they suit the type and the chunk,
/// and lets them add to their parameters. Returns what the list says then; the list itself stays as it is.
/// Throws NestedFailure.
std::shared_ptr<const DatasetCreationSettings> prepared_filters(hid_t creation_plist, hid_t type);

/// What a file in one of the places for plugins offers; nothing when none has the filter.
std::optional<H5Z_class2_t> find_plugin_filter(H5Z_filter_t id);

/// Called once when the library is set up.
void set_up_filters();

}  // namespace filigree::capi
