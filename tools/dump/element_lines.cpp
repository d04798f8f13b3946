// SPDX-License-Identifier: Apache-2.0
#include "element_lines.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace filigree::tools {

namespace {

/// h5dump keeps so many columns at the end of a line free.
constexpr std::size_t margin = 3;

}  // namespace

bool ElementLines::needs_line(std::size_t bytes) const {
  if (in_row_ == 0 || style_.one_per_line) return true;
  // There is a space in front of an element, and a quote behind characters.
  return used_ + 1 + bytes + margin > style_.columns;
}

void ElementLines::start_line(std::span<const std::uint64_t> coordinates) {
  std::string prefix = out_.indent(has_prefix() ? 0 : 1);
  if (style_.is_characters) {
    if (count_ > 0) pending_ += '"';
    prefix += '"';
  } else if (has_prefix()) {
    if (coordinates.empty())
      prefix += "(0): ";
    else
      fmt::format_to(std::back_inserter(prefix), "({}): ", fmt::join(coordinates, ","));
  }
  pending_ += '\n';
  pending_ += prefix;
  used_ = prefix.size();
  // As h5dump, which counts the indentation of a line without coordinates by one level less.
  if (style_.without_indices && !style_.is_region && !style_.is_characters) used_ -= 3;
}

void ElementLines::add(std::string_view text, std::span<const std::uint64_t> coordinates) {
  const bool is_last = count_ + 1 == total_;
  const std::size_t bytes = text.size() + (is_last || style_.is_characters ? 0 : 1);
  if (needs_line(bytes)) {
    start_line(coordinates);
  } else if (!style_.is_characters) {
    pending_ += ' ';
    ++used_;
  }
  pending_ += text;
  if (!is_last && !style_.is_characters) pending_ += ',';
  used_ += bytes;
  ++count_;
  if (++in_row_ == row_) in_row_ = 0;
  constexpr std::size_t most_pending = std::size_t{1} << 16;
  if (pending_.size() >= most_pending) flush();
}

void ElementLines::finish() {
  if (style_.is_characters && count_ > 0) pending_ += '"';
  flush();
}

void ElementLines::flush() {
  out_.put_data(pending_);
  pending_.clear();
}

}  // namespace filigree::tools
