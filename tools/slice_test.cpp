// SPDX-License-Identifier: Apache-2.0
#include "slice.hpp"

#include <gmock/gmock.h>

namespace filigree::tools {
namespace {

using ::testing::ElementsAre;

std::vector<SliceRange> apply(std::string_view text, const std::vector<std::uint64_t>& extent) {
  return resolve_slice(parse_slice(text), extent);
}

/// Where the mark is, and what the message says.
std::pair<std::size_t, std::string> fault_of(std::string_view text,
                                             const std::vector<std::uint64_t>& extent) {
  try {
    apply(text, extent);
  } catch (const SliceError& error) {
    return {error.position(), error.what()};
  }
  ADD_FAILURE() << "'" << text << "' is accepted";
  return {};
}

TEST(Slice, CoordinatesDropTheirDimension) {
  EXPECT_THAT(apply("7, -1", {10, 20}), ElementsAre(SliceRange{7, 1, 1, true}, SliceRange{19, 1, 1, true}));
}

TEST(Slice, RangesHaveStartStopAndStepLikeThoseOfNumpy) {
  EXPECT_THAT(apply("1:10", {20}), ElementsAre(SliceRange{1, 1, 9}));
  EXPECT_THAT(apply("::2", {5}), ElementsAre(SliceRange{0, 2, 3}));
  EXPECT_THAT(apply("-3:", {5}), ElementsAre(SliceRange{2, 1, 3}));
  EXPECT_THAT(apply(" : -1 : 3 ", {8}), ElementsAre(SliceRange{0, 3, 3}));
  EXPECT_THAT(apply(":", {5}), ElementsAre(SliceRange{0, 1, 5}));
}

TEST(Slice, RangesBeyondTheExtentAreCut) {
  EXPECT_THAT(apply("3:100", {5}), ElementsAre(SliceRange{3, 1, 2}));
  EXPECT_THAT(apply("-100:2", {5}), ElementsAre(SliceRange{0, 1, 2}));
  EXPECT_THAT(apply("7:9", {5}), ElementsAre(SliceRange{5, 1, 0}));
  EXPECT_THAT(apply("4:2", {5}), ElementsAre(SliceRange{4, 1, 0}));
}

TEST(Slice, AnEllipsisStandsForAllDimensionsThatAreNotNamed) {
  EXPECT_THAT(apply("..., 3", {4, 5, 6}),
              ElementsAre(SliceRange{0, 1, 4}, SliceRange{0, 1, 5}, SliceRange{3, 1, 1, true}));
  EXPECT_THAT(apply("1", {4, 5}), ElementsAre(SliceRange{1, 1, 1, true}, SliceRange{0, 1, 5}));
  EXPECT_THAT(apply("1,...,2", {4, 5}), ElementsAre(SliceRange{1, 1, 1, true}, SliceRange{2, 1, 1, true}));
  EXPECT_THAT(apply("...", {}), ElementsAre());
}

TEST(Slice, HugeExtentsAndNumbersDoNotOverflow) {
  const std::uint64_t huge = ~std::uint64_t{0} - 1;
  EXPECT_THAT(apply("::4", {huge}), ElementsAre(SliceRange{0, 4, huge / 4 + 1}));
  EXPECT_THAT(apply("-9223372036854775808:", {10}), ElementsAre(SliceRange{0, 1, 10}));
}

TEST(Slice, FaultsPointAtTheCharacter) {
  EXPECT_EQ(fault_of("1:x", {5}).first, 2u);
  EXPECT_EQ(fault_of("a", {5}).first, 0u);
  EXPECT_EQ(fault_of("1, 2 3", {5, 5}).first, 5u);
  EXPECT_EQ(fault_of("::0", {5}), std::pair(std::size_t{2}, std::string("a step must be 1 or more")));
  EXPECT_EQ(fault_of("::-1", {5}).first, 2u);
  EXPECT_EQ(fault_of("..., 1, ...", {5}).first, 8u);
  EXPECT_EQ(fault_of("1,,2", {5, 5}).first, 2u);
  EXPECT_EQ(fault_of("", {5}).first, 0u);
  EXPECT_EQ(fault_of("1:2:3:4", {5}).first, 5u);
  EXPECT_EQ(fault_of("99999999999999999999", {5}).first, 0u);
  EXPECT_EQ(fault_of("..1", {5}).first, 0u);
}

TEST(Slice, CoordinatesOutsideOfTheExtentAndTooManyItemsPointAtTheItem) {
  EXPECT_EQ(fault_of("0, 5", {5, 5}).first, 3u);
  EXPECT_EQ(fault_of("-6", {5}).first, 0u);
  EXPECT_EQ(fault_of("0, 1, 2", {5, 5}).first, 6u);
  EXPECT_EQ(fault_of("..., 0", {}).first, 5u);
}

TEST(Slice, TextIsASliceOfTheSameElements) {
  for (const char* text : {"7, 1:9:3", "::2, -1", "2:2, 0", "3:, :"}) {
    const auto ranges = apply(text, {10, 12});
    EXPECT_EQ(apply(slice_text(ranges), {10, 12}).size(), 2u);
    EXPECT_EQ(to_selection(apply(slice_text(ranges), {10, 12})).within({10, 12}),
              to_selection(ranges).within({10, 12}))
        << text;
  }
}

}  // namespace
}  // namespace filigree::tools
