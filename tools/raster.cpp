// SPDX-License-Identifier: Apache-2.0
#include "raster.hpp"

#include <png.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include <fmt/format.h>

#include <filigree/error.hpp>

namespace filigree::tools {

namespace {

using Color = std::array<std::uint8_t, 3>;
constexpr Color without_place{128, 128, 128};

/// Colours at equal distances, between which those of a map are interpolated.
struct ColorMap {
  const char* name;
  std::array<Color, 5> stops;
};
constexpr ColorMap maps[] = {
    {"gray", {{{0, 0, 0}, {64, 64, 64}, {128, 128, 128}, {191, 191, 191}, {255, 255, 255}}}},
    {"heat", {{{0, 0, 0}, {110, 10, 90}, {215, 60, 45}, {250, 165, 25}, {255, 255, 200}}}},
    {"blues", {{{10, 15, 60}, {20, 70, 140}, {35, 130, 175}, {110, 195, 200}, {240, 250, 225}}}},
    {"diverging", {{{35, 60, 160}, {130, 170, 225}, {245, 245, 245}, {235, 150, 120}, {165, 20, 45}}}},
};

const ColorMap& map_of(const std::string& name) {
  const auto* const found =
      std::ranges::find(maps, name, [](const ColorMap& map) { return std::string_view(map.name); });
  return found == std::end(maps) ? maps[0] : *found;
}

}  // namespace

Raster::Raster(std::uint64_t rows, std::uint64_t columns, std::uint32_t height, std::uint32_t width,
               Reduction reduction)
    : rows_(rows),
      columns_(columns),
      height_(height),
      width_(width),
      reduction_(reduction),
      values_(std::size_t{height} * width),
      counts_(values_.size()) {}

void Raster::add(std::uint64_t row, std::uint64_t column, double value) {
  // A dimension has less than 2^64 elements, and a raster few pixels: the products need 128 bits.
  __extension__ using Wide = unsigned __int128;
  const auto y = static_cast<std::size_t>(Wide{row} * height_ / rows_);
  const auto x = static_cast<std::size_t>(Wide{column} * width_ / columns_);
  const std::size_t pixel = y * width_ + x;
  const bool is_first = counts_[pixel] == 0;
  if (counts_[pixel] != std::numeric_limits<std::uint32_t>::max()) ++counts_[pixel];
  if (reduction_ == Reduction::mean)
    values_[pixel] += (value - values_[pixel]) / counts_[pixel];
  else if (is_first || value > values_[pixel] || std::isnan(values_[pixel]))
    values_[pixel] = value;
}

std::optional<double> Raster::at(std::uint32_t y, std::uint32_t x) const {
  const std::size_t pixel = std::size_t{y} * width_ + x;
  if (counts_[pixel] == 0) return std::nullopt;
  return values_[pixel];
}

std::optional<std::array<double, 2>> Raster::limits() const {
  std::optional<std::array<double, 2>> found;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (counts_[i] == 0 || !std::isfinite(values_[i])) continue;
    if (!found) found = {values_[i], values_[i]};
    (*found)[0] = std::min((*found)[0], values_[i]);
    (*found)[1] = std::max((*found)[1], values_[i]);
  }
  return found;
}

std::vector<std::string> color_maps() {
  std::vector<std::string> names;
  for (const ColorMap& map : maps) names.emplace_back(map.name);
  return names;
}

std::optional<double> ColorScale::place(double value) const {
  if (std::isnan(value) || (logarithmic && value <= 0)) return std::nullopt;
  if (value <= low) return 0.0;
  if (value >= high) return 1.0;
  if (logarithmic) return (std::log(value) - std::log(low)) / (std::log(high) - std::log(low));
  // The difference of two finite numbers may be infinite.
  return (value / 2 - low / 2) / (high / 2 - low / 2);
}

std::array<std::uint8_t, 3> ColorScale::color(double at) const {
  const auto& stops = map_of(map).stops;
  const double position = std::clamp(at, 0.0, 1.0) * static_cast<double>(stops.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(position), stops.size() - 2);
  const double share = position - static_cast<double>(below);
  Color mixed{};
  for (std::size_t i = 0; i < mixed.size(); ++i)
    mixed[i] =
        static_cast<std::uint8_t>(std::lround(stops[below][i] * (1 - share) + stops[below + 1][i] * share));
  return mixed;
}

void write_png(const Raster& raster, const ColorScale& scale, std::uint32_t enlargement,
               const std::string& path) {
  const std::size_t wide = std::size_t{raster.width()} * enlargement;
  const std::size_t high = std::size_t{raster.height()} * enlargement;
  std::vector<std::array<std::uint8_t, 4>> pixels(wide * high);
  for (std::size_t y = 0; y < high; ++y) {
    for (std::size_t x = 0; x < wide; ++x) {
      const auto value =
          raster.at(static_cast<std::uint32_t>(y / enlargement), static_cast<std::uint32_t>(x / enlargement));
      if (!value) continue;  // transparent
      const auto place = scale.place(*value);
      const Color color = place ? scale.color(*place) : without_place;
      pixels[y * wide + x] = {color[0], color[1], color[2], 255};
    }
  }
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(wide);
  image.height = static_cast<png_uint_32>(high);
  image.format = PNG_FORMAT_RGBA;
  if (png_image_write_to_file(&image, path.c_str(), 0, pixels.data(), 0, nullptr) == 0)
    throw Error(ErrorKind::io, fmt::format("writing '{}': {}", path, image.message));
}

namespace {

/// Colours or characters of one pixel.
class TerminalPixels {
 public:
  TerminalPixels(const Raster& raster, const ColorScale& scale) : raster_(raster), scale_(scale) {}

  char character(std::uint32_t y, std::uint32_t x) const {
    static constexpr std::string_view shades = " .:-=+*#%@";
    const auto value = raster_.at(y, x);
    if (!value) return ' ';
    const auto place = scale_.place(*value);
    return place ? shades[static_cast<std::size_t>(std::lround(*place * (shades.size() - 1)))] : '?';
  }

  /// The upper pixel is the foreground of a half block, and the lower one its background.
  std::string blocks(std::uint32_t y, std::uint32_t x) const {
    const auto upper = color(y, x), lower = color(y + 1, x);
    if (!upper && !lower) return "\033[0m ";
    if (!upper) return fmt::format("\033[0;38;2;{}m\u2584", *lower);
    if (!lower) return fmt::format("\033[0;38;2;{}m\u2580", *upper);
    return fmt::format("\033[38;2;{};48;2;{}m\u2580", *upper, *lower);
  }

 private:
  std::optional<std::string> color(std::uint32_t y, std::uint32_t x) const {
    const auto value = y < raster_.height() ? raster_.at(y, x) : std::nullopt;
    if (!value) return std::nullopt;
    const auto place = scale_.place(*value);
    const Color c = place ? scale_.color(*place) : without_place;
    return fmt::format("{};{};{}", c[0], c[1], c[2]);
  }

  const Raster& raster_;
  const ColorScale& scale_;
};

}  // namespace

std::string terminal_text(const Raster& raster, const ColorScale& scale, const Style& style) {
  const bool blocks = style.colors && !style.ascii;
  const TerminalPixels pixels(raster, scale);
  std::string text;
  for (std::uint32_t y = 0; y < raster.height(); y += blocks ? 2 : 1) {
    for (std::uint32_t x = 0; x < raster.width(); ++x)
      blocks ? void(text += pixels.blocks(y, x)) : text.push_back(pixels.character(y, x));
    text += blocks ? "\033[0m\n" : "\n";
  }
  return text;
}

}  // namespace filigree::tools
