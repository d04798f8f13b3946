// SPDX-License-Identifier: Apache-2.0
//
// Both forms of sparse data with the same frames: CPU time of each task in turns, and sizes. Prints a table
// with the medians of all rounds.
//
//   filigree_forms FOLDER ROUNDS
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <filigree/filigree.hpp>

namespace {

using namespace filigree;
using Dims = std::vector<std::uint64_t>;

constexpr std::uint64_t frames = 300, side = 2048, peaks = 166, peak_side = 5;  // 4,150 pixels in peaks

struct Frame {
  Dims offsets;
  std::vector<std::uint16_t> values;
};

Frame make_frame(std::mt19937_64& random) {
  std::vector<std::pair<std::uint64_t, std::uint16_t>> pixels;
  for (std::uint64_t i = 0; i < peaks; ++i) {
    const std::uint64_t row = random() % (side - peak_side), column = random() % (side - peak_side);
    for (std::uint64_t y = 0; y < peak_side; ++y)
      for (std::uint64_t x = 0; x < peak_side; ++x)
        pixels.emplace_back((row + y) * side + column + x, static_cast<std::uint16_t>(1 + random() % 60));
  }
  std::ranges::sort(pixels);
  Frame frame;
  for (const auto& [offset, value] : pixels) {
    if (!frame.offsets.empty() && frame.offsets.back() == offset) continue;
    frame.offsets.push_back(offset);
    frame.values.push_back(value);
  }
  return frame;
}

double cpu_ms() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto ms = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_usec) / 1e3;
  };
  return ms(used.ru_utime) + ms(used.ru_stime);
}

void write(const std::string& path, bool portable, const std::vector<Frame>& all) {
  File file = File::create(path, CreateMode::truncate);
  SparseChunks options = sparse_chunks({1, 512, 512})
                             .values({filters::shuffle(), filters::zstd(3)})
                             .selection({filters::packed_selection()});
  if (portable) options.portable();
  auto data = file.root().create_dataset<std::uint16_t>(
      "d", Dataspace::simple({0, side, side}, {unlimited, side, side}), options);
  FrameAppender appender(data);
  for (const Frame& frame : all) appender.append_offsets<std::uint16_t>(frame.offsets, frame.values);
  appender.close();
  file.close();
}

void read_regions(const Dataset& data) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 100; ++i) {
    const Dims start{random() % frames, random() % (side - 200), random() % (side - 200)};
    (void)data.read<std::vector<std::uint16_t>>(Selection::box(start, {1, 200, 200}));
  }
}

struct Task {
  const char* name;
  std::function<void(const std::string&, bool)> run;
};

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::mt19937_64 random(3);
  std::vector<Frame> all;
  for (std::uint64_t i = 0; i < frames; ++i) all.push_back(make_frame(random));
  const auto opened = [](const std::string& path, const std::function<void(const Dataset&)>& use) {
    const File file = File::open(path);
    use(file.root().open_dataset("d"));
  };
  const std::vector<Task> tasks{
      {"write with `FrameAppender`",
       [&](const std::string& path, bool portable) { write(path, portable, all); }},
      {"read everything with offsets",
       [&](const std::string& path, bool) {
         opened(path, [](const Dataset& d) { (void)read_defined_offsets<std::uint16_t>(d); });
       }},
      {"`defined()` of everything",
       [&](const std::string& path, bool) { opened(path, [](const Dataset& d) { (void)d.defined(); }); }},
      {"`defined_count()` of everything",
       [&](const std::string& path, bool) {
         opened(path, [](const Dataset& d) { (void)defined_count(d); });
       }},
      {"100 regions of 200 x 200", [&](const std::string& path, bool) { opened(path, read_regions); }},
      {"20 complete frames, dense",
       [&](const std::string& path, bool) {
         opened(path, [](const Dataset& d) {
           for (std::uint64_t i = 0; i < 20; ++i)
             (void)d.read<std::vector<std::uint16_t>>(Selection::box({i, 0, 0}, {1, side, side}));
         });
       }},
  };
  const std::array<std::string, 2> paths{std::string(argv[1]) + "/structured.h5",
                                         std::string(argv[1]) + "/portable.h5"};
  std::vector<std::array<std::vector<double>, 2>> times(tasks.size());
  for (int round = 0; round < std::stoi(argv[2]); ++round) {
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      for (std::size_t turn = 0; turn < 2; ++turn) {
        const std::size_t form = (turn + static_cast<std::size_t>(round)) % 2;
        const double before = cpu_ms();
        tasks[t].run(paths[form], form == 1);
        times[t][form].push_back(cpu_ms() - before);
      }
    }
  }
  std::uint64_t chunks = 0;
  opened(paths[1], [&](const Dataset& d) { chunks = d.chunk_count(); });
  const auto bytes = [&](std::size_t form) { return std::filesystem::file_size(paths[form]); };
  std::printf("| | structured | portable | ratio |\n|---|---|---|---|\n");
  std::printf("| file, %llu chunks | %ju | %ju | %.1f bytes a chunk more |\n",
              static_cast<unsigned long long>(chunks), bytes(0), bytes(1),
              static_cast<double>(bytes(1) - bytes(0)) / static_cast<double>(chunks));
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    const double one = median(times[t][0]), other = median(times[t][1]);
    std::printf("| %s | %.1f ms | %.1f ms | %.2f |\n", tasks[t].name, one, other, other / one);
  }
}
