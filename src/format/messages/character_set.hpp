// SPDX-License-Identifier: Apache-2.0
//
// The character sets of names and strings.
#pragma once

#include <cstdint>

namespace filigree::format {

enum class CharacterSet : std::uint8_t { ascii = 0, utf8 = 1 };

}  // namespace filigree::format
