// SPDX-License-Identifier: Apache-2.0
#include "picture.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <png.h>

namespace lightsource {

Colour heat(double value) {
  constexpr std::array<Colour, 6> stops{
      {{0, 0, 4}, {66, 10, 104}, {147, 38, 103}, {221, 81, 58}, {252, 165, 10}, {252, 255, 164}}};
  constexpr double shades = 24;
  const double at = std::round(std::clamp(value, 0.0, 1.0) * shades) / shades * (stops.size() - 1);
  const std::size_t below = std::min<std::size_t>(static_cast<std::size_t>(at), stops.size() - 2);
  const double part = at - static_cast<double>(below);
  Colour colour;
  for (std::size_t i = 0; i < 3; ++i)
    colour[i] = static_cast<std::uint8_t>(stops[below][i] * (1 - part) + stops[below + 1][i] * part);
  return colour;
}

Picture heat_map(const std::vector<float>& values, std::uint32_t edge) {
  const auto side = static_cast<std::uint64_t>(std::lround(std::sqrt(static_cast<double>(values.size()))));
  Picture picture(edge, edge);
  for (std::uint64_t y = 0; y < edge; ++y) {
    for (std::uint64_t x = 0; x < edge; ++x) {
      float most = 0;
      for (std::uint64_t v = y * side / edge; v < std::max(y * side / edge + 1, (y + 1) * side / edge); ++v)
        for (std::uint64_t u = x * side / edge; u < std::max(x * side / edge + 1, (x + 1) * side / edge); ++u)
          most = std::max(most, values[v * side + u]);
      picture.pixels[y * edge + x] = heat(most);
    }
  }
  return picture;
}

Picture arranged(const std::vector<std::vector<Picture>>& rows) {
  constexpr std::uint32_t gap = 8;
  const Picture& first = rows.at(0).at(0);
  const auto across = static_cast<std::uint32_t>(rows[0].size()),
             down = static_cast<std::uint32_t>(rows.size());
  Picture whole(across * (first.width + gap) - gap, down * (first.height + gap) - gap, {255, 255, 255});
  for (std::uint32_t r = 0; r < down; ++r)
    for (std::uint32_t c = 0; c < across; ++c)
      for (std::uint32_t y = 0; y < first.height; ++y)
        std::copy_n(
            rows[r][c].pixels.begin() + y * first.width, first.width,
            whole.pixels.begin() + (r * (first.height + gap) + y) * whole.width + c * (first.width + gap));
  return whole;
}

void write_png(const std::filesystem::path& path, const Picture& picture) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = picture.width;
  image.height = picture.height;
  image.format = PNG_FORMAT_RGB;
  if (png_image_write_to_file(&image, path.c_str(), 0, picture.pixels.data(), 0, nullptr) == 0)
    throw std::runtime_error("cannot write '" + path.string() + "': " + image.message);
}

}  // namespace lightsource
