// SPDX-License-Identifier: Apache-2.0
//
// Pictures of numbers: a raster of values, colours for them, and where the picture goes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "terminal.hpp"

namespace filigree::tools {

/// How the elements that fall on one pixel become one value.
enum class Reduction : std::uint8_t { mean, largest };

/// A picture of a table of elements, each of whose pixels stands for one element or several.
class Raster {
 public:
  /// Requires: neither number is 0, and there are not more pixels than elements in either direction.
  Raster(std::uint64_t rows, std::uint64_t columns, std::uint32_t height, std::uint32_t width,
         Reduction reduction);

  /// Adds the value of an element.
  void add(std::uint64_t row, std::uint64_t column, double value);

  std::uint64_t rows() const { return rows_; }        ///< of elements
  std::uint64_t columns() const { return columns_; }  ///< of elements
  std::uint32_t width() const { return width_; }
  std::uint32_t height() const { return height_; }
  /// Returns the value of a pixel; empty if it has no element.
  std::optional<double> at(std::uint32_t y, std::uint32_t x) const;
  /// The least and the largest finite value; empty if there is none.
  std::optional<std::array<double, 2>> limits() const;

 private:
  std::uint64_t rows_, columns_;
  std::uint32_t height_, width_;
  Reduction reduction_;
  std::vector<double> values_;
  std::vector<std::uint32_t> counts_;
};

/// The names of the colour maps.
std::vector<std::string> color_maps();

/// Maps values to colours.
struct ColorScale {
  std::string map;
  double low = 0, high = 1;
  bool logarithmic = false;

  /// Returns the place of a value from 0 to 1. NaN, and 0 and less on a logarithmic scale, have none.
  std::optional<double> place(double value) const;
  std::array<std::uint8_t, 3> color(double place) const;
};

/// Writes a PNG in which each pixel of the raster is a square of `enlargement` pixels. Pixels without
/// elements are transparent, and values without a place grey. Throws: Error(io).
void write_png(const Raster& raster, const ColorScale& scale, std::uint32_t enlargement,
               const std::string& path);

/// Returns the picture as lines for a terminal: two rows of pixels a line in coloured half blocks, or one in
/// characters from ' ' to '@' if there are no colours.
std::string terminal_text(const Raster& raster, const ColorScale& scale, const Style& style);

}  // namespace filigree::tools
