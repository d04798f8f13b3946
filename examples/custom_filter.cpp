// SPDX-License-Identifier: Apache-2.0
//
// A user-defined filter: it stores every number as the difference to the one before, so that slow signals
// compress well. Programs without the filter can open the file, but not read the dataset. Usage:
// example_custom_filter [FILE]
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <filigree/filigree.hpp>

namespace {

constexpr std::uint16_t distances = 310;  // HDF5 reserves 256 to 511 for testing

using Bytes = std::span<const std::byte>;

/// Replaces every 32-bit number. A remainder of less than 4 bytes stays unchanged.
template <class Step>
std::vector<std::byte> mapped(Bytes bytes, Step step) {
  std::vector<std::byte> result(bytes.begin(), bytes.end());
  for (std::size_t at = 0; at + sizeof(std::uint32_t) <= result.size(); at += sizeof(std::uint32_t)) {
    std::uint32_t number = 0;
    std::memcpy(&number, bytes.data() + at, sizeof number);
    number = step(number);
    std::memcpy(result.data() + at, &number, sizeof number);
  }
  return result;
}

filigree::UserFilter distance_filter() {
  filigree::UserFilter filter;
  filter.id = distances;
  filter.name = "distances of 32-bit numbers";
  filter.encode = [](Bytes bytes, filigree::UserFilter::Parameters) {
    return mapped(bytes, [before = 0u](std::uint32_t number) mutable {
      return number - std::exchange(before, number);
    });
  };
  filter.decode = [](Bytes bytes, filigree::UserFilter::Parameters, std::size_t most_bytes) {
    if (bytes.size() > most_bytes)
      throw filigree::Error(filigree::ErrorKind::corrupt, "more bytes than a chunk has");
    return mapped(bytes, [sum = 0u](std::uint32_t distance) mutable { return sum += distance; });
  };
  return filter;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string path = argc > 1 ? argv[1] : "custom_filter.h5";
  namespace filters = filigree::filters;
  try {
    filters::add(distance_filter());
    std::vector<std::int32_t> signal(1'000'000);
    for (std::size_t i = 0; i < signal.size(); ++i)
      signal[i] = static_cast<std::int32_t>(1e6 * std::sin(1e-4 * static_cast<double>(i)));

    auto file = filigree::File::create(path, filigree::CreateMode::truncate);
    filigree::DatasetOptions options;
    options.chunk = {100'000};
    options.filters = {filters::shuffle(), filters::deflate(1)};
    const auto space = filigree::Dataspace::simple({signal.size()});
    auto deflated = file.root().create_dataset<std::int32_t>("plain", space, options);
    options.filters.insert(options.filters.begin(), {distances, {}, false});
    auto smaller = file.root().create_dataset<std::int32_t>("smaller", space, options);
    deflated.write(signal);
    smaller.write(signal);
    std::cout << "deflated: " << deflated.stored_bytes() / 1024
              << " KiB, as distances: " << smaller.stored_bytes() / 1024 << " KiB\n";
    const bool gain = smaller.stored_bytes() < deflated.stored_bytes();
    file.close();

    file = filigree::File::open(path);
    const bool same = file.root().read_dataset<std::vector<std::int32_t>>("smaller") == signal;
    std::cout << "read back: " << (same ? "the same" : "something else") << '\n';
    file.close();

    // Without the filter, the error names the one that is missing.
    filters::remove(distances);
    file = filigree::File::open(path);
    bool refused = false;
    try {
      (void)file.root().read_dataset<std::vector<std::int32_t>>("smaller");
    } catch (const filigree::Error& error) {
      refused = true;
      std::cout << "without the filter: " << error.what() << '\n';
    }
    return gain && same && refused ? 0 : 1;
  } catch (const filigree::Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
