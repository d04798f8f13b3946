// SPDX-License-Identifier: Apache-2.0
#include "space/frame.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filigree/error.hpp>

#include "testing/selection_twin.hpp"

namespace filigree::space {
namespace {

using namespace filigree::testing;

RC_GTEST_PROP(Frame, HasRowMajorOffsets, ()) {
  const Frame frame = *gen_frame();
  Coordinates at(frame.rank(), 0);
  for (std::uint64_t offset = 0; offset < frame.elements(); ++offset) {
    RC_ASSERT(frame.contains(at));
    RC_ASSERT(frame.offset(at) == offset);
    RC_ASSERT(coordinates_in(frame, offset) == at);
    for (std::size_t d = frame.rank(); d-- > 0;) {
      if (++at[d] < frame.dims()[d]) break;
      at[d] = 0;
    }
  }
}

RC_GTEST_PROP(Frame, JoinedIsTheSmallestFrameAroundBoth, ()) {
  const auto rank = *gen_number(1, 6);
  const Frame a = *gen_frame(rank);
  const Frame b = *gen_frame(rank);
  const Frame both = a.joined(b);
  for (std::size_t d = 0; d < rank; ++d) RC_ASSERT(both.dims()[d] == std::max(a.dims()[d], b.dims()[d]));
  RC_ASSERT(both == b.joined(a));
}

RC_GTEST_PROP(Frame, HasSameOffsetsIfCommonElementsAgree, ()) {
  const auto rank = *gen_number(1, 4);
  const Frame a = *gen_frame(rank);
  const Frame b = *gen_frame(rank);
  if (!a.has_same_offsets(b)) return;
  for (std::uint64_t offset = 0; offset < a.elements(); ++offset) {
    const Coordinates at = coordinates_in(a, offset);
    if (b.contains(at)) RC_ASSERT(b.offset(at) == offset);
  }
}

TEST(Frame, HasSameOffsetsIfOnlyTheFirstDimensionDiffers) {
  EXPECT_TRUE(Frame({3, 4, 5}).has_same_offsets(Frame({9, 4, 5})));
  EXPECT_FALSE(Frame({3, 4, 5}).has_same_offsets(Frame({3, 4, 6})));
  EXPECT_FALSE(Frame({3, 4, 5}).has_same_offsets(Frame({3, 5, 5})));
}

TEST(Frame, OfRankZeroHasOneElement) {
  const Frame scalar;
  EXPECT_EQ(scalar.elements(), 1u);
  EXPECT_EQ(scalar.offset(Coordinates{}), 0u);
  EXPECT_TRUE(scalar.contains(Coordinates{}));
}

TEST(Frame, WithADimensionOfZeroHasNoElements) {
  const Frame frame({4, 0, 3});
  EXPECT_EQ(frame.elements(), 0u);
  EXPECT_FALSE(frame.contains(Coordinates{0, 0, 0}));
}

TEST(Frame, RejectsTooManyDimensionsOrElements) {
  EXPECT_EQ(Frame(Coordinates(max_rank, 1)).rank(), max_rank);
  EXPECT_THROW(Frame(Coordinates(max_rank + 1, 1)), Error);
  EXPECT_EQ(Frame({~std::uint64_t{0}}).elements(), ~std::uint64_t{0});
  EXPECT_THROW(Frame({std::uint64_t{1} << 32, std::uint64_t{1} << 32}), Error);
}

TEST(Frame, DoesNotContainCoordinatesOfAnotherRank) {
  EXPECT_FALSE(Frame({4, 4}).contains(Coordinates{1}));
  EXPECT_FALSE(Frame({4, 4}).contains(Coordinates{1, 1, 0}));
}

}  // namespace
}  // namespace filigree::space
