// SPDX-License-Identifier: Apache-2.0
//
// Small pictures, stored as PNG.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace lightsource {

using Colour = std::array<std::uint8_t, 3>;

struct Picture {
  std::uint32_t width = 0, height = 0;
  std::vector<Colour> pixels;  ///< by rows
  Picture(std::uint32_t wide, std::uint32_t high, Colour colour = {})
      : width(wide), height(high), pixels(std::size_t{wide} * high, colour) {}
};

/// Black for 0, over violet and orange to pale yellow for 1; few enough shades to be packed well.
Colour heat(double value);

/// A picture of `edge` x `edge` pixels of values from 0 to 1 in a square; where several fall on one pixel,
/// the largest counts.
Picture heat_map(const std::vector<float>& values, std::uint32_t edge);

/// Rows of pictures of one size, with white between them.
Picture arranged(const std::vector<std::vector<Picture>>& rows);

/// Throws std::runtime_error when it cannot be written.
void write_png(const std::filesystem::path& path, const Picture& picture);

}  // namespace lightsource
