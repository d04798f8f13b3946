// SPDX-License-Identifier: Apache-2.0
//
// Bytes written as hexadecimal text, for golden samples.
#pragma once

#include <string>
#include <string_view>

#include "base/bytes.hpp"

namespace filigree::testing {

/// The bytes of `text`: pairs of hexadecimal digits; white space and '|' are ignored, "n*hh" repeats
/// the byte hh n times.
Buffer from_hex(std::string_view text);

std::string to_hex(Bytes bytes);

}  // namespace filigree::testing
