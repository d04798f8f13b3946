// SPDX-License-Identifier: Apache-2.0
//
// Property lists in the encoded form of H5Pencode.
#pragma once

#include <cstddef>
#include <vector>

#include "capi/H5P/property_list.hpp"

namespace filigree::capi {

/// Returns the encoded list: a version, the number of its class, names and values of its properties, and a
/// NUL.
/// *Throws* NestedFailure for values without encoded form, CallbackFailure when a callback of the program
/// fails.
std::vector<std::byte> encode_plist(const PropertyListHandle& plist);
/// Returns the id of a new list. `used`, unless null, gets the number of bytes that were read.
/// *Throws* Failure and NestedFailure for bytes that are no encoded list.
hid_t decode_plist(const std::byte* bytes, std::size_t* used = nullptr);

}  // namespace filigree::capi
