// SPDX-License-Identifier: Apache-2.0
//
// `filigree picture`: two dimensions of a dataset as a picture.
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filigree/filigree.hpp>

#include "command.hpp"
#include "output_file.hpp"
#include "picture_source.hpp"
#include "raster.hpp"
#include "target.hpp"
#include "terminal.hpp"
#include "text.hpp"

namespace filigree::tools {
namespace {

struct PictureOptions {
  std::string target, output;
  std::string colors = "heat";
  std::optional<double> low, high;
  std::string reduction;
  std::uint32_t size = 0;
  bool logarithmic = false, defined = false, chunks = false, force = false;
  ColorChoice color = ColorChoice::automatic;
};

constexpr std::uint32_t png_pixels = 2048, most_pixels = 16384, least_png_pixels = 256;

/// The size of the terminal in characters, or that of a common one.
std::array<std::uint32_t, 2> terminal_size() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0)
    return {size.ws_row, size.ws_col};
  return {40, 80};
}

/// The largest height and width that keep the shape of `rows` x `columns` and fit into the given ones. A
/// pixel is `aspect` times as high as wide.
std::array<std::uint32_t, 2> fitted(std::uint64_t rows, std::uint64_t columns, std::uint32_t height,
                                    std::uint32_t width, double aspect) {
  const double scale = std::min({1.0, static_cast<double>(width) / static_cast<double>(columns),
                                 static_cast<double>(height) * aspect / static_cast<double>(rows)});
  const auto pixels = [](double wanted, std::uint64_t most) {
    return static_cast<std::uint32_t>(
        std::clamp(std::floor(wanted), 1.0, static_cast<double>(std::min<std::uint64_t>(most, most_pixels))));
  };
  return {pixels(static_cast<double>(rows) * scale / aspect, rows),
          pixels(static_cast<double>(columns) * scale, columns)};
}

class Picture {
 public:
  Picture(const PictureOptions& options, const OpenTarget& target)
      : options_(options),
        data_(target.object),
        ranges_(slice_of(target, data_.space())),
        style_(make_style(options.color, output_facts())) {}

  void run() {
    const Raster raster = options_.chunks ? paint_chunks() : paint_elements();
    const ColorScale scale = scale_for(raster);
    if (options_.output.empty())
      fmt::print("{}", terminal_text(raster, scale, style_));
    else
      write_file(raster, scale);
    fmt::print("{}{}\n", options_.output.empty() ? "" : printable(options_.output) + ": ",
               legend(raster, scale));
  }

 private:
  Raster paint_elements() const {
    const ElementSource source(data_, ranges_);
    const bool largest = options_.reduction.empty() ? options_.defined || data_.dataset_info().sparse
                                                    : options_.reduction == "max";
    Raster raster = blank(source.rows(), source.columns(), largest ? Reduction::largest : Reduction::mean);
    const Visit add = [&](std::uint64_t row, std::uint64_t column, double value) {
      raster.add(row, column, value);
    };
    options_.defined ? source.visit_defined(add) : source.visit_values(add);
    return raster;
  }

  Raster paint_chunks() const {
    const ChunkSource source(data_, ranges_);
    Raster raster = blank(source.rows(), source.columns(),
                          options_.reduction == "mean" ? Reduction::mean : Reduction::largest);
    source.visit(
        [&](std::uint64_t row, std::uint64_t column, double bytes) { raster.add(row, column, bytes); });
    return raster;
  }

  Raster blank(std::uint64_t rows, std::uint64_t columns, Reduction reduction) const {
    const bool is_file = !options_.output.empty();
    const bool blocks = style_.colors && !style_.ascii;
    const auto [lines, characters] = terminal_size();
    std::uint32_t height = png_pixels, width = png_pixels;
    if (!is_file) {
      height = (std::max(lines, 4u) - 3) * (blocks ? 2 : 1);
      width = characters;
    }
    if (options_.size > 0) height = width = options_.size;
    const auto [y, x] = fitted(rows, columns, height, width, is_file || blocks ? 1 : 2);
    return {rows, columns, y, x, reduction};
  }

  ColorScale scale_for(const Raster& raster) const {
    const auto limits = raster.limits().value_or(std::array{0.0, 1.0});
    ColorScale scale{options_.colors, options_.low.value_or(limits[0]), options_.high.value_or(limits[1]),
                     options_.logarithmic};
    if (options_.defined) scale.low = 0;
    if (scale.logarithmic && scale.low <= 0) scale.low = least_positive(raster, scale.high);
    if (!(scale.low < scale.high)) scale.low = scale.high - 1;  // one colour, the last one
    return scale;
  }

  static double least_positive(const Raster& raster, double high) {
    double least = high;
    for (std::uint32_t y = 0; y < raster.height(); ++y)
      for (std::uint32_t x = 0; x < raster.width(); ++x)
        if (const auto value = raster.at(y, x); value && *value > 0) least = std::min(least, *value);
    return least;
  }

  void write_file(const Raster& raster, const ColorScale& scale) const {
    const std::uint32_t longest = std::max(raster.width(), raster.height());
    const std::uint32_t enlargement = std::max(1u, least_png_pixels / longest);
    OutputFile output(options_.output, options_.force);
    write_png(raster, scale, enlargement, output.temporary_path());
    output.commit();
  }

  std::string legend(const Raster& raster, const ColorScale& scale) const {
    const char* const elements = options_.chunks ? "chunks" : "elements";
    std::string text = fmt::format("{} x {} {}", raster.rows(), raster.columns(), elements);
    if (raster.rows() != raster.height() || raster.columns() != raster.width())
      text += fmt::format(" in {} x {} pixels", raster.height(), raster.width());
    if (options_.defined) return text + ", defined or not";
    const auto limits = raster.limits();
    if (!limits) return text + ", no values";
    const bool is_one = (*limits)[0] == (*limits)[1] && !options_.low && !options_.high;
    text += is_one ? fmt::format(", all {}", scale.high) : fmt::format(", {} to {}", scale.low, scale.high);
    return text + (options_.chunks ? " bytes" : "") + (scale.logarithmic ? ", logarithmic" : "");
  }

  const PictureOptions& options_;
  const Dataset data_;
  const std::vector<SliceRange> ranges_;
  const Style style_;
};

Exit make_picture(const PictureOptions& options) {
  return for_each_target({options.target}, Slices::accepted, [&](const OpenTarget& target) {
    if (target.object.kind() != ObjectKind::dataset) {
      complain(target.argument, "this is no dataset");
      return Exit::usage;
    }
    Picture(options, target).run();
    return Exit::ok;
  });
}

constexpr const char* explanation =
    R"(Shows two dimensions of a dataset: in the terminal, or with -o as a PNG. If there are more elements than
pixels, a pixel has the mean of its elements, or for sparse datasets their maximum, so that single peaks are
seen; --reduce chooses. In a PNG, undefined elements are transparent and NaN is grey.

Examples:
  filigree picture 'frames.h5/run1/frames[7]'
  filigree picture 'frames.h5/run1/frames[7, 400:600, 500:700]' -o peak.png --log
  filigree picture --chunks -o chunks.png matrix.h5/X)";

}  // namespace

void set_up_picture(CLI::App& command, Run& run) {
  static PictureOptions options;
  command.add_option("-o,--output", options.output, "Write a PNG")->type_name("FILE.png");
  command.add_option("--colors", options.colors, "The colour map (heat)")
      ->check(CLI::IsMember(color_maps()))
      ->type_name("MAP");
  command.add_option("--min", options.low, "The value of the first colour (the least one)")
      ->type_name("VALUE");
  command.add_option("--max", options.high, "The value of the last colour (the largest one)")
      ->type_name("VALUE");
  command.add_flag("--log", options.logarithmic, "Colours by the logarithm of values");
  command.add_option("--reduce", options.reduction, "Of several elements in a pixel, show their mean or max")
      ->check(CLI::IsMember({"mean", "max"}))
      ->type_name("HOW");
  command.add_option("--size", options.size, "Pixels of the longer side at most (2048, or the terminal's)")
      ->check(CLI::Range(1u, most_pixels))
      ->type_name("N");
  CLI::Option* const defined =
      command.add_flag("--defined", options.defined, "Show which elements are defined instead of values");
  command.add_flag("--chunks", options.chunks, "Show how many bytes each chunk takes")->excludes(defined);
  command.add_flag("-f,--force", options.force, "Replace the PNG if it exists");
  add_color_option(command, options.color);
  command.add_option("TARGET", options.target, "FILE/path[slice]")->required();
  command.footer(explanation);
  command.callback([&run] { run = [] { return make_picture(options); }; });
}

}  // namespace filigree::tools
