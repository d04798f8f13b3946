// SPDX-License-Identifier: Apache-2.0
//
// Cost curves: how time, file size, memory and round trips grow with the contents of a file. docs/scale.md
// extrapolates to data that no test machine can hold.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include <filigree/filigree.hpp>

#include "bench.hpp"
#include "high_latency_file.hpp"
#include "results.hpp"

namespace bench {
namespace {

using namespace filigree;
using Dims = std::vector<std::uint64_t>;

void point(std::string curve, std::string axis, double at, double value, std::string unit = "s") {
  results().add(Point{std::move(curve), std::move(axis), at, value, std::move(unit)});
}

/// Resident memory of this process in bytes: now, and the maximum since reset_peak().
double peak_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return 1024 * std::stod(line.substr(6));
  }
  return 0;
}
void reset_peak() { std::ofstream("/proc/self/clear_refs") << 5; }
/// The additional memory that `work` needs at its peak.
double memory_of(const std::function<void()>& work) {
  ::malloc_trim(0);  // otherwise freed memory would be reused and not be counted
  reset_peak();
  const double before = peak_bytes();
  work();
  return std::max(0.0, peak_bytes() - before);
}

// Elements: a sparse matrix of which 1 % is defined, so that its volume is a hundred times as large.

constexpr double density = 0.01;
constexpr std::uint64_t chunk_side = 1024;

Selection scattered(std::uint64_t side, std::uint64_t count) {
  std::mt19937_64 random(count);
  std::vector<std::uint64_t> offsets(count);
  for (auto& offset : offsets) offset = random() % (side * side);
  return Selection::of_offsets({side, side}, offsets);
}

File make_sparse(const std::string& path, std::uint64_t side) {
  File file = File::create(path, CreateMode::truncate);
  file.root().create_dataset<float>("data", Dataspace::simple({side, side}),
                                    sparse_chunks({std::min(side, chunk_side), std::min(side, chunk_side)})
                                        .values({filters::shuffle(), filters::deflate(1)})
                                        .selection({filters::packed_selection()}));
  return file;
}

void elements() {
  const std::string path = scratch("elements.h5");
  for (const std::uint64_t wanted : {10'000u, 100'000u, 1'000'000u, 10'000'000u, 100'000'000u}) {
    // Coordinates, their sorted copies, runs and values: about 100 bytes per element while the set is built.
    if (100.0 * wanted > 0.5 * static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * 4096) {
      fmt::print("  (no memory here for {} elements at once)\n", wanted);
      continue;
    }
    const auto side = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(wanted) / density));
    Selection chosen = scattered(side, wanted);
    const std::uint64_t count = chosen.elements();
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i % 1000);
    const auto at = static_cast<double>(wanted);  // duplicate random offsets are negligible
    const auto add = [&](const char* curve, double value, const char* unit = "s") {
      point(curve, "defined elements", at, value, unit);
    };
    add("write", seconds([&] {
          File file = make_sparse(path, side);
          file.root().open_dataset("data").write(values, chosen);
          file.close();
        }));
    add("bytes of the file", static_cast<double>(file_bytes(path)), "bytes");
    chosen = {};
    Selection defined;
    add("open, defined()",
        seconds([&] { defined = File::open(path).root().open_dataset("data").defined(); }));
    require(defined.elements() == count, "defined elements");
    defined = {};
    DefinedValues<float> all;
    double took = 0;
    const double memory = memory_of([&] {
      took = seconds([&] { all = read_defined<float>(File::open(path).root().open_dataset("data")); });
    });
    require(all.values == values, "values of defined elements");
    add("open, read all with their selection", took);
    add("memory to read all with their selection", memory, "bytes");
    all = {};
    std::vector<float> box;
    add("open, read a box of 100 x 100", seconds(
                                             [&] {
                                               box = read_defined<float>(
                                                         File::open(path).root().open_dataset("data"),
                                                         Selection::box({side / 2, side / 2}, {100, 100}))
                                                         .values;
                                             },
                                             3));
    require(box.size() < 1000, "a box of a sparse matrix");
  }
}

// Chunks: many small ones, so that the cost of the index dominates.

void chunks() {
  const std::string path = scratch("chunks.h5");
  for (const bool grows : {false, true}) {
    const std::string kind = grows ? "B-tree" : "fixed array";
    for (const std::uint64_t count : {1'000u, 10'000u, 100'000u, 1'000'000u}) {
      AccessOptions access;
      access.versions.low = Version::v1_10;
      constexpr std::uint64_t per_chunk = 64;
      const Dims dims{count / 100, 100 * per_chunk};
      DatasetOptions options;
      options.chunk = {1, per_chunk};
      const auto space = grows ? Dataspace::simple(dims, {unlimited, unlimited}) : Dataspace::simple(dims);
      const std::vector<std::int32_t> values(count * per_chunk, 7);
      const auto at = static_cast<double>(count);
      const auto add = [&](const char* curve, double value, const char* unit = "s") {
        point(fmt::format("{}, {}", curve, kind), "chunks", at, value, unit);
      };
      {
        File file = File::create(path, CreateMode::truncate, {}, access);
        file.root()
            .create_dataset<std::int32_t>("data", space, options)
            .write(std::vector<std::int32_t>(per_chunk, 7), Selection::box({dims[0] / 2, 0}, {1, per_chunk}));
        file.close();
        add("bytes of the file with one chunk", static_cast<double>(file_bytes(path)), "bytes");
      }
      add("write", seconds([&] {
            File file = File::create(path, CreateMode::truncate, {}, access);
            file.root().create_dataset<std::int32_t>("data", space, options).write(values);
            file.close();
          }));
      const double index = static_cast<double>(file_bytes(path)) - static_cast<double>(values.size() * 4);
      add("bytes beside the elements", index, "bytes");
      std::int32_t one = 0;
      add("open, read one element", seconds(
                                        [&] {
                                          one =
                                              File::open(path).root().open_dataset("data").read<std::int32_t>(
                                                  Selection::box({dims[0] / 2, 77}, {1, 1}));
                                        },
                                        3));
      require(one == 7, "one element");
      std::uint64_t seen = 0;
      add("open, see every chunk", seconds([&] {
            const Dataset data = File::open(path).root().open_dataset("data");
            data.for_each_chunk([&](const ChunkInfo&) { return ++seen, true; });
          }));
      require(seen == count, "chunks");
      std::vector<std::int32_t> back;
      double took = 0;
      const double memory = memory_of([&] {
        took = seconds(
            [&] { back = File::open(path).root().open_dataset("data").read<std::vector<std::int32_t>>(); });
      });
      require(back == values, "values of chunks");
      add("open, read all", took);
      add("memory to read all, beside the values",
          std::max(0.0, memory - static_cast<double>(values.size() * 4)), "bytes");
    }
  }
}

// Links of one group.

void links() {
  const std::string path = scratch("links.h5");
  for (const std::uint64_t count : {1'000u, 10'000u, 100'000u, 1'000'000u}) {
    AccessOptions access;
    access.versions.low = Version::v1_10;
    const auto at = static_cast<double>(count);
    point("create", "links in a group", at, seconds([&] {
            File file = File::create(path, CreateMode::truncate, {}, access);
            Group group = file.root().create_group("many");
            for (std::uint64_t i = 0; i < count; ++i) group.link_soft(fmt::format("link{:08}", i), "/target");
            file.close();
          }));
    std::uint64_t seen = 0;
    double took = 0;
    const double memory = memory_of([&] {
      took = seconds([&] {
        const File file = File::open(path);
        file.root().open_group("many").for_each([&](const Link&) { return ++seen, true; });
      });
    });
    point("open, list by name", "links in a group", at, took);
    point("memory to list by name", "links in a group", at, memory, "bytes");
    require(seen == count, "links");
    bool found = false;
    point("open, find one", "links in a group", at,
          seconds(
              [&] {
                const File file = File::open(path);
                found = file.root().has_link(fmt::format("many/link{:08}", count / 2));
              },
              3));
    require(found, "a link");
    point("bytes of the file", "links in a group", at, static_cast<double>(file_bytes(path)), "bytes");
  }
}

// File size: one contiguous dataset, of which little is written. The file is sparse on disk, but its
// addresses are large.

void volume() {
  const std::string path = scratch("volume.h5");
  for (const std::uint64_t count : {1ull << 20, 1ull << 26, 1ull << 32, 1ull << 38}) {
    const auto at = static_cast<double>(count) * 8;
    const Selection last = Selection::box({count - 1000}, {1000});
    const std::vector<double> values(1000, 0.5);
    DatasetOptions options;
    options.fill_time = FillTime::never;
    point(
        "write the last 1000 elements", "bytes of a contiguous dataset", at, seconds([&] {
          File file = File::create(path, CreateMode::truncate);
          file.root().create_dataset<double>("data", Dataspace::simple({count}), options).write(values, last);
          file.close();
        }));
    std::vector<double> back;
    point(
        "open, read them", "bytes of a contiguous dataset", at,
        seconds([&] { back = File::open(path).root().open_dataset("data").read<std::vector<double>>(last); },
                3));
    require(back == values, "the last elements");
  }
}

/// A sparse dataset of 10^12 elements and more. The cost depends only on the number of defined elements.
void sparse_volume() {
  const std::string path = scratch("volume.h5");
  for (const std::uint64_t side : {10'000ull, 100'000ull, 1'000'000ull, 10'000'000ull}) {
    const Selection chosen = scattered(side, 10'000);
    const std::vector<float> values(chosen.elements(), 1.0F);
    const auto at = static_cast<double>(side) * static_cast<double>(side);
    const auto add = [&](const char* curve, double value, const char* unit = "s") {
      point(curve, "elements of the extent", at, value, unit);
    };
    add("write 10,000 scattered ones", seconds([&] {
          File file = make_sparse(path, side);
          file.root().open_dataset("data").write(values, chosen);
          file.close();
        }));
    add("bytes of the file", static_cast<double>(file_bytes(path)), "bytes");
    DefinedValues<float> all;
    add("open, read them with their selection",
        seconds([&] { all = read_defined<float>(File::open(path).root().open_dataset("data")); }));
    require(all.values == values && all.elements == chosen, "scattered elements");
  }
}

// Threads: the same work with 1 and with 2. Each count runs in a process of its own, since the thread pool is
// created once per process.

double in_child(unsigned threads, const std::function<double()>& work) {
  int ends[2];
  require(::pipe(ends) == 0, "pipe");
  const pid_t child = ::fork();
  if (child == 0) {
    ::setenv("FILIGREE_THREADS", std::to_string(threads).c_str(), 1);
    double took = -1;
    try {
      took = work();
    } catch (const std::exception&) {
    }
    if (::write(ends[1], &took, sizeof took) != sizeof took) ::_exit(1);
    ::_exit(0);
  }
  ::close(ends[1]);
  double took = -1;
  const bool received = ::read(ends[0], &took, sizeof took) == sizeof took;
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  require(received && took >= 0, "work of another process");
  return took;
}

std::vector<std::int32_t> noise() {
  std::vector<std::int32_t> values(4096 * 4096);
  std::mt19937 random(1);
  for (auto& value : values) value = static_cast<std::int32_t>(random() & 255);
  return values;
}

double write_packed(const std::string& path) {
  const auto values = noise();
  DatasetOptions options;
  options.chunk = {256, 256};
  options.filters = {filters::shuffle(), filters::deflate(4)};
  const auto write = [&] {
    File file = File::create(path, CreateMode::truncate);
    file.root().create_dataset<std::int32_t>("data", Dataspace::simple({4096, 4096}), options).write(values);
    file.close();
  };
  return seconds(write, 2);
}

double read_packed(const std::string& path) {
  std::vector<std::int32_t> back(4096 * 4096);
  const double took =
      seconds([&] { File::open(path).root().open_dataset("data").read_into(std::span(back)); }, 3);
  require(back == noise(), "packed chunks");
  return took;
}

double write_points_of(const std::string& path) {
  const Selection chosen = scattered(16 * 1024, 2'000'000);
  const std::vector<float> values(chosen.elements(), 3.0F);
  const auto write = [&] {
    File file = make_sparse(path, 16 * 1024);
    file.root().open_dataset("data").write(values, chosen);
    file.close();
  };
  return seconds(write, 2);
}

double read_points_of(const std::string& path) {
  DefinedValues<float> all;
  const double took =
      seconds([&] { all = read_defined<float>(File::open(path).root().open_dataset("data")); }, 3);
  require(all.elements == scattered(16 * 1024, 2'000'000) && all.values.back() == 3.0F, "sparse elements");
  return took;
}

void threads() {
  const std::string dense = scratch("threads.h5"), sparse = scratch("threads-sparse.h5");
  const auto most = std::min(4u, std::max(2u, std::thread::hardware_concurrency()));
  for (unsigned count = 1; count <= most; ++count) {
    const auto add = [&](const char* curve, double took) { point(curve, "threads", count, took); };
    add("write 4096 x 4096 int, shuffle + deflate 4", in_child(count, [&] { return write_packed(dense); }));
    add("read it", in_child(count, [&] { return read_packed(dense); }));
    add("write 2 million sparse elements", in_child(count, [&] { return write_points_of(sparse); }));
    add("read them with their selection", in_child(count, [&] { return read_points_of(sparse); }));
  }
}

// A file with high latency: round trips by the contents of the file.

void distance() {
  using space::Frame;
  using Elements = space::Selection;
  CreateOptions paged;
  paged.space.strategy = SpaceStrategy::paged;
  AccessOptions access;
  access.versions.low = Version::v1_10;
  for (const std::uint64_t count : {100u, 1'000u, 10'000u, 100'000u}) {
    File made = File::create_in_memory(paged, access);
    Group group = made.root().create_group("many");
    for (std::uint64_t i = 0; i < count; ++i) group.create_group(fmt::format("object{:06}", i));
    const auto image = made.image();
    HighLatencyFile one(image);
    one.find(fmt::format("many/object{:06}", count / 2));
    point("open the file and one object", "objects in a group", static_cast<double>(count), one.round_trips(),
          "trips");
    HighLatencyFile all(image);
    require(all.list("many") == count, "objects of a file with high latency");
    point("open the file and list all", "objects in a group", static_cast<double>(count), all.round_trips(),
          "trips");
  }
  for (const std::uint64_t side : {1024u, 2048u, 4096u, 8192u}) {
    for (const bool is_sparse : {false, true}) {
      File made = File::create_in_memory(paged, access);
      const Dims dims{side, side};
      DatasetOptions options =
          is_sparse ? DatasetOptions(sparse_chunks({256, 256}).selection({filters::packed_selection()}))
                    : DatasetOptions{};
      options.chunk = {256, 256};
      auto data = made.root().create_dataset<float>("data", Dataspace::simple(dims), options);
      if (is_sparse) {
        const Selection chosen = scattered(side, side * side / 100);
        data.write(std::vector<float>(chosen.elements(), 1.0F), chosen);
      } else {
        data.write(std::vector<float>(side * side, 1.0F));
      }
      made.flush();
      const auto image = made.image();
      const auto at = static_cast<double>((side / 256) * (side / 256));
      const std::string kind = is_sparse ? "1 % sparse" : "dense";
      const Frame frame({side, side});
      HighLatencyFile box(image);
      const auto part = Elements::regular(frame, {{side / 2, 1, 1, 64}, {side / 2, 1, 1, 64}});
      if (is_sparse) {
        (void)box.read_defined("data", part);
      } else {
        require(box.read("data", part)[7] == 1.0F, "a box of a file with high latency");
      }
      point("open, read a box of 64 x 64, " + kind, "chunks of a high-latency file", at, box.round_trips(),
            "trips");
      HighLatencyFile all(image);
      const auto values =
          is_sparse ? all.read_defined("data", Elements::all(frame)) : all.read("data", Elements::all(frame));
      require(std::ranges::all_of(values, [](float value) { return value == 1.0F; }),
              "values of a file with high latency");
      point("open, read all, " + kind, "chunks of a high-latency file", at, all.round_trips(), "trips");
    }
  }
}

}  // namespace

const std::vector<Scenario>& curves() {
  static const std::vector<Scenario> all{
      {"scale-threads", "dense and sparse, 1 and 2 threads (up to 4 where there are cores)", threads},
      {"scale-elements", "10^4 to 10^8 defined elements", elements},
      {"scale-extent", "10,000 elements in extents of 10^8 to 10^14", sparse_volume},
      {"scale-chunks", "10^3 to 10^6 chunks, two kinds of index", chunks},
      {"scale-links", "10^3 to 10^6 links in one group", links},
      {"scale-bytes", "contiguous datasets of 8 MB to 2 TB, mostly holes", volume},
      {"scale-distance", "round trips by objects and by chunks", distance},
  };
  return all;
}

}  // namespace bench
