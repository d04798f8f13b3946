// SPDX-License-Identifier: Apache-2.0
//
// Small pictures, stored as PNG, and figures with titles, axes and scales.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace lightsource {

using Colour = std::array<std::uint8_t, 3>;

struct Picture {
  std::uint32_t width = 0, height = 0;
  std::vector<Colour> pixels;  ///< by rows
  Picture(std::uint32_t wide, std::uint32_t high, Colour colour = {})
      : width(wide), height(high), pixels(std::size_t{wide} * high, colour) {}
};

/// A label at a value from 0 to 1 of the colour scale.
struct Tick {
  double value = 0;
  std::string label;
};

/// A map of a square detector, and what a viewer needs to know about it.
struct Panel {
  Picture map;
  std::string title;
  std::string unit;          ///< of the colours
  std::vector<Tick> ticks;   ///< of the colours, ascending
  std::uint64_t pixels = 0;  ///< along each edge of the detector
};

/// Black for 0, over violet and orange to pale yellow for 1; few enough shades to be packed well.
Colour heat(double value);

/// A picture of `edge` x `edge` pixels of values from 0 to 1 in a square; where several fall on one pixel,
/// the largest counts.
Picture heat_map(const std::vector<float>& values, std::uint32_t edge);

/// Rows of panels with maps of one size, each with its title, axes in detector pixels and a colour scale.
/// *Requires* at least one row, and as many panels in every row.
Picture figure(const std::vector<std::vector<Panel>>& rows);

/// Throws std::runtime_error when it cannot be written.
void write_png(const std::filesystem::path& path, const Picture& picture);

}  // namespace lightsource
