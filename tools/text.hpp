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
/// As printable(), but escapes all that is not ASCII.
std::string printable_ascii(std::string_view text);
/// A character in UTF-8.
struct Character {
  std::size_t bytes = 0;  ///< 0 if it is not UTF-8
  std::uint32_t code = 0;
  /// A control character, or a mark that changes the direction of the text around it on a terminal.
  bool is_control = false;
};
/// Returns the character at the start of `text`, which is not empty.
Character first_character(std::string_view text);
/// As printable(), but escapes spaces, quotes and backslashes too, so that a name is one word.
std::string escaped_name(std::string_view name);
/// Returns how many characters a text has, which must be UTF-8.
std::size_t columns_of(std::string_view text);
/// Pads `text` with spaces to `columns` characters.
std::string padded(std::string text, std::size_t columns);
/// Writes a number with commas: "1,600".
std::string grouped(std::uint64_t number);
/// Writes a size with two or three digits and a decimal unit: "800 B", "4.1 MB", "132 kB".
std::string bytes_text(std::uint64_t bytes);
/// Formats seconds since 1970 as "2024-05-01 13:00:00 UTC".
std::string time_text(std::uint32_t seconds);

}  // namespace filigree::tools
