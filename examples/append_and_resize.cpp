// SPDX-License-Identifier: Apache-2.0
//
// A log that grows by appended rows, is truncated, gets another column, and grows again after it was
// reopened. Usage: example_append_and_resize [FILE]
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include <filigree/filigree.hpp>

namespace {

constexpr std::uint64_t sensors = 3;

float reading(std::uint64_t second, std::uint64_t sensor) {
  return static_cast<float>(second) + static_cast<float>(sensor) / 4;
}

/// Appends one row for each second from `first` to `end`. The appender buffers rows until it can write full
/// chunks.
void record(const filigree::Dataset& log, std::uint64_t first, std::uint64_t end) {
  filigree::Appender<float> appender(log);
  for (std::uint64_t second = first; second < end; ++second)
    for (std::uint64_t sensor = 0; sensor < appender.slice_elements(); ++sensor)
      appender.append(reading(second, sensor));
  appender.close();
}

void expect(bool holds, const char* what) {
  if (!holds) throw filigree::Error(filigree::ErrorKind::invalid_argument, std::string("wrong: ") + what);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string path = argc > 1 ? argv[1] : "append_and_resize.h5";
  using filigree::unlimited;
  try {
    auto file = filigree::File::create(path, filigree::CreateMode::truncate);
    // Empty, and unlimited in both dimensions. Elements that are never written read as -1.
    filigree::DatasetOptions options;
    options.chunk = {1024, 4};
    options.filters = {filigree::filters::shuffle(), filigree::filters::deflate(1)};
    options.fill = filigree::Fill::of(-1.0f);
    auto log = file.root().create_dataset<float>(
        "log", filigree::Dataspace::simple({0, sensors}, {unlimited, unlimited}), options);

    record(log, 0, 10'000);
    std::cout << "recorded " << log.space().text() << ", " << log.stored_bytes() / 1024
              << " KiB in the file\n";

    log.resize({5'000, sensors});  // removes rows and frees their chunks
    std::cout << "cut to   " << log.space().text() << ", " << log.stored_bytes() / 1024 << " KiB\n";
    expect(log.chunk_count() == 5, "chunks after the cut");

    log.resize({5'000, sensors + 1});  // adds a column of fill values
    const auto last = log.read<std::vector<float>>(filigree::Selection::box({4'999, 0}, {1, sensors + 1}));
    std::cout << "last row " << last[0] << ' ' << last[1] << ' ' << last[2] << ' ' << last[3] << '\n';
    expect(last == std::vector<float>{4999, 4999.25f, 4999.5f, -1}, "the last row");
    file.close();

    // Later: an appender continues after the existing rows.
    file = filigree::File::open(path, filigree::OpenMode::read_write);
    record(file.root().open_dataset("log"), 5'000, 6'000);
    file.close();

    file = filigree::File::open(path);
    log = file.root().open_dataset("log");
    const auto all = log.read<std::vector<float>>();
    std::cout << "now      " << log.space().text() << '\n';
    expect(all.size() == 6'000 * (sensors + 1), "the size");
    for (std::uint64_t i = 0; i < all.size(); ++i) {
      const std::uint64_t second = i / (sensors + 1), sensor = i % (sensors + 1);
      expect(all[i] == (second < 5'000 && sensor == sensors ? -1 : reading(second, sensor)), "an element");
    }
  } catch (const filigree::Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
