// SPDX-License-Identifier: Apache-2.0
//
// Text for a terminal. Names come from files, so nothing is printed as it is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace filigree::tools {

/// Control characters and bytes that are not UTF-8 as \n, \007 and the like; the rest as it is.
std::string printable(std::string_view text);
/// As printable(), with spaces, quotes and backslashes escaped too, so that a name has no gap.
std::string escaped_name(std::string_view name);
/// `text` and spaces up to `columns`, one character to a column.
std::string padded(std::string text, std::size_t columns);
/// "2024-05-01 13:00:00 UTC" for seconds since 1970.
std::string time_text(std::uint32_t seconds);

}  // namespace filigree::tools
