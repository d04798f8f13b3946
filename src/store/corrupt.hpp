// SPDX-License-Identifier: Apache-2.0
//
// The error for a structure that contradicts the format.
#pragma once

#include <string_view>

#include "base/address.hpp"

namespace filigree::store {

/// *Throws* Error(corrupt) with the text "STRUCTURE at ADDRESS: WHAT". `what` continues the sentence: "has
/// two parents".
[[noreturn]] void throw_corrupt(std::string_view structure, Address at, std::string_view what);

}  // namespace filigree::store
