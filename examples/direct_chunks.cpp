// SPDX-License-Identifier: Apache-2.0
//
// Frames that a detector delivers compressed go to the file as they are, from several threads; a log of
// numbers grows beside them.
#include <cstdint>
#include <iostream>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <filigree/filigree.hpp>

namespace {

constexpr std::uint64_t frames = 8, rows = 64, columns = 64;

/// What a detector would send: here the frame as it is, so the deflate filter was skipped (bit 0 of the
/// mask).
std::vector<std::uint16_t> frame(std::uint64_t number) {
  return std::vector<std::uint16_t>(rows * columns, static_cast<std::uint16_t>(number));
}
constexpr std::uint32_t deflate_skipped = 1;

}  // namespace

int main(int argc, char** argv) {
  const std::string path = argc > 1 ? argv[1] : "direct_chunks.h5";
  try {
    auto file = filigree::File::create(path, filigree::CreateMode::truncate);
    filigree::DatasetOptions options;
    options.chunk = {1, rows, columns};
    options.filters = {filigree::filters::deflate()};
    auto data = file.root().create_dataset<std::uint16_t>(
        "frames", filigree::Dataspace::simple({frames, rows, columns}, {filigree::unlimited, rows, columns}),
        options);
    std::vector<std::thread> receivers;
    for (std::uint64_t first : {0, 1}) {
      receivers.emplace_back([=]() mutable {
        for (std::uint64_t n = first; n < frames; n += 2) {
          const auto pixels = frame(n);
          data.write_chunk({n, 0, 0}, std::as_bytes(std::span(pixels)), deflate_skipped);
        }
      });
    }
    for (std::thread& receiver : receivers) receiver.join();

    // Chunks of a good shape are chosen for us.
    auto times =
        file.root().create_dataset<double>("times", filigree::Dataspace::simple({0}, {filigree::unlimited}));
    filigree::Appender<double> log(times);
    for (std::uint64_t n = 0; n < frames; ++n) log.append(0.125 * static_cast<double>(n));
    log.close();
    file.close();

    const auto again = filigree::File::open(path);
    const auto read = again.root().open_dataset("frames");
    std::cout << read.chunk_count() << " chunks of " << read.chunk_info({5, 0, 0}).stored_bytes << " bytes\n";
    std::cout << "a pixel of frame 5: " << read.read<int>(filigree::Selection::box({5, 10, 10}, {1, 1, 1}))
              << '\n';
    std::cout << "the last of " << again.root().open_dataset("times").space().text()
              << " times: " << again.root().read_dataset<std::vector<double>>("times").back() << '\n';
  } catch (const filigree::Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
