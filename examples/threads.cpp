// SPDX-License-Identifier: Apache-2.0
//
// One file, many threads: some write a dataset each, some read existing data, one appends frames. The program
// needs no locks. Usage: example_threads [FILE]
#include <atomic>
#include <cstdint>
#include <functional>
#include <iostream>
#include <mutex>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include <filigree/filigree.hpp>

namespace {

using filigree::Selection;

constexpr std::uint64_t rows = 400, columns = 500, frames = 200, side = 128;

/// Runs all tasks concurrently, each on its own thread, and returns how many failed.
int run_at_once(const std::vector<std::function<void()>>& tasks) {
  std::atomic<int> failures{0};
  std::mutex output;
  std::vector<std::thread> threads;
  for (const auto& task : tasks) {
    threads.emplace_back([&] {
      try {
        task();
      } catch (const filigree::Error& error) {  // an exception must not leave the thread
        ++failures;
        const std::lock_guard lock(output);
        std::cerr << error.what() << '\n';
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return failures;
}

void expect(bool holds, const char* what) {
  if (!holds) throw filigree::Error(filigree::ErrorKind::invalid_argument, std::string("wrong: ") + what);
}

std::vector<std::int32_t> row_of(std::uint64_t table, std::uint64_t row) {
  std::vector<std::int32_t> values(columns);
  std::iota(values.begin(), values.end(), static_cast<std::int32_t>(table * 1'000'000 + row * 1000));
  return values;
}

/// Handles are cheap to copy. Each thread has its own.
void fill(filigree::Dataset table, std::uint64_t number) {
  for (std::uint64_t row = 0; row < rows; ++row)
    table.write(row_of(number, row), Selection::box({row, 0}, {1, columns}));
}

void check(const filigree::Dataset& table, std::uint64_t number) {
  for (std::uint64_t row = 0; row < rows; ++row)
    expect(
        table.read<std::vector<std::int32_t>>(Selection::box({row, 0}, {1, columns})) == row_of(number, row),
        "a row");
}

void append(const filigree::Dataset& stream) {
  filigree::FrameAppender appender(stream);
  for (std::uint64_t n = 0; n < frames; ++n) {
    const std::vector<std::uint64_t> pixels{n, n + side, side * side - 1};
    appender.append_offsets<std::uint16_t>(pixels,
                                           std::vector<std::uint16_t>(3, static_cast<std::uint16_t>(n)));
  }
  appender.close();
}

}  // namespace

int main(int argc, char** argv) {
  const std::string path = argc > 1 ? argv[1] : "threads.h5";
  try {
    auto file = filigree::File::create(path, filigree::CreateMode::truncate);
    filigree::DatasetOptions chunked;
    chunked.chunk = {50, 100};
    chunked.filters = {filigree::filters::shuffle(), filigree::filters::zstd(1)};
    std::vector<filigree::Dataset> tables;
    for (const char* name : {"old", "first", "second"})
      tables.push_back(file.root().create_dataset<std::int32_t>(
          name, filigree::Dataspace::simple({rows, columns}), chunked));
    fill(tables[0], 0);
    auto stream = file.root().create_dataset<std::uint16_t>(
        "stream", filigree::Dataspace::simple({0, side, side}, {filigree::unlimited, side, side}),
        filigree::sparse_chunks({1, side, side}).selection({filigree::filters::packed_selection()}));

    const auto read_old = [&] { check(tables[0], 0); };
    if (run_at_once({[&] { fill(tables[1], 1); }, [&] { fill(tables[2], 2); }, [&] { append(stream); },
                     read_old, read_old}) > 0)
      return 1;
    file.close();

    // Concurrent readers of a file that was opened once.
    file = filigree::File::open(path);
    const int failures =
        run_at_once({[&] { check(file.root().open_dataset("first"), 1); },
                     [&] { check(file.root().open_dataset("second"), 2); },
                     [&] {
                       const auto data = file.root().open_dataset("stream");
                       expect(filigree::defined_count(data) == 3 * frames, "pixels of the stream");
                       expect(data.read<int>(Selection::box({77, 1, 77}, {1, 1, 1})) == 77, "a pixel");
                     }});
    std::cout << "2 tables filled, " << frames
              << " frames appended and an old table read twice, all at once: "
              << (failures == 0 ? "all is there" : "something is wrong") << '\n';
    return failures == 0 ? 0 : 1;
  } catch (const filigree::Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
