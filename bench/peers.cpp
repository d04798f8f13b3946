// SPDX-License-Identifier: Apache-2.0
//
// filigree_peers: our part of `make bench-peers`. scripts/bench-peers writes the data, chooses the
// operations, and compares the results with those of other libraries.
//
//   filigree_peers matrix|frames FOLDER      prints a JSON object of {operation: [seconds, elements, sum of
//   values]}
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include <filigree/filigree.hpp>

namespace {

using namespace filigree;
using Dims = std::vector<std::uint64_t>;

template <class T>
std::vector<T> load(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::vector<T> values(std::filesystem::file_size(path) / sizeof(T));
  in.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(T)));
  if (!in) throw std::runtime_error("cannot read " + path);
  return values;
}

struct Answer {
  std::uint64_t elements = 0;
  double sum = 0;
};

template <class T>
Answer answer(const std::vector<T>& values) {
  Answer found{values.size(), 0};
  for (const T value : values) found.sum += value;
  return found;
}

/// Prints the operations as members of one JSON object.
class Operations {
 public:
  /// Measures `work`, but not the use of its result.
  template <class Work>
  void run(const char* name, const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    const auto result = work();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    const Answer found = answer(result);
    std::printf("%s\"%s\": [%.9f, %llu, %.17g]", first_ ? "{" : ", ", name, took.count(),
                static_cast<unsigned long long>(found.elements), found.sum);
    first_ = false;
  }
  ~Operations() { std::printf("}\n"); }

 private:
  bool first_ = true;
};

DatasetOptions sparse(const Dims& chunk) {
  return sparse_chunks(chunk)
      .values({filters::shuffle(), filters::deflate(1)})
      .selection({filters::packed_selection()});
}

template <class T>
std::vector<T> part(const std::string& path, const Dims& start, const Dims& count) {
  return read_defined<T>(File::open(path).root().open_dataset("data"), Selection::box(start, count)).values;
}

/// A matrix in memory, as CSR arrays.
void matrix(const std::string& folder) {
  constexpr std::uint64_t side = 10'000;
  const auto offsets = load<std::uint64_t>(folder + "/matrix.offsets");
  Csr<float> rows{
      side, side, std::vector<std::uint64_t>(side + 1), {}, load<float>(folder + "/matrix.values")};
  for (const std::uint64_t offset : offsets) {
    ++rows.row_starts[offset / side + 1];
    rows.column_indices.push_back(offset % side);
  }
  for (std::size_t row = 1; row <= side; ++row) rows.row_starts[row] += rows.row_starts[row - 1];
  const std::string path = folder + "/matrix-filigree.h5";
  std::filesystem::remove(path);
  Operations operations;
  operations.run("write", [&] {
    File file = File::create(path, CreateMode::exclusive);
    auto data =
        file.root().create_dataset<float>("data", Dataspace::simple({side, side}), sparse({256, 256}));
    write_csr(data, rows);
    file.close();
    return rows.values;
  });
  operations.run("read all",
                 [&] { return read_csr<float>(File::open(path).root().open_dataset("data")).values; });
  operations.run("region", [&] { return part<float>(path, {5000, 3000}, {100, 100}); });
  operations.run("rows", [&] { return part<float>(path, {5000, 0}, {100, side}); });
  operations.run("columns", [&] { return part<float>(path, {0, 3000}, {side, 100}); });
}

void frames(const std::string& folder) {
  constexpr std::uint64_t count = 64, side = 1024, pixels = side * side;
  const auto offsets = load<std::uint64_t>(folder + "/frames.offsets");
  const auto values = load<std::uint16_t>(folder + "/frames.values");
  std::vector<std::vector<std::uint64_t>> frame_offsets(count);
  std::vector<std::vector<std::uint16_t>> lit(count);
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    frame_offsets[offsets[i] / pixels].push_back(offsets[i] % pixels);
    lit[offsets[i] / pixels].push_back(values[i]);
  }
  const std::string path = folder + "/frames-filigree.h5";
  std::filesystem::remove(path);
  Operations operations;
  operations.run("write", [&] {
    File file = File::create(path, CreateMode::exclusive);
    auto data = file.root().create_dataset<std::uint16_t>(
        "data", Dataspace::simple({0, side, side}, {unlimited, side, side}), sparse({1, 256, 256}));
    FrameAppender appender(data);
    for (std::size_t i = 0; i < count; ++i) appender.append_offsets<std::uint16_t>(frame_offsets[i], lit[i]);
    appender.close();
    file.close();
    return values;
  });
  operations.run("read all", [&] {
    return read_defined<std::uint16_t>(File::open(path).root().open_dataset("data")).values;
  });
  operations.run("region", [&] { return part<std::uint16_t>(path, {37, 300, 520}, {1, 64, 64}); });
  operations.run("rows", [&] { return part<std::uint16_t>(path, {37, 0, 0}, {1, side, side}); });
  operations.run("columns", [&] { return part<std::uint16_t>(path, {0, 300, 520}, {count, 64, 64}); });
}

}  // namespace

int main(int argc, char** argv) {
  const std::string kind = argc == 3 ? argv[1] : "";
  try {
    if (kind == "matrix") return matrix(argv[2]), 0;
    if (kind == "frames") return frames(argv[2]), 0;
  } catch (const std::exception& error) {
    std::cerr << "filigree_peers: " << error.what() << '\n';
    return 1;
  }
  std::cerr << "usage: filigree_peers matrix|frames FOLDER (scripts/bench-peers writes the folder)\n";
  return 2;
}
