// SPDX-License-Identifier: Apache-2.0
#include "base/short_list.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace filigree {
namespace {

using List = ShortList<std::uint64_t, 3>;

std::vector<std::uint64_t> items(const List& list) { return {list.begin(), list.end()}; }
using Items = std::vector<std::uint64_t>;

TEST(ShortList, StoresFewItemsInItself) {
  EXPECT_TRUE((List{1, 2, 3}).held_inside());
  EXPECT_FALSE((List{1, 2, 3, 4}).held_inside());
  List grown{1, 2};
  grown.resize(3);
  EXPECT_TRUE(grown.held_inside());
}

TEST(ShortList, GrowsAndShrinksAcrossItsCapacity) {
  List list{5, 6};
  list.resize(5);
  EXPECT_EQ(items(list), (Items{5, 6, 0, 0, 0}));
  list[4] = 9;
  list.resize(1);
  EXPECT_EQ(items(list), Items{5});
  list.resize(3);
  EXPECT_EQ(items(list), (Items{5, 0, 0}));
  list.resize(4);
  EXPECT_EQ(items(list), (Items{5, 0, 0, 0}));
}

TEST(ShortList, CopiesAndMovesShortAndLongLists) {
  const List few{1, 2}, many{1, 2, 3, 4, 5};
  for (const List& from : {few, many}) {
    for (List to : {List{}, List{7, 8, 9}, List{1, 1, 1, 1}, List{0, 1, 2, 3, 4, 5, 6}}) {
      to = from;
      EXPECT_EQ(items(to), items(from));
      List moved = std::move(to);
      EXPECT_EQ(items(moved), items(from));
      to = std::move(moved);
      EXPECT_EQ(items(to), items(from));
      EXPECT_NE(to.data(), from.data());
    }
  }
}

TEST(ShortList, IsEmptyAfterBeingMovedFrom) {
  for (List from : {List{1, 2}, List{1, 2, 3, 4}}) {
    const List to = std::move(from);
    EXPECT_TRUE(from.empty());  // NOLINT(bugprone-use-after-move): this is what is tested
    EXPECT_FALSE(to.empty());
  }
}

TEST(ShortList, ComparesItemByItem) {
  EXPECT_EQ((List{1, 2}), (List{1, 2}));
  EXPECT_LT((List{1, 2}), (List{1, 3}));
  EXPECT_LT((List{1, 2}), (List{1, 2, 0}));
  EXPECT_GE((List{2, 0, 0, 0}), (List{1, 9, 9, 9}));
}

}  // namespace
}  // namespace filigree
