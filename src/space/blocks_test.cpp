// SPDX-License-Identifier: Apache-2.0
#include "space/blocks.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "testing/selection_twin.hpp"

namespace filigree::space {
namespace {

using namespace filigree::testing;
using Corners = std::vector<std::uint64_t>;

constexpr std::uint64_t every = ~std::uint64_t{0};

std::vector<Bounds> blocks_of(const Selection& selection) {
  std::vector<Bounds> blocks;
  for_each_block(selection, [&](std::span<const std::uint64_t> low, std::span<const std::uint64_t> high) {
    blocks.push_back({{low.begin(), low.end()}, {high.begin(), high.end()}});
    return true;
  });
  return blocks;
}

SlabDimensions box_slab(const Bounds& block) {
  SlabDimensions dims;
  for (std::size_t d = 0; d < block.low.size(); ++d)
    dims.push_back({block.low[d], 1, 1, block.high[d] - block.low[d] + 1});
  return dims;
}

RC_GTEST_PROP(Blocks, CoverEveryElementOnce, ()) {
  const Selection selection = make(*gen_selection(*gen_frame()));
  const auto blocks = blocks_of(selection);
  RC_ASSERT(block_count(selection) == blocks.size());
  Bitmap covered(selection.frame());
  std::uint64_t elements = 0;
  for (const Bounds& block : blocks) {
    const Bitmap box(selection.frame(), box_slab(block));
    elements += box.offsets().size();
    covered = covered.combined(SetOperator::unite, box);
  }
  RC_ASSERT(covered == bitmap_of(selection));
  RC_ASSERT(elements == selection.elements());
}

RC_GTEST_PROP(Blocks, OfASetAscendByFirstCorner, ()) {
  const auto blocks = blocks_of(make(*gen_set(*gen_frame())));
  for (std::size_t i = 1; i < blocks.size(); ++i) RC_ASSERT(blocks[i - 1].low < blocks[i].low);
}

RC_GTEST_PROP(Blocks, ListsOfPartsMakeTheFullList, ()) {
  const Selection selection = make(*gen_selection(*gen_frame()));
  const auto all = block_list(selection, 0, every);
  const std::uint64_t width = 2 * selection.frame().rank();
  const std::uint64_t count = block_count(selection);
  RC_ASSERT(all.size() == count * width);
  const std::uint64_t first = *gen_number(0, count + 2);
  const std::uint64_t requested = *gen_number(0, count + 2);
  const std::uint64_t begin = std::min(first, count) * width;
  const std::uint64_t end = std::min(first + requested, count) * width;
  RC_ASSERT(block_list(selection, first, requested) ==
            Corners(all.begin() + static_cast<std::ptrdiff_t>(begin),
                    all.begin() + static_cast<std::ptrdiff_t>(std::max(begin, end))));
}

/// Decides by exhaustive search: the coordinates of every dimension are evenly spaced blocks, in all
/// combinations.
bool is_regular_twin(const Bitmap& twin) {
  const Frame& frame = twin.frame();
  std::uint64_t combinations = 1;
  for (std::size_t d = 0; d < frame.rank(); ++d) {
    std::vector<std::uint64_t> used;
    for (const std::uint64_t at : twin.offsets()) used.push_back(coordinates_in(frame, at)[d]);
    const RunSet line = RunSet::of_offsets(used);
    for (std::size_t i = 0; i < line.runs(); ++i) {
      if (line.run(i).length != line.run(0).length) return false;
      if (i > 1 && line.run(i).start - line.run(i - 1).start != line.run(1).start - line.run(0).start)
        return false;
    }
    combinations *= line.elements();
  }
  return combinations == twin.offsets().size();
}

RC_GTEST_PROP(RegularSlab, IsFoundIfAndOnlyIfTheSetIsRegular, ()) {
  const Selection set = make(*gen_set(*gen_frame()));
  for (const Selection& same : {set, Selection::of_runs(set.frame(), set.runs())}) {
    const auto slab = regular_slab(same);
    RC_ASSERT(slab.has_value() == (set.elements() != 0 && is_regular_twin(bitmap_of(set))));
    if (slab) RC_ASSERT(Bitmap(set.frame(), *slab) == bitmap_of(set));
  }
}

RC_GTEST_PROP(RegularSlab, OfRunsHasTheFewestBlocks, ()) {
  const Frame frame = *gen_frame();
  const auto slab = *gen_slab(frame);
  const Selection runs = Selection::of_runs(frame, Selection::regular(frame, slab).runs());
  RC_PRE(runs.elements() != 0);
  const auto found = regular_slab(runs);
  RC_ASSERT(found.has_value());
  for (std::size_t d = 0; d < slab.size(); ++d) RC_ASSERT(found->at(d) == slab[d].normalised());
}

TEST(Blocks, OfARegularSelectionKeepItsDescription) {
  const Frame frame({6, 9});
  const Selection single = Selection::regular(frame, {{0, 1, 2, 1}, {1, 1, 2, 1}});
  EXPECT_EQ(block_list(single, 0, every), (Corners{0, 1, 0, 1, 0, 2, 0, 2, 1, 1, 1, 1, 1, 2, 1, 2}));
  const Selection touching = Selection::regular(frame, {{2, 1, 1, 3}, {0, 4, 2, 4}});
  EXPECT_EQ(block_list(touching, 0, every), (Corners{2, 0, 4, 3, 2, 4, 4, 7}));
  EXPECT_EQ(block_list(touching, 1, 1), (Corners{2, 4, 4, 7}));
}

TEST(Blocks, OfRunsAreMergedAcrossRows) {
  const Frame frame({8, 8});
  const Selection ell = combine(Selection::regular(frame, {{0, 1, 1, 4}, {0, 1, 1, 2}}), SetOperator::unite,
                                Selection::regular(frame, {{0, 1, 1, 2}, {0, 1, 1, 5}}));
  EXPECT_EQ(block_list(ell, 0, every), (Corners{0, 0, 1, 4, 2, 0, 3, 1}));
  EXPECT_EQ(regular_slab(ell), std::nullopt);
}

TEST(Blocks, OfOtherKindsOfSelections) {
  const Frame frame({3, 4});
  EXPECT_EQ(block_count(Selection::none(frame)), 0u);
  EXPECT_EQ(block_list(Selection::all(frame), 0, every), (Corners{0, 0, 2, 3}));
  EXPECT_EQ(block_list(Selection::of_points(frame, {7, 0, 7}), 0, every),
            (Corners{1, 3, 1, 3, 0, 0, 0, 0, 1, 3, 1, 3}));
  EXPECT_EQ(block_count(Selection::all(Frame({3, 0}))), 0u);
  EXPECT_EQ(block_count(Selection()), 1u);
}

TEST(Blocks, OfAVastSelectionAreFoundDirectly) {
  constexpr std::uint64_t side = std::uint64_t{1} << 31;
  const Selection grid = Selection::regular(Frame({side, side}), {{0, 2, side / 2, 1}, {1, 2, side / 2, 1}});
  EXPECT_EQ(block_count(grid), side / 2 * (side / 2));
  EXPECT_EQ(block_list(grid, side / 2 * 5 + 3, 1), (Corners{10, 7, 10, 7}));
}

TEST(RegularSlab, IsRecoveredFromPieces) {
  const Frame frame({12, 5});
  Selection rows = Selection::none(frame);
  for (const std::uint64_t row : {8u, 0u, 4u})
    rows = combine(rows, SetOperator::unite, Selection::regular(frame, {{row, 1, 1, 1}, {1, 1, 1, 3}}));
  EXPECT_EQ(rows.kind(), Selection::Kind::runs);
  EXPECT_EQ(regular_slab(rows), (SlabDimensions{{0, 4, 3, 1}, {1, 1, 1, 3}}));
  EXPECT_EQ(regular_slab(Selection::of_points(frame, {1})), std::nullopt);
  EXPECT_EQ(regular_slab(Selection::none(frame)), std::nullopt);
}

}  // namespace
}  // namespace filigree::space
