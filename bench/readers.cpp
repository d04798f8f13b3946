// SPDX-License-Identifier: Apache-2.0
//
// Threads that read one file: several must never be slower than one. HDF5 serialises all
// threads in the library, and supports only one if it was built without thread safety.
#include <algorithm>
#include <map>
#include <random>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include <filigree/filigree.hpp>

#include "bench.hpp"

namespace bench {
namespace {

constexpr std::uint64_t frames = 64, rows = 512, columns = 1024;
using Pixels = std::vector<std::uint16_t>;

Pixels noise() {
  std::mt19937 random(21);
  Pixels values(frames * rows * columns);
  for (auto& value : values) value = static_cast<std::uint16_t>(random() & 63);
  return values;
}

/// Threads with handles of their own read the frames in round-robin order, `passes` times.
double read_all(const filigree::File& file, const Pixels& expected, unsigned threads, unsigned passes) {
  std::vector<int> wrong(threads);
  const auto work = [&](unsigned self) {
    const auto data = file.root().open_dataset("frames");
    Pixels pixels(rows * columns);
    for (std::uint64_t i = self; i < passes * frames; i += threads) {
      const std::uint64_t frame = i % frames;
      data.read_into(std::span(pixels), filigree::Selection::box({frame, 0, 0}, {1, rows, columns}));
      // Checks only a sample of the result, so that checking is not what is measured.
      const auto* from = expected.data() + frame * rows * columns;
      for (std::uint64_t at = i; at < pixels.size(); at += 4099) wrong[self] += pixels[at] != from[at];
    }
  };
  const double took = seconds([&] {
    std::vector<std::jthread> pool;
    for (unsigned self = 0; self < threads; ++self) pool.emplace_back(work, self);
  });
  require(std::ranges::all_of(wrong, [](int count) { return count == 0; }), "frames read by threads");
  return took;
}

void compare(const char* name, bool packed, const Pixels& values) {
  const std::string path = scratch("readers.h5");
  filigree::DatasetOptions options;
  options.chunk = {1, 256, 512};
  if (packed) options.filters = {filigree::filters::shuffle(), filigree::filters::deflate(4)};
  filigree::File file = filigree::File::create(path, filigree::CreateMode::truncate);
  file.root()
      .create_dataset<std::uint16_t>("frames", filigree::Dataspace::simple({frames, rows, columns}), options)
      .write(values);
  file.close();
  const auto opened = filigree::File::open(path);
  constexpr unsigned passes = 4;
  std::map<unsigned, std::vector<double>> took;
  std::vector<unsigned> order{1, 2, 4};
  for (int turn = 0; turn < 12; ++turn, std::ranges::next_permutation(order))
    for (const unsigned readers : order) took[readers].push_back(read_all(opened, values, readers, passes));
  for (const unsigned readers : {2u, 4u}) {
    report({.name = fmt::format("{} readers of {}, each a part", readers, name),
            .ours = median(took[readers]),
            .other = median(took[1]),
            .against = "one reader of all",
            .aim = 1,
            .bytes = passes * values.size() * sizeof(values[0])});
  }
}

}  // namespace

void run_readers() {
  const Pixels values = noise();
  compare("chunks without filters", false, values);
  compare("chunks with shuffle + deflate 4", true, values);
}

}  // namespace bench
