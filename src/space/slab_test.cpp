// SPDX-License-Identifier: Apache-2.0
#include "space/slab.hpp"

#include <random>

#include <gtest/gtest.h>

#include <filigree/error.hpp>

namespace filigree::space {
namespace {

std::vector<std::uint64_t> walk(const Slab& slab, std::mt19937* random = nullptr) {
  std::vector<std::uint64_t> seen;
  for (SlabCursor cursor(slab); !cursor.done();) {
    const RunPattern p = cursor.pattern();
    std::uint64_t take = p.length * p.count;
    if (random != nullptr) take = 1 + (*random)() % take;
    for (std::uint64_t i = 0; i < take; ++i) seen.push_back(p.start + i / p.length * p.stride + i % p.length);
    cursor.advance(take);
  }
  return seen;
}

/// Tests every element of the extent.
std::vector<std::uint64_t> naive(const Slab& slab) {
  std::uint64_t total = 1;
  for (const auto n : slab.extent()) total *= n;
  std::vector<std::uint64_t> selected;
  for (std::uint64_t e = 0; e < total; ++e) {
    bool in = true;
    std::uint64_t rest = e;
    for (std::size_t d = slab.extent().size(); d-- > 0;) {
      const std::uint64_t at = rest % slab.extent()[d];
      rest /= slab.extent()[d];
      const SlabDimension& s = slab.dims()[d];
      in = in && s.count > 0 && at >= s.start && (at - s.start) / s.stride < s.count &&
           (at - s.start) % s.stride < s.block;
    }
    if (in) selected.push_back(e);
  }
  return selected;
}

TEST(Slab, VisitsTheSameElementsAsABitmap) {
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    const std::size_t rank = random() % 5;
    std::vector<std::uint64_t> extent;
    std::vector<SlabDimension> dims;
    for (std::size_t d = 0; d < rank; ++d) {
      const std::uint64_t n = 1 + random() % 7;
      SlabDimension s;
      s.start = random() % n;
      s.block = 1 + random() % (n - s.start);
      s.stride = s.block + random() % 3;
      const std::uint64_t most = 1 + (n - s.start - s.block) / s.stride;
      s.count = random() % 9 == 0 ? 0 : 1 + random() % most;
      extent.push_back(n);
      dims.push_back(s);
    }
    const Slab slab(extent, dims);
    const auto expected = naive(slab);
    ASSERT_EQ(slab.elements(), expected.size());
    ASSERT_EQ(walk(slab), expected);
    ASSERT_EQ(walk(slab, &random), expected);
  }
}

TEST(Slab, EverythingIsOneRun) {
  for (const std::vector<std::uint64_t>& extent :
       {std::vector<std::uint64_t>{}, {1}, {5}, {3, 4}, {2, 1, 7, 1}}) {
    const Slab slab(extent);
    EXPECT_TRUE(slab.one_run());
    EXPECT_EQ(walk(slab).size(), slab.elements());
  }
  EXPECT_TRUE(Slab({4, 5, 6}, {{1, 1, 2, 1}, {0, 1, 1, 5}, {0, 1, 6, 1}}).one_run());
  EXPECT_FALSE(Slab({4, 5, 6}, {{1, 1, 2, 1}, {0, 1, 1, 5}, {0, 1, 5, 1}}).one_run());
}

TEST(Slab, EmptyExtentsHaveNoRuns) {
  EXPECT_EQ(Slab({0}).elements(), 0u);
  EXPECT_EQ(Slab({5, 0, 3}).elements(), 0u);
  EXPECT_TRUE(SlabCursor(Slab({5, 0, 3})).done());
  EXPECT_FALSE(Slab({5, 0, 3}).one_run());
}

TEST(Slab, RejectsSlabsOutsideOfTheExtent) {
  const auto message = [](std::vector<std::uint64_t> extent, std::vector<SlabDimension> dims) -> std::string {
    try {
      const Slab slab(std::move(extent), std::move(dims));
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_NE(message({5}, {{3, 1, 3, 1}}).find("dimension 0: it ends at 6, the extent has 5"),
            std::string::npos);
  EXPECT_NE(message({5, 5}, {{0, 1, 5, 1}, {0, 2, 2, 3}}).find("dimension 1: blocks of 3 elements overlap"),
            std::string::npos);
  EXPECT_NE(message({5}, {{0, ~0ull, 3, 1}}).find("64 bits"), std::string::npos);
  EXPECT_NE(message({5}, {}).find("0 dimensions, the extent 1"), std::string::npos);
  EXPECT_EQ(message({5}, {{9, 0, 0, 1}}), "selection in dimension 0: a stride of zero");
  EXPECT_EQ(message({5}, {{9, 1, 0, 1}}), "");
}

}  // namespace
}  // namespace filigree::space
