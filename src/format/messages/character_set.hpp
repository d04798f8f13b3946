// SPDX-License-Identifier: Apache-2.0
//
// How the characters of a name or string are encoded.
#pragma once

#include <cstdint>

namespace filigree::format {

enum class CharacterSet : std::uint8_t { ascii = 0, utf8 = 1 };

}  // namespace filigree::format
