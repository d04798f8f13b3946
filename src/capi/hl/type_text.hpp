// SPDX-License-Identifier: Apache-2.0
//
// Datatypes in the data description language of HDF5's tools.
#pragma once

#include <string>
#include <string_view>

#include "capi/hl/high_level.hpp"

namespace filigree::capi {

/// As H5LTdtype_to_text gives it.
std::string type_text(hid_t type);
/// Throws Failure, with the place, for texts that are not of the language.
OwnedId parse_type(std::string_view text);

/// By H5T_str_t.
constexpr std::string_view string_paddings[] = {"H5T_STR_NULLTERM", "H5T_STR_NULLPAD", "H5T_STR_SPACEPAD"};

/// The id of a predefined number or bit field by its name, or -1.
hid_t predefined_type(std::string_view name);
/// The name of a predefined type that is equal to it; empty when there is none.
std::string_view predefined_name(hid_t type);

}  // namespace filigree::capi
