// SPDX-License-Identifier: Apache-2.0
//
// Datatypes in the data description language (DDL) of HDF5's tools.
#pragma once

#include <string>
#include <string_view>

#include "capi/hl/high_level.hpp"

namespace filigree::capi {

/// Returns the text of H5LTdtype_to_text.
std::string type_text(hid_t type);
/// *Throws* Failure with the position of the error for strings that are not DDL.
OwnedId parse_type(std::string_view text);

/// Indexed by H5T_str_t.
constexpr std::string_view string_paddings[] = {"H5T_STR_NULLTERM", "H5T_STR_NULLPAD", "H5T_STR_SPACEPAD"};

/// Returns the id of a predefined number or bit field, or -1.
hid_t predefined_type(std::string_view name);
/// Returns the name of the predefined type that is equal to `type`, or an empty string.
std::string_view predefined_name(hid_t type);

}  // namespace filigree::capi
