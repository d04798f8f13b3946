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
    memory = room.take(1 << 16).data();
  }
  Workspace next;
  EXPECT_EQ(next.take(1000).data(), memory);
  EXPECT_EQ(next.take(1 << 16).data(), memory);
}

TEST(Workspace, SharesNothingWithOneThatIsInUse) {
  Workspace outer;
  const MutableBytes first = outer.take(5000);
  std::ranges::fill(first, std::byte{1});
  Workspace inner;
  std::ranges::fill(inner.take(5000), std::byte{2});
  EXPECT_EQ(std::ranges::count(first, std::byte{1}), 5000);
}

TEST(Workspace, HoldsWhatItIsGiven) {
  Workspace room, other;
  const Bytes kept = room.keep(Buffer(10, std::byte{7}));
  room.swap(other);
  std::ranges::fill(room.take(10), std::byte{0});
  EXPECT_EQ(std::ranges::count(kept, std::byte{7}), 10);
}

}  // namespace
}  // namespace filigree
