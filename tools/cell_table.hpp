// SPDX-License-Identifier: Apache-2.0
//
// Tables of values, of which long ones show head and tail.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace filigree::tools {

/// Ordinals of the items of a long list that are shown: its head and its tail.
struct Excerpt {
  std::uint64_t head = 0, tail_from = 0, end = 0;

  /// Shows at most `most` of `count` items; 0: all.
  Excerpt(std::uint64_t count, std::uint64_t most);
  bool is_cut() const { return tail_from > head; }
  std::uint64_t left_out() const { return tail_from - head; }
  std::vector<std::uint64_t> items() const;
};

/// Texts in rows and columns. The labels may be empty.
struct CellTable {
  std::vector<std::string> cells;  ///< row by row
  std::vector<std::string> rows, columns;
  Excerpt down, across;  ///< which rows and columns these are
};
/// Prints the table, with dots where rows or columns are left out.
void print_cells(const CellTable& table);

/// Returns a field of a CSV file.
std::string csv_field(const std::string& text);

}  // namespace filigree::tools
