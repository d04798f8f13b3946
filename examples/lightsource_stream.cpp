// SPDX-License-Identifier: Apache-2.0
//
// The stream of a light source, end to end. Frames arrive of which only a part counts: a region of interest
// that moves, or some clusters of pixels. That part goes to sparse datasets (time, y, x), every n-th frame is
// kept in full beside them. Then the file is opened again, all is compared with what was sent, some frames
// are erased, and what is left is compared once more. See --help.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <filigree/filigree.hpp>

#include "lightsource/frames.hpp"
#include "lightsource/options.hpp"
#include "lightsource/parallel.hpp"
#include "lightsource/picture.hpp"
#include "lightsource/report.hpp"

namespace {

using namespace lightsource;
using filigree::Dataset;
using filigree::File;
using filigree::Group;
using filigree::Selection;
using Pixels = std::vector<std::uint16_t>;

/// Frames that are held in memory.
std::uint64_t batch_of(const Options& options) {
  return std::clamp<std::uint64_t>((std::uint64_t{64} << 20) / (options.side * options.side), 1, 256);
}

std::vector<filigree::FilterChoice> value_filters(const Options& options) {
  using namespace filigree::filters;
  if (options.filter == "deflate") return {shuffle(), deflate(1)};
  return {bitshuffle_lz4()};
}

filigree::Dataspace growing(const Options& options) {
  return filigree::Dataspace::simple({0, options.side, options.side},
                                     {filigree::unlimited, options.side, options.side});
}

std::uint64_t append(filigree::FrameAppender& appender, const Frame& frame) {
  if (frame.count[0] > 0)
    return appender.append_region<std::uint16_t>({frame.start[0], frame.start[1]},
                                                 {frame.count[0], frame.count[1]}, frame.values);
  return appender.append_offsets<std::uint16_t>(frame.offsets, frame.values);
}

/// Everything that counts, as it arrives. Threads overtake each other: the dataset "number" says which frame
/// is stored where.
Result write_frames(File& file, Group& group, const Stream& stream, const Options& options) {
  const std::uint64_t batch = batch_of(options), before = file.info().file_bytes;
  Result result{.name = std::string(name(stream.kind())),
                .frames = options.frames,
                .dense_bytes = 2 * options.frames * options.side * options.side};
  const std::uint64_t tile = options.tile();
  filigree::FrameAppender appender(
      group.create_dataset<std::uint16_t>("frames", growing(options),
                                          filigree::sparse_chunks({1, tile, tile})
                                              .values(value_filters(options))
                                              .selection({filigree::filters::packed_selection()})));
  std::vector<std::uint64_t> numbers(options.frames);
  Progress progress("writing " + result.name, options.frames);
  Clock clock;  // does not run while frames are made
  for (std::uint64_t first = 0; first < options.frames; first += batch) {
    std::vector<Frame> frames(std::min(batch, options.frames - first));
    in_parallel(frames.size(), options.threads,
                [&](std::uint64_t i) { frames[i] = stream.frame(first + i); });
    clock.run([&] {
      in_parallel(frames.size(), options.threads,
                  [&](std::uint64_t i) { numbers[append(appender, frames[i])] = frames[i].number; });
    });
    progress.show(first + frames.size());
  }
  clock.run([&] {
    appender.close();
    group.write_dataset("number", numbers);
    file.flush();
  });
  result.written = clock.seconds();
  result.bytes = file.info().file_bytes - before;
  return result;
}

/// Every n-th frame as the detector saw it, in ordinary chunks.
Result write_full_frames(File& file, Group& group, const Stream& stream, const Options& options) {
  const std::uint64_t count = (options.frames + options.every - 1) / options.every;
  const std::uint64_t pixels = options.side * options.side, before = file.info().file_bytes;
  Result result{
      .name = "  in full", .frames = count, .dense_bytes = 2 * count * pixels, .defined = count * pixels};
  filigree::DatasetOptions dense;
  dense.chunk = {1, options.tile(), options.tile()};
  dense.filters = value_filters(options);
  filigree::Appender<std::uint16_t> appender(
      group.create_dataset<std::uint16_t>("full", growing(options), dense));
  Progress progress("writing full frames", count);
  Clock clock;
  for (std::uint64_t i = 0; i < count; ++i) {
    const Pixels image = stream.full(stream.frame(i * options.every));
    clock.run([&] { appender.append(image); });
    progress.show(i + 1);
  }
  clock.run([&] {
    appender.close();
    file.flush();
  });
  group.open_dataset("full").set_attribute("every", options.every);
  result.written = clock.seconds();
  result.bytes = file.info().file_bytes - before;
  return result;
}

Selection frame_box(std::uint64_t row, std::uint64_t side) {
  return Selection::box({row, 0, 0}, {1, side, side});
}

[[noreturn]] void differs(const std::string& what, std::uint64_t row) {
  throw std::runtime_error(what + ", frame at " + std::to_string(row) + ": not what was sent");
}

/// The frame as a reader gets it that does not ask which pixels are defined.
void verify_dense(const Dataset& data, std::uint64_t row, const Stream& stream, const Frame& sent) {
  Pixels expected;
  stream.zero_filled(sent, expected);
  if (data.read<Pixels>(frame_box(row, stream.side())) != expected) differs(data.path() + " read dense", row);
}

/// Every frame has come once, in whatever order.
void verify_numbers(std::vector<std::uint64_t> numbers, const Options& options) {
  std::ranges::sort(numbers);
  for (std::uint64_t i = 0; i < options.frames; ++i)
    if (numbers.size() != options.frames || numbers[i] != i) differs("numbers of frames", i);
}

/// Reads every frame: which pixels are defined, and their values. Compares both with the stream made once
/// more.
void verify(const Group& group, const Stream& stream, const Options& options,
            const std::set<std::uint64_t>& erased, Result& result) {
  const Dataset data = group.open_dataset("frames");
  const auto numbers = group.read_dataset<std::vector<std::uint64_t>>("number");
  const std::uint64_t side = stream.side(), batch = batch_of(options);
  verify_numbers(numbers, options);
  if (data.space().dims() != std::vector<std::uint64_t>{options.frames, side, side}) differs(result.name, 0);
  Progress progress("verifying " + result.name, options.frames);
  Clock clock;
  std::atomic<std::uint64_t> defined{0};
  for (std::uint64_t first = 0; first < options.frames; first += batch) {
    std::vector<filigree::DefinedValues<std::uint16_t>> found(std::min(batch, options.frames - first));
    clock.run([&] {
      in_parallel(found.size(), options.threads, [&](std::uint64_t i) {
        found[i] = filigree::read_defined<std::uint16_t>(data, frame_box(first + i, side));
      });
    });
    in_parallel(found.size(), options.threads, [&](std::uint64_t i) {
      const std::uint64_t row = first + i;
      const Frame sent = erased.contains(row) ? Frame{} : stream.frame(numbers.at(row));
      std::vector<std::uint64_t> pixels = stream.pixels(sent);
      for (std::uint64_t& pixel : pixels) pixel += row * side * side;
      if (found[i].elements.offsets() != pixels || found[i].values != sent.values) differs(result.name, row);
      if (i == 0 || erased.contains(row)) verify_dense(data, row, stream, sent);
      defined += pixels.size();
    });
    progress.show(first + found.size());
  }
  if (filigree::defined_count(data) != defined) differs(result.name, 0);
  result.defined = defined;
  result.read = clock.seconds();
}

void verify_full_frames(const Group& group, const Stream& stream, Result& result) {
  const Dataset data = group.open_dataset("full");
  const auto every = data.get_attribute<std::uint64_t>("every");
  Progress progress("verifying full frames", result.frames);
  Clock clock;
  for (std::uint64_t i = 0; i < result.frames; ++i) {
    Pixels image;
    clock.run([&] { image = data.read<Pixels>(frame_box(i, stream.side())); });
    if (image != stream.full(stream.frame(i * every))) differs("full frames of " + group.path(), i);
    progress.show(i + 1);
  }
  result.read = clock.seconds();
}

/// The photons of a frame on a logarithmic colour scale.
constexpr double most_photons = 2000;
float brightness(double photons) {
  return static_cast<float>(std::log1p(photons) / std::log1p(most_photons));
}

/// Chunks that exist are never black: the fewest bytes have this colour, the most `most_colour`.
constexpr float least_colour = 0.15f, most_colour = 0.85f;

/// A frame, what is defined of it, and how many bytes its chunks take: from the file, as panels of a figure.
std::vector<Panel> paint(const Group& group, const Options& options) {
  constexpr std::uint32_t edge = 256;
  const auto numbers = group.read_dataset<std::vector<std::uint64_t>>("number");
  const std::uint64_t side = options.side;
  const std::uint64_t shown = options.frames / 2 / options.every;  // of those that are kept in full
  const auto row =
      static_cast<std::uint64_t>(std::ranges::find(numbers, shown * options.every) - numbers.begin());
  const Dataset data = group.open_dataset("frames");

  const Pixels image = group.open_dataset("full").read<Pixels>(frame_box(shown, side));
  std::vector<float> light, mask(side * side), occupied(16);
  for (const double photons : image) light.push_back(brightness(photons));
  for (const std::uint64_t offset : data.defined(frame_box(row, side)).offsets())
    mask[offset % (side * side)] = 1;
  std::uint64_t most = 1;
  data.for_each_chunk([&](const auto& chunk) { return most = std::max(most, chunk.stored_bytes), true; },
                      frame_box(row, side));
  data.for_each_chunk(
      [&](const filigree::ChunkInfo& chunk) {
        const auto share = static_cast<float>(chunk.stored_bytes) / static_cast<float>(most);
        occupied[chunk.offset[1] / options.tile() * 4 + chunk.offset[2] / options.tile()] =
            least_colour + (most_colour - least_colour) * share;
        return true;
      },
      frame_box(row, side));
  const std::string kind = group.path().substr(1);
  std::vector<Panel> panels{
      {heat_map(light, edge),
       kind + ": recorded frame",
       "photons",
       {{0, "0"}, {brightness(10), "10"}, {brightness(100), "100"}, {brightness(1000), "1000"}},
       side},
      {heat_map(mask, edge), kind + ": defined pixels", "", {{0, "no"}, {1, "yes"}}, side},
      {heat_map(occupied, edge),
       kind + ": bytes per chunk",
       "bytes",
       {{0, "none"}, {least_colour, "0"}, {most_colour, std::to_string(most)}},
       side}};
  write_png(options.folder / (kind + "-frame.png"), heat_map(light, static_cast<std::uint32_t>(side)));
  write_png(options.folder / (kind + "-defined.png"), heat_map(mask, static_cast<std::uint32_t>(side)));
  write_png(options.folder / (kind + "-chunks.png"), panels[2].map);
  return panels;
}

/// For every kind, the frames that count and those in full, in this order.
std::vector<Result> write_all(const std::string& path, const Options& options) {
  std::vector<Result> results;
  File file = File::create(path, filigree::CreateMode::truncate);
  for (const Kind kind : options.kinds()) {
    const Stream stream(kind, options.side, options.seed);
    Group group = file.root().create_group(name(kind));
    results.push_back(write_frames(file, group, stream, options));
    results.push_back(write_full_frames(file, group, stream, options));
  }
  file.close();
  return results;
}

void verify_all(const File& file, const Options& options, const std::set<std::uint64_t>& erased,
                std::vector<Result>& results) {
  auto result = results.begin();
  for (const Kind kind : options.kinds()) {
    const Stream stream(kind, options.side, options.expected_seed);
    const Group group = file.root().open_group(name(kind));
    verify(group, stream, options, erased, *result++);
    verify_full_frames(group, stream, *result++);
  }
}

void run(const Options& options) {
  std::filesystem::create_directories(options.folder);
  const std::string path = (options.folder / "lightsource.h5").string();
  std::vector<Result> results = write_all(path, options);

  File file = File::open(path, filigree::OpenMode::read_write);
  verify_all(file, options, {}, results);
  print_results(results, run_reference(options), options);

  std::vector<std::vector<Panel>> panels;
  for (const Kind kind : options.kinds())
    panels.push_back(paint(file.root().open_group(name(kind)), options));
  write_png(options.folder / "lightsource.png", figure(panels));

  const std::set<std::uint64_t> erased{0, options.frames / 3, options.frames - 1};
  for (const Kind kind : options.kinds())
    for (const std::uint64_t row : erased)
      file.root().open_group(name(kind)).open_dataset("frames").erase(frame_box(row, options.side));
  file.close();
  verify_all(File::open(path), options, erased, results);

  std::printf(
      "\nVerified: offsets and values of all pixels, and again after %zu frames of each kind were "
      "erased.\n"
      "Pictures (lightsource.png: recorded frame, defined pixels, bytes per chunk) and files are in "
      "%s\n",
      erased.size(), std::filesystem::absolute(options.folder).c_str());
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse_options(
      argc, argv, "A light source sends frames of which only a part counts, and Filigree stores that part.");
  try {
    run(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "lightsource_stream: %s\n", error.what());
    return 1;
  }
}
