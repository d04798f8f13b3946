// SPDX-License-Identifier: Apache-2.0
#include "picture.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <png.h>

#include "lettering.hpp"

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

namespace {

// Pixels around a map: the title above, y axis at the left, x axis below, colour scale at the right.
constexpr std::uint32_t above = 30, left = 82, below_map = 56, gap = 12, bar = 14, right = 92;

void fill(Picture& picture, std::uint32_t x, std::uint32_t y, std::uint32_t wide, std::uint32_t high,
          Colour colour) {
  for (std::uint32_t v = y; v < y + high; ++v)
    std::fill_n(picture.pixels.begin() + std::size_t{v} * picture.width + x, wide, colour);
}

void copy(Picture& to, const Picture& from, std::uint32_t x, std::uint32_t y) {
  for (std::uint32_t v = 0; v < from.height; ++v)
    std::copy_n(from.pixels.begin() + std::size_t{v} * from.width, from.width,
                to.pixels.begin() + std::size_t{y + v} * to.width + x);
}

/// Ticks at both ends and in the middle of each edge, in detector pixels; (x, y) is the corner of the map.
void draw_axes(Picture& picture, const Panel& panel, std::uint32_t x, std::uint32_t y) {
  const std::uint32_t edge = panel.map.width, bottom = y + edge;
  for (std::uint32_t half = 0; half <= 2; ++half) {
    const std::string label = std::to_string(panel.pixels * half / 2);
    const std::uint32_t at = edge * half / 2, length = text_length(label);
    fill(picture, x + std::min(at, edge - 1), bottom, 1, 5, {});
    draw_text(picture, x + at - length / 2, bottom + 9, label);
    fill(picture, x - 5, y + std::min(at, edge - 1), 5, 1, {});
    draw_text(picture, x - 9 - length, y + at - letter_height / 2, label);
  }
  const std::string across = "x (pixels)", down = "y (pixels)";
  draw_text(picture, x + (edge - text_length(across)) / 2, bottom + 31, across);
  draw_text_upwards(picture, x - left + 2, y + (edge - text_length(down)) / 2, down);
}

void draw_scale(Picture& picture, const Panel& panel, std::uint32_t x, std::uint32_t y) {
  const std::uint32_t edge = panel.map.height;
  for (std::uint32_t v = 0; v < edge; ++v)
    fill(picture, x, y + v, bar, 1, heat(1 - static_cast<double>(v) / edge));
  for (const Tick& tick : panel.ticks) {
    const auto at = static_cast<std::uint32_t>(std::lround((1 - tick.value) * (edge - 1)));
    fill(picture, x + bar, y + at, 5, 1, {});
    draw_text(picture, x + bar + 8, y + at - letter_height / 2, tick.label);
  }
  draw_text(picture, x, y + edge + 31, panel.unit);
}

}  // namespace

Picture figure(const std::vector<std::vector<Panel>>& rows) {
  const std::uint32_t edge = rows.at(0).at(0).map.width;
  const std::uint32_t wide = left + edge + gap + bar + right, high = above + edge + below_map;
  Picture whole(wide * static_cast<std::uint32_t>(rows[0].size()),
                high * static_cast<std::uint32_t>(rows.size()), {255, 255, 255});
  for (std::uint32_t r = 0; r < rows.size(); ++r) {
    for (std::uint32_t c = 0; c < rows[r].size(); ++c) {
      const std::uint32_t x = c * wide + left, y = r * high + above;
      copy(whole, rows[r][c].map, x, y);
      draw_text(whole, x, y - 22, rows[r][c].title);
      draw_axes(whole, rows[r][c], x, y);
      draw_scale(whole, rows[r][c], x + edge + gap, y);
    }
  }
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
