// SPDX-License-Identifier: Apache-2.0
//
// Datasets of 2^64 elements and more beside a map of coordinates to values.
#include <map>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filigree/filigree.hpp>

#include "scratch.hpp"

namespace filigree {
namespace {

using Dims = std::vector<std::uint64_t>;
using rc::gen::inRange;

constexpr std::uint64_t far = std::uint64_t{1} << 62;
constexpr int fill = -7;

/// What the dataset should hold.
struct Elements {
  Dims dims;
  std::map<Dims, int> values;

  std::vector<int> read(const std::vector<Dims>& list) const {
    std::vector<int> found;
    for (const Dims& at : list) {
      const auto one = values.find(at);
      found.push_back(one == values.end() ? fill : one->second);
    }
    return found;
  }
  void resize(const Dims& now) {
    dims = now;
    std::erase_if(values,
                  [&](const auto& one) { return !std::ranges::equal(one.first, now, std::less<>()); });
  }
};

/// Elements, and the selection of them in the same order.
struct Chosen {
  std::vector<Dims> list;
  Selection selection;
};

/// A corner near the start, the middle or the end of the extent.
std::uint64_t gen_coordinate(std::uint64_t dim) {
  const std::uint64_t near = *inRange<std::uint64_t>(0, 12);
  switch (*inRange(0, 3)) {
    case 0:
      return std::min(near, dim - 1);
    case 1:
      return dim / 2 + std::min(near, dim / 2 - 1);
    default:
      return dim - 1 - std::min(near, dim - 1);
  }
}

Chosen gen_box(const Dims& dims) {
  Chosen box{{{}}, {}};
  Dims start, count;
  for (const std::uint64_t dim : dims) {
    start.push_back(gen_coordinate(dim));
    count.push_back(std::min(*inRange<std::uint64_t>(1, 8), dim - start.back()));
    std::vector<Dims> longer;
    for (const Dims& at : box.list)
      for (std::uint64_t i = 0; i < count.back(); ++i) {
        longer.push_back(at);
        longer.back().push_back(start.back() + i);
      }
    box.list = std::move(longer);
  }
  box.selection = Selection::box(start, count);
  return box;
}

Chosen gen_points(const Dims& dims) {
  Chosen points;
  Dims coordinates;
  const int count = *inRange(1, 12);
  for (int i = 0; i < count; ++i) {
    Dims& at = points.list.emplace_back();
    for (const std::uint64_t dim : dims) at.push_back(gen_coordinate(dim));
    coordinates.insert(coordinates.end(), at.begin(), at.end());
  }
  points.selection = Selection::points(dims, coordinates);
  return points;
}

/// The union of two boxes, which may be far apart.
Chosen gen_union(const Dims& dims) {
  const Chosen a = gen_box(dims), b = gen_box(dims);
  std::set<Dims> both(a.list.begin(), a.list.end());
  both.insert(b.list.begin(), b.list.end());
  return {{both.begin(), both.end()}, a.selection.within(dims) | b.selection.within(dims)};
}

/// Two elements in every dimension, at the ends.
Chosen gen_strided(const Dims& dims) {
  Chosen made{{{}}, {}};
  Dims start, stride, count(dims.size(), 2);
  for (const std::uint64_t dim : dims) {
    start.push_back(std::min(gen_coordinate(dim), dim / 3));
    stride.push_back(dim / 2);
    std::vector<Dims> longer;
    for (const Dims& at : made.list)
      for (std::uint64_t i = 0; i < 2; ++i) {
        longer.push_back(at);
        longer.back().push_back(start.back() + i * stride.back());
      }
    made.list = std::move(longer);
  }
  made.selection = Selection::strided(start, stride, count);
  return made;
}

Chosen gen_chosen(const Dims& dims) {
  switch (*inRange(0, 5)) {
    case 0:
      return gen_points(dims);
    case 1:
      return gen_union(dims);
    case 2:
      return gen_strided(dims);
    default:
      return gen_box(dims);
  }
}

Dims gen_dims() {
  const Dims lengths{far, far + 3, std::uint64_t{1} << 33, (std::uint64_t{1} << 33) + 5};
  const auto first = *rc::gen::elementOf(lengths), last = *rc::gen::elementOf(lengths);
  if (*rc::gen::arbitrary<bool>()) return {first, last};
  return {first, *inRange<std::uint64_t>(1000, 1009), last};
}

DatasetOptions gen_options(std::size_t rank, bool sparse) {
  DatasetOptions options;
  options.sparse = sparse;
  options.fill = Fill::of(Datatype::memory<int>(), &fill);
  for (std::size_t d = 0; d < rank; ++d) options.chunk.push_back(*inRange<std::uint64_t>(1, 9));
  if (*rc::gen::arbitrary<bool>()) options.filters = {filters::shuffle(), filters::deflate(1)};
  if (!sparse && !options.filters.empty()) options.filter_partial_chunks = *rc::gen::arbitrary<bool>();
  return options;
}

void check(const Dataset& data, const Elements& elements, const Chosen& chosen) {
  const auto found = data.read<std::vector<int>>(chosen.selection);
  RC_ASSERT(found == elements.read(chosen.list));
}

void check_defined(const Dataset& data, const Elements& elements, const Chosen& chosen) {
  if (chosen.selection.kind() == Selection::Kind::points) return;
  Dims expected;
  for (const Dims& at : chosen.list)
    if (elements.values.contains(at)) expected.insert(expected.end(), at.begin(), at.end());
  RC_ASSERT(data.defined(chosen.selection).coordinates() == expected);
}

void check_all_defined(const Dataset& data, const Elements& elements) {
  Dims expected;
  for (const auto& [at, value] : elements.values) expected.insert(expected.end(), at.begin(), at.end());
  RC_ASSERT(data.defined({}).coordinates() == expected);
}

void write(Dataset& data, Elements& elements, const Chosen& chosen) {
  static int next = 0;
  std::vector<int> values;
  for (const Dims& at : chosen.list) values.push_back(elements.values[at] = next++);
  if (chosen.selection.kind() == Selection::Kind::points && *rc::gen::arbitrary<bool>()) {
    Dims coordinates;
    for (const Dims& at : chosen.list) coordinates.insert(coordinates.end(), at.begin(), at.end());
    return write_coordinates<int>(data, coordinates, values);
  }
  data.write(values, chosen.selection);
}

void run(bool sparse) {
  const bool latest = sparse || *rc::gen::arbitrary<bool>();
  const AccessOptions access = bounds(latest ? Version::latest : Version::earliest);
  Elements elements{gen_dims(), {}};
  auto options = gen_options(elements.dims.size(), sparse);
  const bool grows = *rc::gen::arbitrary<bool>();
  const Dims most = grows ? Dims(elements.dims.size(), unlimited) : elements.dims;
  File file = File::create_in_memory({}, access);
  Dataset data = file.root().create_dataset("d", Datatype::memory<int>(),
                                            Dataspace::simple(elements.dims, most), options);
  const int steps = *inRange(2, 14);
  for (int i = 0; i < steps; ++i) {
    const Chosen chosen = gen_chosen(elements.dims);
    switch (*inRange(0, 8)) {
      case 0:
        check(data, elements, chosen);
        break;
      case 1:
        file = reopened(file, OpenMode::read_write, access);
        data = file.root().open_dataset("d");
        break;
      case 2:
        if (!sparse) break;
        data.erase(chosen.selection);
        for (const Dims& at : chosen.list) elements.values.erase(at);
        break;
      case 3: {
        if (!grows) break;
        Dims now = elements.dims;
        for (std::uint64_t& n : now)
          if (*inRange(0, 2) == 0) n = std::max<std::uint64_t>(1000, n - *inRange<std::uint64_t>(0, 20) + 5);
        data.resize(now);
        elements.resize(now);
        break;
      }
      default:
        write(data, elements, chosen);
        check(data, elements, chosen);
    }
    if (sparse) check_defined(data, elements, gen_chosen(elements.dims));
    check(data, elements, gen_chosen(elements.dims));
  }
  if (sparse) check_all_defined(data, elements);
  for (const auto& [at, value] : elements.values)
    RC_ASSERT(data.read<std::vector<int>>(Selection::points(elements.dims, at)) == std::vector<int>{value});
}

RC_GTEST_PROP(HugeExtent, DenseDatasetsHoldWhatIsWritten, ()) { run(false); }
RC_GTEST_PROP(HugeExtent, SparseDatasetsHoldWhatIsWritten, ()) { run(true); }

TEST(HugeExtent, LimitsAreNamed) {
  File file = File::create_in_memory();
  DatasetOptions options;
  options.chunk = {4, 4};
  Dataset data =
      file.root().create_dataset("d", Datatype::memory<int>(), Dataspace::simple({far, far}), options);
  const auto expect_limit = [](auto work) { EXPECT_EQ(error_of(work), ErrorKind::limit); };
  expect_limit([&] { data.read<std::vector<int>>(); });
  expect_limit([&] { data.read<std::vector<int>>(Selection::box({0, 0}, {far, far / 2})); });
  expect_limit([&] { (void)Selection::of_offsets({far, far}, std::vector<std::uint64_t>{1}); });
  expect_limit([&] { (void)Selection::points({far, far}, std::vector<std::uint64_t>{1, 1}).offsets(); });
  expect_limit([&] {
    options.allocation = AllocationTime::early;
    file.root().create_dataset("early", Datatype::memory<int>(), Dataspace::simple({far, far}), options);
  });
  EXPECT_THROW(data.read<std::vector<int>>(Selection::box({far, 0}, {1, 1})), Error);
  EXPECT_THROW((void)Selection::points({far, far}, std::vector<std::uint64_t>{far, 1}), Error);
}

TEST(HugeExtent, StringsOfAnyLengthAreStored) {
  for (const bool sparse : {false, true}) {
    File file = File::create_in_memory({}, bounds(Version::latest));
    DatasetOptions options;
    options.chunk = {4, 4};
    options.sparse = sparse;
    const Selection box = Selection::box({far - 3, far / 2 - 1}, {2, 3}),
                    part = Selection::box({far - 3, far / 2}, {1, 1});
    const std::vector<std::string> texts{"a", "", "three", "more", "fünf", std::string(100, '6')};
    Dataset data =
        file.root().create_dataset("d", Datatype::variable_string(), Dataspace::simple({far, far}), options);
    data.write(texts, box);
    data.write(std::vector<std::string>{"changed"}, part);
    file = reopened(file, OpenMode::read_write);
    data = file.root().open_dataset("d");
    auto expected = texts;
    expected[1] = "changed";
    EXPECT_EQ(data.read<std::vector<std::string>>(box), expected);
    EXPECT_EQ(data.read<std::vector<std::string>>(Selection::box({0, 0}, {1, 1})),
              std::vector<std::string>{""});
  }
}

TEST(HugeExtent, DatasetsGrowToIt) {
  for (const bool sparse : {false, true}) {
    File file = File::create_in_memory({}, bounds(Version::latest));
    DatasetOptions options;
    options.chunk = {4, 4};
    options.sparse = sparse;
    Dataset data = file.root().create_dataset("d", Datatype::memory<int>(),
                                              Dataspace::simple({10, 10}, {unlimited, unlimited}), options);
    data.write(std::vector<int>{1, 2}, Selection::box({8, 9}, {2, 1}));
    data.resize({far, far});
    data.write(std::vector<int>{3, 4}, Selection::box({9, 9}, {1, 2}));
    data.write(std::vector<int>{5}, Selection::box({far - 1, far - 1}, {1, 1}));
    EXPECT_EQ(data.read<std::vector<int>>(Selection::box({8, 9}, {2, 2})), (std::vector<int>{1, 0, 3, 4}));
    data.resize({9, 10});
    EXPECT_EQ(data.read<std::vector<int>>(Selection::box({8, 9}, {1, 1})), std::vector<int>{1});
    EXPECT_EQ(data.chunk_count(), 1u);
    data.resize({far, far});
    EXPECT_EQ(data.read<std::vector<int>>(Selection::box({8, 9}, {2, 2})), (std::vector<int>{1, 0, 0, 0}));
  }
}

TEST(HugeExtent, ChunksAreReadAndWrittenDirectly) {
  File file = File::create_in_memory();
  DatasetOptions options;
  options.chunk = {4, 4};
  const Dims dims{far, far};
  Dataset data = file.root().create_dataset("d", Datatype::memory<int>(), Dataspace::simple(dims), options);
  std::vector<int> values(16, 3);
  const Dims corner{far - 4, far / 2};
  data.write_chunk(corner, std::as_bytes(std::span(values)));
  EXPECT_EQ(data.read<std::vector<int>>(Selection::box({far - 5, far / 2}, {2, 1})),
            (std::vector<int>{0, 3}));
  EXPECT_EQ(data.chunk_count(Selection::box({far - 1, far / 2}, {1, 1})), 1u);
  EXPECT_EQ(data.chunk_count(Selection::box({far - 5, far / 2}, {1, 1})), 0u);
  EXPECT_EQ(data.chunk_count(), 1u);
  EXPECT_EQ(data.stored_bytes(), 64u);
  EXPECT_EQ(data.read_chunk(corner).bytes.size(), 64u);
}

}  // namespace
}  // namespace filigree
