// SPDX-License-Identifier: Apache-2.0
#include "testing/hex.hpp"

#include <cctype>
#include <sstream>

#include <fmt/format.h>

#include <filigree/error.hpp>

namespace filigree::testing {

Buffer from_hex(std::string_view text) {
  Buffer out;
  std::string spaced(text);
  for (char& c : spaced) {
    if (c == '|') c = ' ';
  }
  std::istringstream words(spaced);
  for (std::string word; words >> word;) {
    std::size_t repeat = 1;
    if (const auto star = word.find('*'); star != std::string::npos) {
      repeat = std::stoul(word.substr(0, star));
      word = word.substr(star + 1);
    }
    if (word.size() % 2 != 0) throw Error(ErrorKind::invalid_argument, "odd hexadecimal word '" + word + "'");
    for (; repeat > 0; --repeat) {
      for (std::size_t i = 0; i < word.size(); i += 2) {
        out.push_back(static_cast<std::byte>(std::stoul(word.substr(i, 2), nullptr, 16)));
      }
    }
  }
  return out;
}

std::string to_hex(Bytes bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    fmt::format_to(std::back_inserter(text), "{}{:02x}", i > 0 && i % 4 == 0 ? " " : "",
                   std::to_integer<unsigned>(bytes[i]));
  }
  return text;
}

}  // namespace filigree::testing
