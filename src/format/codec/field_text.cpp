// SPDX-License-Identifier: Apache-2.0
#include "format/codec/field_text.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace filigree::format {

std::string word_text(std::uint64_t v, unsigned width) {
  if (width > 1 && v == widest_word(width)) return "all ones";
  return v < 10 ? fmt::format("{}", v) : fmt::format("{} ({:#x})", v, v);
}

std::string words_text(std::span<const std::uint64_t> list, unsigned width) {
  constexpr std::size_t shown = 8;
  return fmt::format("{} of {} bytes: {}{}", list.size(), width,
                     fmt::join(list.first(std::min(list.size(), shown)), ", "),
                     list.size() > shown ? ", ..." : "");
}

std::string quoted_text(std::string_view text) {
  return fmt::format("\"{}\"", text.substr(0, text.find('\0')));
}

std::string blob_text(Bytes bytes) {
  std::string hex;
  for (const std::byte b : bytes.first(std::min<std::size_t>(bytes.size(), 16)))
    fmt::format_to(std::back_inserter(hex), "{:02x}", std::to_integer<unsigned>(b));
  return fmt::format("{} bytes {}{}", bytes.size(), hex, bytes.size() > 16 ? "..." : "");
}

}  // namespace filigree::format
