// SPDX-License-Identifier: Apache-2.0
//
// Bytes as hexadecimal text, for golden samples.
#pragma once

#include <string>
#include <string_view>

#include "base/bytes.hpp"

namespace filigree::testing {

/// The bytes of `text`, which consists of pairs of hexadecimal digits. White space and '|' are ignored;
/// "n*hh" repeats the byte hh n times.
Buffer from_hex(std::string_view text);

std::string to_hex(Bytes bytes);

}  // namespace filigree::testing
