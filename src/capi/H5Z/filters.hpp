// SPDX-License-Identifier: Apache-2.0
//
// User-defined filters, registered by the program or loaded from plugins.
#pragma once

#include <optional>
#include <string>

#include <filigree/filters.hpp>

#include "capi/H5P/property_list.hpp"
#include "capi/core/api_call.hpp"

namespace filigree::capi {

/// Registers a filter with the C++ API, and keeps its can_apply and set_local callbacks.
void register_filter(const H5Z_class2_t& filter);
/// Returns false when no filter with that id is registered.
bool unregister_filter(H5Z_filter_t id);
/// Returns H5Z_FILTER_CONFIG_ flags, or nothing when the filter is not available.
std::optional<unsigned> filter_configuration(H5Z_filter_t id);
/// Returns the filter in the form of the C++ API.
UserFilter to_user_filter(const H5Z_class2_t& filter);

/// Prepares the filters of a creation property list for a new dataset. The can_apply callbacks check type and
/// chunk; the set_local callbacks may change the parameters.
/// Returns the changed settings; the list itself stays unchanged. *Throws* NestedFailure.
std::shared_ptr<const DatasetCreationSettings> prepared_filters(hid_t creation_plist, hid_t type);

/// Searches the plugin path for a filter. Returns nothing when no plugin has it.
std::optional<H5Z_class2_t> find_plugin_filter(H5Z_filter_t id);

/// Called once, when the library is set up.
void set_up_filters();

}  // namespace filigree::capi
