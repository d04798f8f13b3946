// SPDX-License-Identifier: Apache-2.0
#include "chunk/sparse/chunk_bands.hpp"

#include <optional>
#include <random>

#include <gtest/gtest.h>

namespace filigree::chunk {
namespace {

using Dims = std::vector<std::uint64_t>;

TEST(BandGrid, FindsEveryElementInItsChunk) {
  std::mt19937 random(1);
  for (int round = 0; round < 500; ++round) {
    Dims dims, chunk;
    for (std::size_t rank = 1 + random() % 4; rank > 0; --rank) {
      dims.push_back(1 + random() % 9);
      chunk.push_back(random() % 3 == 0 ? 1 : 1 + random() % 6);
    }
    const space::ChunkGrid grid(space::Frame(dims), chunk);
    const BandGrid bands(grid);
    std::uint64_t before = 0;
    std::optional<BandGrid::Finder> finder(bands);
    for (std::uint64_t place = 0; place < grid.extent().elements(); ++place) {
      Dims at(dims.size()), scaled(dims.size()), inside(dims.size());
      grid.extent().coordinates(place, at.data());
      for (std::size_t d = 0; d < at.size(); ++d) {
        scaled[d] = at[d] / chunk[d];
        inside[d] = at[d] % chunk[d];
      }
      const std::uint64_t number = grid.chunks().offset(scaled);
      const BandGrid::Band band = bands.band_of_place(place);
      if (band.first_chunk != before) finder.emplace(bands);
      before = band.first_chunk;
      ASSERT_GE(place, band.first_place);
      ASSERT_LT(place, band.end_place);
      ASSERT_EQ(bands.band_of_chunk(number).first_place, band.first_place);
      ASSERT_EQ(bands.band_of_chunk(number).end_place, band.end_place);
      const BandGrid::Spot spot = finder->find(place - band.first_place);
      ASSERT_EQ(band.first_chunk + spot.chunk, number);
      ASSERT_LT(spot.chunk, bands.chunks());
      ASSERT_EQ(spot.chunk_offset, grid.chunk().offset(inside));
    }
  }
}

}  // namespace
}  // namespace filigree::chunk
