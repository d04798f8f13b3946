// SPDX-License-Identifier: Apache-2.0
//
// Streams of frames in a file that other processes read meanwhile. Usage:
//
//   frame_stream_driver write FILE SECONDS   threads append, others flush; prints "ready", then the frames
//   frame_stream_driver read FILE            reads the sparse streams until a line with their lengths comes
//
// A frame consists of pixels that follow from its key. Pixel 0 is the key, so that every frame can be
// checked.
#include <poll.h>
#include <unistd.h>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <filigree/filigree.hpp>

namespace {

using filigree::Dataset;
using filigree::File;
using filigree::FrameAppender;
using filigree::Selection;
using Numbers = std::vector<std::uint64_t>;
using Values = std::vector<std::uint32_t>;

constexpr std::uint64_t side = 64, threads = 4;

/// The stream that threads append to, and the one whose frames have numbers.
constexpr const char* streams[] = {"frames", "numbered"};

void require(bool holds, const std::string& what) {
  if (!holds) throw std::runtime_error(what);
}

/// The pixels of a frame: 1 to 97 of them, far apart, so that a frame has several chunks.
struct Sample {
  explicit Sample(std::uint32_t key) {
    const std::uint64_t count = key % 97 + 1;
    for (std::uint64_t i = 0; i < count; ++i) {
      offsets.push_back(i * (side * side / count));
      values.push_back(key + static_cast<std::uint32_t>(i));
    }
  }
  Numbers offsets;
  Values values;
};

/// All pixels of a dense frame, as frame_stream_test.py computes them.
Values dense_frame(std::uint32_t key) {
  Values values(side * side);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = key + static_cast<std::uint32_t>(i);
  return values;
}

void pause_for(unsigned microseconds) {
  std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
}

struct Streams {
  explicit Streams(const filigree::Group& root)
      : frames(make(root, "frames",
                    filigree::sparse_chunks({1, 32, 32}).values({filigree::filters::deflate(1)})),
               {.buffer_bytes = 20'000}),
        numbered(make(root, "numbered", filigree::sparse_chunks({3, 32, 64})), {.buffer_bytes = 10'000}),
        dense(make(root, "dense", dense_options()), {.buffer_bytes = 100'000}) {}

  static Dataset make(filigree::Group root, const char* name, const filigree::DatasetOptions& options) {
    return root.create_dataset<std::uint32_t>(
        name, filigree::Dataspace::simple({0, side, side}, {filigree::unlimited, side, side}), options);
  }
  static filigree::DatasetOptions dense_options() {
    filigree::DatasetOptions options;
    options.chunk = {5, 32, 64};
    options.filters = {filigree::filters::deflate(1)};
    return options;
  }
  void flush() {
    frames.flush();
    numbered.flush();
    dense.flush();
  }
  void close() {
    frames.close();
    numbered.close();
    dense.close();
  }

  FrameAppender frames, numbered, dense;
};

void append(Streams& to, std::atomic<std::uint32_t>& numbers) {
  const std::uint32_t number = numbers++, key = number + 1;
  const Sample sample(key);
  to.frames.append_offsets<std::uint32_t>(sample.offsets, sample.values);
  if (key % 3 == 0) pause_for(key % 1000);  // numbers overtake each other
  to.numbered.append_at<std::uint32_t>(number, sample.offsets, sample.values);
  if (key % 8 == 0) to.dense.append_region<std::uint32_t>({0, 0}, {side, side}, dense_frame(key));
  pause_for(1000);
}

void write(const std::string& path, double seconds) {
  filigree::AccessOptions access;
  access.versions.low = filigree::Version::v1_10;
  File file = File::create(path, filigree::CreateMode::truncate, {}, access);
  Streams to(file.root());
  file.start_swmr_write();
  std::cout << "ready" << std::endl;

  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  std::atomic<std::uint32_t> numbers = 0;
  std::atomic<unsigned> running = threads;
  std::vector<std::thread> all;
  for (unsigned t = 0; t < threads; ++t) {
    all.emplace_back([&] {
      while (std::chrono::steady_clock::now() < end) append(to, numbers);
      --running;
    });
  }
  all.emplace_back([&] {
    for (unsigned turn = 0; running > 0; ++turn) {
      if (turn % 4 == 0) to.flush();
      file.flush();
      pause_for(2000 + turn % 7 * 1000);
    }
  });
  for (auto& thread : all) thread.join();
  to.close();
  file.close();
  std::cout << to.frames.frames() << ' ' << to.numbered.frames() << ' ' << to.dense.frames() << std::endl;
}

/// One stream as a SWMR reader sees it.
struct SwmrStream {
  Dataset data;
  bool is_numbered = false;
  std::uint64_t seen = 0;
  std::set<std::uint32_t> keys{};

  /// Checks frames that are seen for the first time.
  void look() {
    const std::uint64_t extent = data.space().dims()[0];
    require(extent >= seen,
            "the extent has shrunk from " + std::to_string(seen) + " to " + std::to_string(extent));
    for (; seen < extent; ++seen) check_frame();
  }
  void check_frame() {
    const std::string name = data.path() + " " + std::to_string(seen);
    auto found =
        filigree::read_defined_offsets<std::uint32_t>(data, Selection::box({seen, 0, 0}, {1, side, side}));
    require(!found.values.empty(), name + " is not there yet");
    const std::uint32_t key = found.values.front();
    const Sample sample(key);
    for (std::uint64_t& offset : found.offsets) offset -= seen * side * side;
    require(found.offsets == sample.offsets && found.values == sample.values, name + " is not whole");
    require(!is_numbered || key == seen + 1, name + " has the key " + std::to_string(key));
    require(keys.insert(key).second, name + " was there before");
  }
};

bool input_is_ready() {
  pollfd descriptor{STDIN_FILENO, POLLIN, 0};
  return ::poll(&descriptor, 1, 0) > 0;
}

void read(const std::string& path) {
  File file = File::open_swmr(path);
  std::vector<SwmrStream> all;
  for (const char* name : streams)
    all.push_back({file.root().open_dataset(name), std::string(name) == "numbered"});
  std::cout << "ready" << std::endl;
  unsigned views = 0;
  while (!input_is_ready()) {
    file.refresh();
    for (SwmrStream& one : all) one.look();
    ++views;
  }
  file.refresh();
  for (SwmrStream& one : all) {
    one.look();
    std::uint64_t expected = 0;
    std::cin >> expected;
    require(one.seen == expected, one.data.path() + " has " + std::to_string(one.seen) + " frames");
    require(one.keys.size() == expected && *one.keys.rbegin() == expected, "a key is missing");
  }
  std::cout << "whole, in " << views << " views" << std::endl;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::string mode = argc > 2 ? argv[1] : "";
    if (mode == "write" && argc == 4) {
      write(argv[2], std::strtod(argv[3], nullptr));
    } else if (mode == "read") {
      read(argv[2]);
    } else {
      throw std::runtime_error("write FILE SECONDS, or read FILE");
    }
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
