// SPDX-License-Identifier: Apache-2.0
//
// Elements of an array on lines of a given width, each with the coordinates of its first element.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "ddl_output.hpp"

namespace filigree::tools {

/// The form of the lines.
struct LineStyle {
  std::size_t columns = 80;
  bool without_indices = false;
  bool one_per_line = false;
  bool is_region = false;      ///< elements that a region reference leads to
  bool is_characters = false;  ///< elements are characters, and lines strings
};

class ElementLines {
 public:
  /// `total` is the number of all elements.
  ElementLines(const DdlOutput& out, const LineStyle& style, std::uint64_t total)
      : out_(out), style_(style), total_(total) {}

  /// Starts rows of this length: the next line starts with the next element.
  void begin_rows(std::uint64_t row) {
    row_ = row;
    in_row_ = 0;
  }
  /// Adds the text of an element. It may contain line feeds, and counts with its whole length.
  /// Requires: called once for each element, in row-major order.
  void add(std::string_view text, std::span<const std::uint64_t> coordinates);
  /// Writes what was kept of the last line.
  void finish();

 private:
  bool has_prefix() const { return !style_.without_indices && !style_.is_characters; }
  bool needs_line(std::size_t bytes) const;
  void flush();
  void start_line(std::span<const std::uint64_t> coordinates);

  const DdlOutput& out_;
  const LineStyle style_;
  const std::uint64_t total_;
  std::uint64_t row_ = 0, in_row_ = 0;
  std::uint64_t count_ = 0;
  std::size_t used_ = 0;  ///< columns of the current line
  std::string pending_;
};

}  // namespace filigree::tools
