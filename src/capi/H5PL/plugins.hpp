// SPDX-License-Identifier: Apache-2.0
//
// What is searched for in plugins, besides filters (H5Z/filters.hpp).
#pragma once

#include <hdf5.h>

namespace filigree::capi {

/// Returns the class of a VOL connector in a plugin, by name, or by value for a null name. Returns null if
/// there is none, or if programs do not allow such plugins.
const H5VL_class_t* find_plugin_connector(const char* name, H5VL_class_value_t value);

}  // namespace filigree::capi
