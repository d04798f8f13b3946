// SPDX-License-Identifier: Apache-2.0
//
// Parts of datasets, one by one: what they are, and what they cost.
#include <algorithm>
#include <cstring>

#include <gtest/gtest.h>

#include "forms.hpp"
#include "scratch.hpp"

namespace filigree {
namespace {

using Dims = std::vector<std::uint64_t>;

Dataset dense(const Dims& dims, const Dims& chunk) {
  DatasetOptions options;
  options.chunk = chunk;
  return File::create_in_memory().root().create_dataset<std::uint8_t>("d", Dataspace::simple(dims), options);
}

/// The first parts, at most so many.
std::vector<Selection> first_parts(const Dataset& data, const Selection& selection, std::uint64_t elements,
                                   std::size_t most) {
  std::vector<Selection> parts;
  EXPECT_FALSE(for_each_defined_part(data, selection, elements, [&](const Selection& part) {
    parts.push_back(part);
    return parts.size() < most;
  }));
  return parts;
}

TEST(DefinedParts, OfEndlessDenseDataCostNothingUntilTheyAreVisited) {
  constexpr std::uint64_t side = std::uint64_t{1} << 30;
  const Dataset data = dense({side, side}, {64, 64});
  const std::uint64_t size = 3 * side / 2;
  const auto parts = first_parts(data, {}, size, 3);
  ASSERT_EQ(parts.size(), 3u);
  for (std::uint64_t i = 0; i < 3; ++i)
    EXPECT_EQ(parts[i].runs(), std::vector<Selection::Run>({{i * size, size}}));
}

TEST(DefinedParts, OfStridedSlicesListOnlyTheirOwnElements) {
  constexpr std::uint64_t side = std::uint64_t{1} << 40;
  const auto parts = first_parts(dense({side}, {1024}), Selection::strided({1}, {2}, {side / 2}), 3, 2);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].offsets(), Dims({1, 3, 5}));
  EXPECT_EQ(parts[1].offsets(), Dims({7, 9, 11}));
}

TEST(DefinedParts, AreTheSelectionInRowMajorOrder) {
  const Dims dims{20, 30};
  const Dataset data = dense(dims, {7, 8});
  for (const Selection& selection :
       {Selection::all(), Selection::none(), Selection::box({3, 4}, {10, 20}),
        Selection::strided({1, 2}, {3, 4}, {6, 7}), Selection::of_offsets(dims, Dims{1, 2, 3, 50, 99, 599}),
        Selection::points(dims, Dims{19, 29, 0, 0, 5, 6, 0, 0})}) {
    for (const std::uint64_t size : {1, 5, 7, 600}) {
      const Selection wanted = selection.within(dims);
      Dims found, expected = wanted.offsets();
      const auto parts = partition_defined(data, selection, size);
      for (const Selection& part : parts) {
        EXPECT_TRUE(parts.size() == 1 || part.elements() == size || &part == &parts.back());
        const Dims offsets = part.offsets();
        found.insert(found.end(), offsets.begin(), offsets.end());
      }
      if (parts.size() > 1) {
        std::ranges::sort(expected);
        expected.erase(std::ranges::unique(expected).begin(), expected.end());
      }
      EXPECT_EQ(found, expected);
    }
  }
  EXPECT_EQ(error_of([&] { partition_defined(data, {}, 0); }), ErrorKind::invalid_argument);
}

class DefinedPartsOfSparse : public InBothForms {};

TEST_P(DefinedPartsOfSparse, EndWhenTheVisitorWantsNoMore) {
  File file = File::create_in_memory();
  Dataset data = file.root().create_dataset<int>("d", Dataspace::simple({40, 10}), sparse_chunks({4, 5}));
  data.write(std::vector<int>(400, 1));
  file.flush();
  EXPECT_EQ(first_parts(data, {}, 50, 2).size(), 2u);
  std::uint64_t elements = 0;
  EXPECT_TRUE(for_each_defined_part(data, Selection::box({3, 1}, {30, 8}), 50, [&](const Selection& part) {
    elements += data.defined_count(part);
    return true;
  }));
  EXPECT_EQ(elements, 240u);
  EXPECT_EQ(partition_defined(data, {}, 50).size(), 5u);
}

FILIGREE_IN_BOTH_FORMS(DefinedPartsOfSparse);

/// The file with other dimensions in the dataspace message. Headers of version 1 have no checksum.
std::vector<std::byte> with_dims(std::vector<std::byte> image, const Dims& before, const Dims& after) {
  int replaced = 0;
  for (std::size_t at = 0; at + 8 * before.size() <= image.size(); ++at) {
    if (std::memcmp(&image[at], before.data(), 8 * before.size()) != 0) continue;
    std::memcpy(&image[at], after.data(), 8 * after.size());
    ++replaced;
  }
  EXPECT_GE(replaced, 1);
  return image;
}

TEST(DefinedParts, IgnoreChunksOutsideOfTheExtent) {
  const Dims before{4321, 1234}, after{8, 6};
  const File file = File::create_in_memory({}, bounds(Version::earliest));
  Dataset data =
      file.root().create_dataset<int>("d", Dataspace::simple(before), SparseChunks({4, 5}).portable());
  for (const Dims& at : {Dims{0, 0}, Dims{4, 5}, Dims{5, 100}, Dims{100, 0}, Dims{4320, 1233}})
    data.write(7, Selection::box(at, {1, 1}));
  const File changed = File::open_image(with_dims(file.image(), before, after));
  const Dataset less = changed.root().open_dataset("d");
  ASSERT_EQ(less.space().dims(), after);
  EXPECT_EQ(less.chunk_count(), 5u);
  EXPECT_EQ(partition_defined(less, {}, 1).size(), 2u);
  Dims found;
  for_each_defined_offsets<int>(
      less, [&](auto offsets, auto) { found.insert(found.end(), offsets.begin(), offsets.end()); }, {}, 1);
  EXPECT_EQ(found, Dims({0, 29}));
}

}  // namespace
}  // namespace filigree
