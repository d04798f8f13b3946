// SPDX-License-Identifier: Apache-2.0
#include "base/workspace.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace filigree {
namespace {

TEST(Workspace, LeavesItsMemoryToTheNextOne) {
  const std::byte* memory = nullptr;
  {
    Workspace room;
    memory = room.allocate(1 << 16).data();
  }
  Workspace next;
  EXPECT_EQ(next.allocate(1000).data(), memory);
  EXPECT_EQ(next.allocate(1 << 16).data(), memory);
}

TEST(Workspace, SharesNothingWithOneThatIsInUse) {
  Workspace outer;
  const MutableBytes first = outer.allocate(5000);
  std::ranges::fill(first, std::byte{1});
  Workspace inner;
  std::ranges::fill(inner.allocate(5000), std::byte{2});
  EXPECT_EQ(std::ranges::count(first, std::byte{1}), 5000);
}

TEST(Workspace, UsesWhatItWasLentForAllThatFits) {
  Buffer lent(100);
  const std::byte* spare = nullptr;
  {
    Workspace room{MutableBytes(lent)};
    EXPECT_EQ(room.allocate(100).data(), lent.data());
    spare = room.allocate(101).data();
    EXPECT_NE(spare, lent.data());
    EXPECT_EQ(room.allocate(20).data(), lent.data());
  }
  // Only its own memory goes to others.
  EXPECT_EQ(Workspace().allocate(50).data(), spare);
}

TEST(Workspace, HoldsWhatItIsGiven) {
  Workspace room, other;
  const Bytes kept = room.keep(Buffer(10, std::byte{7}));
  room.swap(other);
  std::ranges::fill(room.allocate(10), std::byte{0});
  EXPECT_EQ(std::ranges::count(kept, std::byte{7}), 10);
}

}  // namespace
}  // namespace filigree
