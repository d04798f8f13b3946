// SPDX-License-Identifier: Apache-2.0
//
// Direct chunk write: the program compresses frames itself, on its own threads, and Filigree stores them
// unchanged. Every HDF5 program can read them, because the deflate filter would have stored the same bytes.
// Usage: example_direct_chunks [FILE]
#include <cstdint>
#include <iostream>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <zlib.h>

#include <filigree/filigree.hpp>

namespace {

constexpr std::uint64_t frames = 8, rows = 256, columns = 256;

std::vector<std::uint16_t> frame(std::uint64_t number) {
  std::vector<std::uint16_t> pixels(rows * columns);
  for (std::uint64_t i = 0; i < pixels.size(); ++i)
    pixels[i] = static_cast<std::uint16_t>(i / columns * number);
  return pixels;
}

/// Compresses a frame, as hardware next to a detector might do.
std::vector<std::byte> deflated(std::span<const std::byte> bytes) {
  uLongf size = compressBound(bytes.size());
  std::vector<std::byte> result(size);
  if (compress2(reinterpret_cast<Bytef*>(result.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                bytes.size(), Z_BEST_SPEED) != Z_OK)
    throw filigree::Error(filigree::ErrorKind::invalid_argument, "zlib cannot deflate the frame");
  result.resize(size);
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string path = argc > 1 ? argv[1] : "direct_chunks.h5";
  try {
    auto file = filigree::File::create(path, filigree::CreateMode::truncate);
    filigree::DatasetOptions options;
    options.chunk = {1, rows, columns};  // a chunk is a frame
    options.filters = {filigree::filters::deflate()};
    auto data = file.root().create_dataset<std::uint16_t>(
        "frames", filigree::Dataspace::simple({frames, rows, columns}, {filigree::unlimited, rows, columns}),
        options);
    std::vector<std::thread> receivers;
    for (std::uint64_t first : {1, 2}) {
      receivers.emplace_back([=]() mutable {
        for (std::uint64_t n = first; n < frames; n += 2) {
          const auto pixels = frame(n);
          data.write_chunk({n, 0, 0}, deflated(std::as_bytes(std::span(pixels))));
        }
      });
    }
    for (std::thread& receiver : receivers) receiver.join();
    // An uncompressed frame: bit 0 of the filter mask means that filter 0 was skipped.
    const auto pixels = frame(0);
    data.write_chunk({0, 0, 0}, std::as_bytes(std::span(pixels)), 1);
    file.close();

    const auto again = filigree::File::open(path);
    const auto read = again.root().open_dataset("frames");
    for (std::uint64_t n = 0; n < frames; ++n) {
      const auto values =
          read.read<std::vector<std::uint16_t>>(filigree::Selection::box({n, 0, 0}, {1, rows, columns}));
      if (values != frame(n)) {
        std::cerr << "frame " << n << " is not what was written\n";
        return 1;
      }
    }
    const std::uint64_t raw = rows * columns * sizeof(std::uint16_t);
    std::cout << frames << " frames of " << raw << " bytes; in the file the first takes "
              << read.chunk_info({0, 0, 0}).stored_bytes << ", the others "
              << read.chunk_info({5, 0, 0}).stored_bytes << " or so\n";
    // read_chunk() returns the stored bytes.
    const auto stored = read.read_chunk({5, 0, 0}).bytes;
    const auto fifth = frame(5);
    const bool kept = stored == deflated(std::as_bytes(std::span(fifth))) && stored.size() < raw / 10;
    std::cout << "the bytes of frame 5 are " << (kept ? "those that zlib made\n" : "other ones\n");
    return kept ? 0 : 1;
  } catch (const filigree::Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
