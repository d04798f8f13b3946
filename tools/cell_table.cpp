// SPDX-License-Identifier: Apache-2.0
#include "cell_table.hpp"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "text.hpp"

namespace filigree::tools {

Excerpt::Excerpt(std::uint64_t count, std::uint64_t most) : head(count), tail_from(count), end(count) {
  if (most == 0 || count <= most) return;
  head = most - most / 2;
  tail_from = count - most / 2;
}

std::vector<std::uint64_t> Excerpt::items() const {
  std::vector<std::uint64_t> all;
  for (std::uint64_t i = 0; i < end; i = i + 1 == head && is_cut() ? tail_from : i + 1) all.push_back(i);
  return all;
}

namespace {

void put(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

std::vector<std::size_t> column_widths(const CellTable& table) {
  const std::size_t per_row = table.columns.size();
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < per_row; ++c) {
    std::size_t width = table.columns[c].size();
    for (std::size_t r = 0; r < table.rows.size(); ++r)
      width = std::max(width, columns_of(table.cells[r * per_row + c]));
    widths.push_back(width);
  }
  return widths;
}

}  // namespace

void print_cells(const CellTable& table) {
  std::size_t label_width = 0;
  for (const std::string& label : table.rows) label_width = std::max(label_width, label.size());
  const std::size_t per_row = table.columns.size();
  const std::vector<std::size_t> widths = column_widths(table);
  const auto line = [&](const std::string& label, const std::string* cells) {
    std::string text = label_width > 0 ? fmt::format("{:>{}}", label, label_width) : "";
    for (std::size_t c = 0; c < per_row; ++c) {
      if (!text.empty()) text += "  ";
      text += std::string(widths[c] - std::min(widths[c], columns_of(cells[c])), ' ') + cells[c];
      if (table.across.is_cut() && c + 1 == table.across.head) text += "  ...";
    }
    put(text + "\n");
  };
  if (per_row > 1 || (per_row == 1 && !table.columns[0].empty())) line("", table.columns.data());
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    line(table.rows[r], table.cells.data() + r * per_row);
    if (table.down.is_cut() && r + 1 == table.down.head) put(fmt::format("{:>{}}\n", "...", label_width));
  }
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

}  // namespace filigree::tools
