// SPDX-License-Identifier: Apache-2.0
#include "base/workspace.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace filigree {
namespace {

TEST(Workspace, LeavesItsMemoryToTheNextWorkspace) {
  const std::byte* memory = nullptr;
  {
    Workspace workspace;
    memory = workspace.allocate(1 << 16).data();
  }
  Workspace next;
  EXPECT_EQ(next.allocate(1000).data(), memory);
  EXPECT_EQ(next.allocate(1 << 16).data(), memory);
}

TEST(Workspace, SharesNoMemoryWithAWorkspaceInUse) {
  Workspace outer;
  const MutableBytes first = outer.allocate(5000);
  std::ranges::fill(first, std::byte{1});
  Workspace inner;
  std::ranges::fill(inner.allocate(5000), std::byte{2});
  EXPECT_EQ(std::ranges::count(first, std::byte{1}), 5000);
}

TEST(Workspace, UsesLentMemoryForRequestsThatFit) {
  Buffer lent(100);
  const std::byte* spare = nullptr;
  {
    Workspace workspace{MutableBytes(lent)};
    EXPECT_EQ(workspace.allocate(100).data(), lent.data());
    spare = workspace.allocate(101).data();
    EXPECT_NE(spare, lent.data());
    EXPECT_EQ(workspace.allocate(20).data(), lent.data());
  }
  // Only memory of its own is left to other workspaces.
  EXPECT_EQ(Workspace().allocate(50).data(), spare);
}

TEST(Workspace, OwnsAResultThatItKeeps) {
  Workspace workspace, other;
  const Bytes kept = workspace.keep(Buffer(10, std::byte{7}));
  workspace.swap(other);
  std::ranges::fill(workspace.allocate(10), std::byte{0});
  EXPECT_EQ(std::ranges::count(kept, std::byte{7}), 10);
}

}  // namespace
}  // namespace filigree
