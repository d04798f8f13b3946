// SPDX-License-Identifier: Apache-2.0
//
// Text for a terminal. Names come from untrusted files, so everything that is printed is escaped first.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace filigree::tools {

/// Escapes control characters and bytes that are not UTF-8, as in \n and \007.
std::string printable(std::string_view text);
/// As printable(), but escapes spaces, quotes and backslashes too, so that a name is one word.
std::string escaped_name(std::string_view name);
/// Pads `text` with spaces to `columns` characters.
std::string padded(std::string text, std::size_t columns);
/// Formats seconds since 1970 as "2024-05-01 13:00:00 UTC".
std::string time_text(std::uint32_t seconds);

}  // namespace filigree::tools
