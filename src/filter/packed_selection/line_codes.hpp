// SPDX-License-Identifier: Apache-2.0
//
// The line encoding, for sets whose density differs from row to row or from column to column, such as counts
// of genes in cells. It stores the number of elements of every line, and gaps whose codes follow from it.
// docs/format/packed-selection.md specifies the layout.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "filter/packed_selection/bitmap.hpp"
#include "filter/packed_selection/box_set.hpp"
#include "filter/packed_selection/rice.hpp"

namespace filigree::filter {

/// An extent as a matrix, and the direction of its lines.
struct LineShape {
  /// A reader needs a bitmap of the extent, and a number for each line.
  static constexpr std::uint64_t most_elements = std::uint64_t{1} << 26, most_lines = std::uint64_t{1} << 20;

  std::uint64_t rows = 0, columns = 0;
  bool along_columns = false;  ///< a line is a column, not a row

  std::uint64_t lines() const { return along_columns ? columns : rows; }
  /// The number of elements of a line.
  std::uint64_t length() const { return along_columns ? rows : columns; }
  /// Whether the file format permits the shape for an extent of `end` elements.
  bool is_possible(std::uint64_t end) const {
    return columns != 0 && end % columns == 0 && end <= most_elements && lines() <= most_lines;
  }
};

/// A set as lines, before it is written.
struct LinePlan {
  LineShape shape = {};
  std::vector<std::uint32_t> counts = {};     ///< the elements of each line
  std::vector<std::uint32_t> positions = {};  ///< of the elements in their lines, line by line
  Buffer packed_counts = {};
  std::uint64_t bits = 0;  ///< size of counts and gaps
};

/// About the bits of a set as lines; the largest number if it is not suitable. `row` is the last dimension
/// and `end` the number of elements of the extent. The same for edges and for points.
std::uint64_t about_line_bits(WordSpan edges, std::uint64_t elements, std::uint64_t end, std::uint64_t row);
std::uint64_t about_line_bits(std::span<const std::uint32_t> points, std::uint64_t end, std::uint64_t row);

struct LineLimits {
  std::uint64_t elements = 0;  ///< of the set
  std::uint64_t bits = 0;      ///< of another encoding
};
/// Divides a set into lines. Returns nothing if this seems to take `limits.bits` or more.
std::optional<LinePlan> plan_lines(WordSpan edges, std::uint64_t end, std::uint64_t row,
                                   const LineLimits& limits);

/// Decodes lines with `count` elements to a bitmap. *Throws* Error for invalid data.
Bitmap read_lines(VarintReader& in, std::uint64_t count, std::uint64_t end);
void write_lines(Buffer& to, const LinePlan& plan);

}  // namespace filigree::filter
