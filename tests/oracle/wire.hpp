// SPDX-License-Identifier: Apache-2.0
//
// Text between the oracle scripts and their programs: fields are percent-encoded, so that names and values
// may contain any byte.
#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace oracle {

inline bool stands_for_itself(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return letter || std::string_view("_.-~/").find(c) != std::string_view::npos;
}

inline void append_hex(std::string& out, unsigned char byte) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  out += digits[byte >> 4];
  out += digits[byte & 15];
}

inline std::string quote(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (stands_for_itself(c)) {
      out += c;
    } else {
      out += '%';
      append_hex(out, static_cast<unsigned char>(c));
    }
  }
  return out;
}

inline std::string unquote(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    if (i + 2 >= text.size()) throw std::runtime_error("a percent sign wants two digits");
    out += static_cast<char>(std::stoi(std::string(text.substr(i + 1, 2)), nullptr, 16));
    i += 2;
  }
  return out;
}

inline std::string hex(std::span<const std::byte> bytes) {
  std::string out;
  out.reserve(bytes.size() * 2);
  for (const std::byte b : bytes) append_hex(out, std::to_integer<unsigned char>(b));
  return out;
}

inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> out;
  for (;;) {
    const std::size_t at = text.find(separator);
    out.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return out;
    text.remove_prefix(at + 1);
  }
}

}  // namespace oracle
