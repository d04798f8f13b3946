// SPDX-License-Identifier: Apache-2.0
//
// Boxes of few elements, read with and without the general way.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <filigree/filigree.hpp>

#include "scratch.hpp"

namespace filigree {
namespace {

using Dims = std::vector<std::uint64_t>;

const Datatype stored = Datatype::of<std::int32_t>();

template <class T>
std::vector<T> iota(std::size_t count) {
  std::vector<T> values(count);
  std::iota(values.begin(), values.end(), T{});
  return values;
}

std::uint64_t elements_of(const Dims& count) {
  return std::accumulate(count.begin(), count.end(), std::uint64_t{1}, std::multiplies<>());
}

/// The box as read_small() reads it, or nothing.
template <class T>
std::optional<std::vector<T>> read_small(const Dataset& data, const Datatype& type, const Dims& start,
                                         const Dims& count) {
  std::vector<T> values(elements_of(count));
  if (!data.read_small(type, start, count, values.data())) return std::nullopt;
  return values;
}

template <class T>
std::vector<T> read_box(const Dataset& data, const Datatype& type, const Dims& start, const Dims& count) {
  std::vector<T> values(elements_of(count));
  data.read_elements(type, values.data(), values.size(), Selection::box(start, count));
  return values;
}

/// Datasets of each layout with the same elements.
std::vector<Dataset> make_all(File& file, const Dims& dims) {
  std::vector<DatasetOptions> options(5);
  options[0].layout = Layout::contiguous;
  options[1].layout = Layout::compact;
  for (std::size_t i = 2; i < options.size(); ++i)
    for (const std::uint64_t dim : dims) options[i].chunk.push_back(std::min<std::uint64_t>(dim, i + 1));
  options[3].filters = {filters::deflate(1)};
  options[4].sparse = true;
  std::vector<Dataset> made;
  for (const DatasetOptions& one : options) {
    made.push_back(
        file.root().create_dataset("d" + std::to_string(made.size()), stored, Dataspace::simple(dims), one));
    made.back().write(iota<std::int32_t>(elements_of(dims)));
  }
  return made;
}

TEST(SmallBoxes, HaveTheElementsOfTheGeneralRead) {
  const Scratch scratch;
  std::mt19937 random(1);
  for (const Dims& dims : {Dims{40}, Dims{9, 11}, Dims{1, 13, 1}, Dims{5, 4, 6}, Dims{2, 3, 2, 3}}) {
    File file = File::create(scratch / ("r" + std::to_string(dims.size()) + ".h5"), CreateMode::truncate);
    const auto all = make_all(file, dims);
    const auto wide = Datatype::of<double>();
    int served = 0;
    for (int i = 0; i < 400; ++i) {
      Dims start, count;
      for (const std::uint64_t dim : dims) {
        start.push_back(random() % dim);
        count.push_back(1 + random() % (dim - start.back()));
      }
      for (const Dataset& data : all) {
        const auto expected = read_box<std::int32_t>(data, stored, start, count);  // also caches chunks
        if (const auto found = read_small<std::int32_t>(data, stored, start, count)) {
          EXPECT_EQ(*found, expected);
          ++served;
        }
        if (const auto found = read_small<double>(data, wide, start, count)) {
          EXPECT_EQ(*found, std::vector<double>(expected.begin(), expected.end()));
        }
      }
    }
    EXPECT_GT(served, 1000);
  }
}

TEST(SmallBoxes, OfAScalarHaveItsElement) {
  File file = File::create_in_memory();
  auto data = file.root().create_dataset("d", stored, Dataspace::scalar());
  EXPECT_FALSE(read_small<std::int32_t>(data, stored, {}, {}));  // nothing is stored
  data.write(7);
  EXPECT_EQ(read_small<std::int32_t>(data, stored, {}, {}), std::vector<std::int32_t>{7});
}

TEST(SmallBoxes, SeeWritesAndChangesOfTheShape) {
  File file = File::create_in_memory();
  DatasetOptions options;
  options.chunk = {10};
  options.filters = {filters::deflate(1)};  // others are not cached in memory
  auto data = file.root().create_dataset("d", stored, Dataspace::simple({20}, {unlimited}), options);
  data.write(iota<std::int32_t>(20));
  const auto cache = [&] { read_box<std::int32_t>(data, stored, {1}, {2}); };  // a part of the first chunk
  cache();
  EXPECT_EQ(read_small<std::int32_t>(data, stored, {5}, {2}), (std::vector<std::int32_t>{5, 6}));
  const std::int32_t changed = 50;
  data.write_elements(stored, &changed, 1, Selection::box({5}, {1}));
  EXPECT_EQ(read_small<std::int32_t>(data, stored, {5}, {2}), (std::vector<std::int32_t>{50, 6}));
  data.resize({6});
  cache();
  EXPECT_FALSE(read_small<std::int32_t>(data, stored, {5}, {2}));
  EXPECT_EQ(read_small<std::int32_t>(data, stored, {5}, {1}), std::vector<std::int32_t>{50});
}

TEST(SmallBoxes, OtherReadsAreLeftToTheGeneralWay) {
  const Scratch scratch;
  File file = File::create(scratch / "a.h5");
  const Dims dims{100, 100};
  const auto all = make_all(file, {10, 10});
  const auto large = file.root().create_dataset("large", stored, Dataspace::simple(dims));
  const auto text = file.root().create_dataset("text", Datatype::variable_string(), Dataspace::simple({10}));
  for (const auto& [start, count] : std::vector<std::pair<Dims, Dims>>{
           {{0, 0}, {0, 1}}, {{10, 0}, {1, 1}}, {{0, 5}, {1, 6}}, {{~0ull, 0}, {2, 1}}, {{0}, {1}}, {{}, {}}})
    for (const Dataset& data : all) {
      std::int32_t value = 0;
      EXPECT_FALSE(data.read_small(stored, start, count, &value));
    }
  EXPECT_FALSE(read_small<std::int32_t>(large, stored, {0, 0}, {1, 1})) << "nothing was written";
  std::string word;
  EXPECT_FALSE(text.read_small(Datatype::memory<std::string>(), Dims{0}, Dims{1}, &word));
  auto written = large;
  written.write(iota<std::int32_t>(10'000));
  EXPECT_FALSE(read_small<std::int32_t>(large, stored, {0, 0}, {100, 100})) << "more than 4 KiB";
  EXPECT_FALSE(read_small<std::int32_t>(large, stored, {0, 0}, {65, 1})) << "far apart";
  EXPECT_TRUE(read_small<std::int32_t>(large, stored, {99, 0}, {1, 100}));
  file.close();
  EXPECT_THROW(read_small<std::int32_t>(large, stored, {0, 0}, {1, 1}), Error);
}

}  // namespace
}  // namespace filigree
