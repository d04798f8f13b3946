// SPDX-License-Identifier: Apache-2.0
#include "chunk/sparse/stripe_grid.hpp"

#include <optional>
#include <random>

#include <gtest/gtest.h>

namespace filigree::chunk {
namespace {

using Dims = std::vector<std::uint64_t>;

TEST(StripeGrid, FindsEveryElementInItsChunk) {
  std::mt19937 random(1);
  for (int round = 0; round < 500; ++round) {
    Dims dims, chunk;
    for (std::size_t rank = 1 + random() % 4; rank > 0; --rank) {
      dims.push_back(1 + random() % 9);
      chunk.push_back(random() % 3 == 0 ? 1 : 1 + random() % 6);
    }
    const space::ChunkGrid grid(space::Frame(dims), chunk);
    const StripeGrid stripes(grid);
    std::uint64_t before = 0;
    std::optional<StripeGrid::Finder> finder(stripes);
    for (std::uint64_t linear = 0; linear < grid.extent().elements(); ++linear) {
      Dims at(dims.size()), scaled(dims.size()), inside(dims.size());
      grid.extent().coordinates(linear, at.data());
      for (std::size_t d = 0; d < at.size(); ++d) {
        scaled[d] = at[d] / chunk[d];
        inside[d] = at[d] % chunk[d];
      }
      const std::uint64_t number = grid.chunks().offset(scaled);
      const StripeGrid::Stripe stripe = stripes.stripe_of_offset(linear);
      if (stripe.first_chunk != before) finder.emplace(stripes);
      before = stripe.first_chunk;
      ASSERT_GE(linear, stripe.first_offset);
      ASSERT_LT(linear, stripe.end_offset);
      ASSERT_EQ(stripes.stripe_of_chunk(number).first_offset, stripe.first_offset);
      ASSERT_EQ(stripes.stripe_of_chunk(number).end_offset, stripe.end_offset);
      const StripeGrid::ChunkOffset found = finder->find(linear - stripe.first_offset);
      ASSERT_EQ(stripe.first_chunk + found.chunk, number);
      ASSERT_LT(found.chunk, stripes.chunks());
      ASSERT_EQ(found.offset, grid.chunk().offset(inside));
    }
  }
}

}  // namespace
}  // namespace filigree::chunk
