// SPDX-License-Identifier: Apache-2.0
#include "coordinate_lines.hpp"

#include <string>

namespace filigree::tools {

void CoordinateLines::begin(std::string_view label) {
  const std::string start = out_.indent() + std::string(label);
  out_.put("\n" + start);
  used_ = start.size();
  is_first_ = true;
}

void CoordinateLines::add(std::string_view item, bool is_last) {
  constexpr std::size_t margin = 3;  // as h5dump
  const std::size_t bytes = item.size() + (is_last ? 0 : 1);
  std::string text;
  if (is_first_) {
    is_first_ = false;
  } else if (used_ + 1 + bytes + margin > columns_) {
    text = "\n" + out_.indent() + " ";
    used_ = text.size() - 1;
  } else {
    text = " ";
    ++used_;
  }
  text += item;
  if (!is_last) text += ',';
  used_ += bytes;
  out_.put(text);
}

}  // namespace filigree::tools
