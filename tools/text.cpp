// SPDX-License-Identifier: Apache-2.0
#include "text.hpp"

#include <algorithm>
#include <ctime>

#include <fmt/format.h>

namespace filigree::tools {

namespace {

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xc0u) == 0x80; }

/// The length of the printable non-ASCII character at the start of `text`; 0 if there is none.
std::size_t wide_character(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < bytes) return 0;
  if (!std::all_of(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(bytes), continues)) return 0;
  std::uint32_t code = first & (0x7fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3fu);
  const bool overlong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  // Control characters, and marks that change the direction of the text around them on a terminal.
  const bool control =
      code < 0xa0 || (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  return overlong || surrogate || control || code > 0x10ffff ? 0 : bytes;
}

std::string escape(std::string_view text, std::string_view also) {
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
    } else if (const std::size_t bytes = byte < 0x80 ? 0 : wide_character(text.substr(i)); bytes > 0) {
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

std::string escaped_name(std::string_view name) { return escape(name, " \"\\"); }

std::string padded(std::string text, std::size_t columns) {
  const auto width = text.size() - static_cast<std::size_t>(std::ranges::count_if(text, continues));
  if (width < columns) text.append(columns - width, ' ');
  return text;
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
