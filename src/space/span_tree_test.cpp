// SPDX-License-Identifier: Apache-2.0
#include "space/span_tree.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "testing/selection_twin.hpp"

namespace filigree::space {
namespace {

using namespace filigree::testing;

/// The elements that a node of dimension `d` describes, as offsets relative to its window.
Bitmap expanded(const SpanTree& tree, SpanTree::Node node, std::size_t d) {
  const auto& all = tree.frame().dims();
  const Frame window(Coordinates(all.begin() + static_cast<std::ptrdiff_t>(d), all.end()));
  if (node == SpanTree::whole) return Bitmap(window, true);
  std::vector<std::uint64_t> offsets;
  for (const SpanTree::Span& span : tree.spans(node)) {
    const auto below = expanded(tree, span.below, d + 1).offsets();
    for (std::uint64_t at = span.start; at < span.end; ++at)
      for (const std::uint64_t offset : below) offsets.push_back(at * window.step(0) + offset);
  }
  return Bitmap::of_offsets(window, offsets);
}

RC_GTEST_PROP(SpanTree, DescribesTheSet, ()) {
  const Selection set = make(*gen_set(*gen_frame()));
  const SpanTree tree(set.frame(), set.runs());
  RC_ASSERT(expanded(tree, tree.root(), 0) == bitmap_of(set));
}

void require_canonical(const SpanTree& tree, SpanTree::Node node, std::size_t d) {
  if (node == SpanTree::whole) return;
  RC_ASSERT(d < tree.frame().rank());
  const auto spans = tree.spans(node);
  for (std::size_t i = 0; i < spans.size(); ++i) {
    RC_ASSERT(spans[i].start < spans[i].end);
    if (i > 0) {
      RC_ASSERT(spans[i - 1].end <= spans[i].start);
      const bool equal = tree.equal(spans[i - 1].below, spans[i].below);
      RC_ASSERT(equal == (spans[i - 1].below == spans[i].below));
      RC_ASSERT(!(equal && spans[i - 1].end == spans[i].start));
    }
    require_canonical(tree, spans[i].below, d + 1);
  }
}

RC_GTEST_PROP(SpanTree, HasNoNeighboursWithEqualDescriptions, ()) {
  const Selection set = make(*gen_set(*gen_frame()));
  RC_PRE(set.elements() != 0u);
  const SpanTree tree(set.frame(), set.runs());
  require_canonical(tree, tree.root(), 0);
}

RC_GTEST_PROP(SpanTree, HasTheSameBlocksInEveryFrame, ()) {
  const auto rank = *gen_number(1, 6);
  const Selection set = make(*gen_set(*gen_frame(rank)));
  const Selection wider = set.reframed(set.frame().joined(*gen_frame(rank)));
  const auto blocks = [](const Selection& s) {
    std::vector<Bounds> list;
    SpanTree(s.frame(), s.runs())
        .for_each_block([&](std::span<const std::uint64_t> low, std::span<const std::uint64_t> high) {
          list.push_back({{low.begin(), low.end()}, {high.begin(), high.end()}});
          return true;
        });
    return list;
  };
  RC_ASSERT(blocks(set) == blocks(wider));
  RC_ASSERT(SpanTree(set.frame(), set.runs()).regular() == SpanTree(wider.frame(), wider.runs()).regular());
}

TEST(SpanTree, SharesRepeatedNodes) {
  // Every other row of 1000, all alike.
  const Selection rows = Selection::regular(Frame({2000, 50}), {{0, 2, 1000, 1}, {0, 5, 10, 2}});
  const SpanTree tree(rows.frame(), rows.runs());
  const auto spans = tree.spans(tree.root());
  ASSERT_EQ(spans.size(), 1000u);
  for (const SpanTree::Span& span : spans) EXPECT_EQ(span.below, spans[0].below);
  EXPECT_EQ(tree.blocks(), 10'000u);
}

TEST(SpanTree, HasAConstantSizeForLongRuns) {
  constexpr std::uint64_t side = std::uint64_t{1} << 20;
  const Frame frame({side, side, side});
  const SpanTree tree(frame, RunSet::of_runs({{5, frame.elements() - 9}}));
  EXPECT_EQ(tree.blocks(), 5u);
}

TEST(SpanTree, StopsIfTheVisitorReturnsFalse) {
  const SpanTree tree(Frame({10}), RunSet::of_offsets({1, 3, 5, 7}));
  int seen = 0;
  tree.for_each_block([&](auto, auto) { return ++seen < 2; });
  EXPECT_EQ(seen, 2);
}

}  // namespace
}  // namespace filigree::space
