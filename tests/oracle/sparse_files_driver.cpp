// SPDX-License-Identifier: Apache-2.0
//
// Makes a file of sparse datasets, for the test of byte identity. Every way to write, erase and resize is
// used on every chunk index, with values small enough for one thread and large enough for all of them. Usage:
//   sparse_files_driver FILE earliest|latest unfiltered|filtered|packed|text
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <filigree/filigree.hpp>

namespace {

using namespace filigree;
using Dims = std::vector<std::uint64_t>;

DatasetOptions options_for(const std::string& kind, Dims chunk) {
  SparseChunks options = sparse_chunks(std::move(chunk)).unfiltered();
  if (kind == "filtered")
    options.values(filters::shuffle(), filters::deflate(1)).selection(filters::deflate(1));
  if (kind == "packed")
    options.values(filters::shuffle(), filters::zstd(1)).selection(filters::packed_selection());
  if (kind == "text") options.heap(filters::deflate(1));
  return options;
}

/// Ascending offsets, about one of `step` elements, with runs of neighbours among them.
std::vector<std::uint64_t> some_offsets(std::uint64_t elements, std::uint64_t step, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> offsets;
  for (std::uint64_t at = random() % step; at < elements; at += 1 + random() % (2 * step)) {
    const std::uint64_t length = random() % 16 == 0 ? 9 : 1;
    for (std::uint64_t i = 0; i < length && at < elements; ++i) offsets.push_back(at++);
  }
  return offsets;
}

template <class T>
std::vector<T> values_for(const std::vector<std::uint64_t>& offsets, unsigned seed) {
  std::vector<T> values;
  for (const std::uint64_t at : offsets) {
    if constexpr (std::is_same_v<T, std::string>) {
      values.push_back(std::string(at % 7, 'x') + std::to_string(at + seed));
    } else {
      values.push_back(static_cast<T>(at * 7 + seed));
    }
  }
  return values;
}

/// Coordinates in a scattered order, some of them twice.
Dims coordinates_of(const std::vector<std::uint64_t>& offsets, const Dims& dims) {
  Dims coordinates;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const std::uint64_t at = offsets[i * 7919 % offsets.size()];
    coordinates.push_back(at / dims[1]);
    coordinates.push_back(at % dims[1]);
  }
  return coordinates;
}

template <class T>
void change(Dataset data, Dims dims, unsigned seed) {
  const std::uint64_t elements = dims[0] * dims[1];
  const auto first = some_offsets(elements, 9, seed);
  write_offsets<T>(data, first, values_for<T>(first, seed), {0, elements});
  const auto second = some_offsets(elements, 50, seed + 1);
  write_offsets<T>(data, second, values_for<T>(second, seed + 1));
  const auto third = some_offsets(elements, 30, seed + 2);
  write_coordinates<T>(data, coordinates_of(third, dims), values_for<T>(third, seed + 2));
  const Selection box = Selection::box({dims[0] / 4, dims[1] / 3}, {dims[0] / 2, dims[1] / 5});
  data.erase(box);
  const Selection strided = Selection::blocks({{0, 3, dims[0] / 3, 1}, {1, 5, dims[1] / 5, 2}});
  data.write(values_for<T>(strided.within(dims).offsets(), seed + 3), strided);
}

template <class T>
void fill(File& file, const std::string& kind) {
  struct Shape {
    const char* name;
    Dims dims, max_dims, chunk;
  };
  const Shape shapes[] = {
      {"single", {40, 50}, {40, 50}, {40, 50}},
      {"fixed", {60, 70}, {80, 90}, {16, 15}},
      {"extensible", {60, 70}, {unlimited, 70}, {16, 15}},
      {"tree", {60, 70}, {unlimited, unlimited}, {16, 15}},
      {"large", {900, 1000}, {unlimited, unlimited}, {64, 128}},
  };
  unsigned seed = 1;
  for (const Shape& shape : shapes) {
    if (std::is_same_v<T, std::string> && shape.dims[0] > 100) continue;
    Dataset data = file.root().create_dataset<T>(shape.name, Dataspace::simple(shape.dims, shape.max_dims),
                                                 options_for(kind, shape.chunk));
    change<T>(data, shape.dims, seed += 10);
    if (shape.max_dims == shape.dims) continue;
    file.flush();
    data.resize({shape.dims[0] - 7, shape.dims[1]});
    data.resize({shape.dims[0] + 9, shape.dims[1]});
    change<T>(data, {shape.dims[0] + 9, shape.dims[1]}, seed + 5);
  }
  file.root().copy("fixed", file.root(), "copy");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const std::string kind = argv[3];
  try {
    AccessOptions access;
    if (std::string(argv[2]) == "latest") access.versions.low = Version::latest;
    File file = File::create(argv[1], CreateMode::truncate, {}, access);
    if (kind == "text") {
      fill<std::string>(file, kind);
    } else {
      fill<std::int32_t>(file, kind);
    }
    file.close();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
