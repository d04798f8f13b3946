// SPDX-License-Identifier: Apache-2.0
#include "text.hpp"

#include <algorithm>
#include <ctime>

#include <fmt/format.h>

namespace filigree::tools {

namespace {

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xc0u) == 0x80; }

/// The number of a character that is not ASCII, and its length, which is 0 if it is not UTF-8.
Character decode_wide(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < bytes) return {};
  if (!std::all_of(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(bytes), continues)) return {};
  std::uint32_t code = first & (0x7fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3fu);
  const bool overlong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  if (overlong || surrogate || code > 0x10ffff) return {};
  return {bytes, code};
}

/// The length of the printable non-ASCII character at the start of `text`; 0 if there is none.
std::size_t wide_character(std::string_view text) {
  const Character character = first_character(text);
  return character.is_control ? 0 : character.bytes;
}

std::string escape(std::string_view text, std::string_view also, bool ascii = false) {
  static constexpr std::string_view named = "\b\f\n\r\t", letters = "bfnrt";
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto byte = static_cast<unsigned char>(c);
    if (const std::size_t at = named.find(c); at != std::string_view::npos) {
      out += {'\\', letters[at]};
    } else if (also.find(c) != std::string_view::npos) {
      out += {'\\', c};
    } else if (byte >= 0x20 && byte < 0x7f) {
      out += c;
    } else if (const std::size_t bytes = byte < 0x80 || ascii ? 0 : wide_character(text.substr(i));
               bytes > 0) {
      out += text.substr(i, bytes);
      i += bytes - 1;
    } else {
      out += fmt::format("\\{:03o}", byte);
    }
  }
  return out;
}

}  // namespace

std::string printable(std::string_view text) { return escape(text, ""); }

std::string printable_ascii(std::string_view text) { return escape(text, "", true); }

Character first_character(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  Character found = first < 0x80 ? Character{1, first} : decode_wide(text);
  const std::uint32_t code = found.code;
  found.is_control =
      found.bytes > 0 && (code < 0x20 || (code >= 0x7f && code < 0xa0) ||
                          (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069));
  return found;
}

std::string escaped_name(std::string_view name) { return escape(name, " \"\\"); }

std::size_t columns_of(std::string_view text) {
  return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, continues));
}

std::string padded(std::string text, std::size_t columns) {
  const std::size_t width = columns_of(text);
  if (width < columns) text.append(columns - width, ' ');
  return text;
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string bytes_text(std::uint64_t bytes) {
  static constexpr const char* units[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
  if (bytes < 1000) return fmt::format("{} B", bytes);
  double value = static_cast<double>(bytes) / 1000;
  std::size_t unit = 0;
  while (value >= 999.5) value /= 1000, ++unit;
  return fmt::format("{:.{}f} {}", value, value < 9.95 ? 1 : 0, units[unit]);
}

std::string time_text(std::uint32_t seconds) {
  const std::time_t time = seconds;
  std::tm parts{};
  gmtime_r(&time, &parts);
  char text[64];
  const std::size_t length = std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &parts);
  return {text, length};
}

}  // namespace filigree::tools
