// SPDX-License-Identifier: Apache-2.0
#include "base/file_lock.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace filigree {
namespace {

TEST(FileLock, AdmitsManySharedHoldersOrOneExclusiveHolder) {
  FileLock lock;
  int value = 0;  // not atomic: a thread sanitizer reports races
  std::atomic<int> torn = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 500; ++i) {
        if ((i + t) % 3 == 0) {
          const FileLock::Exclusive exclusive(lock);
          ++value;
          ++value;
        } else {
          const FileLock::Shared shared(lock);
          if (value % 2 != 0) ++torn;
        }
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(torn, 0);
  EXPECT_EQ(value % 2, 0);
}

TEST(FileLock, IsReentrantInBothModes) {
  FileLock lock;
  {
    const FileLock::Shared outer(lock);
    {
      const FileLock::Exclusive inner(lock);
      const FileLock::Shared innermost(lock);
      const FileLock::Exclusive once_more(lock);
    }
    // The hold is shared again, so another thread can share it.
    std::thread([&] { const FileLock::Shared other(lock); }).join();
  }
  const FileLock::Exclusive outer(lock);
  const FileLock::Shared inner(lock);
}

TEST(FileLock, UpgradesOfSeveralThreadsAreSerialised) {
  FileLock lock;
  int value = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 300; ++i) {
        const FileLock::Shared shared(lock);
        const FileLock::Exclusive exclusive(lock);
        ++value;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(value, 900);
}

TEST(FileLock, UnlockedReleasesAndRestoresTheHold) {
  FileLock lock;
  for (const bool exclusive : {false, true}) {
    const FileLock::Shared outer(lock);
    std::unique_ptr<FileLock::Exclusive> inner;
    if (exclusive) inner = std::make_unique<FileLock::Exclusive>(lock);
    {
      const FileLock::Unlocked unlocked(lock);
      std::thread([&] { const FileLock::Exclusive other(lock); }).join();
      const FileLock::Shared again(lock);  // starts a hold of its own
      const FileLock::Unlocked twice(lock);
      std::thread([&] { const FileLock::Exclusive other(lock); }).join();
    }
    std::atomic<bool> entered = false;
    std::thread other([&] {
      const FileLock::Shared shared(lock);
      entered = true;
    });
    if (!exclusive) {
      other.join();
      EXPECT_TRUE(entered);
      continue;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_FALSE(entered);
    inner.reset();
    other.join();
  }
  const FileLock::Unlocked no_effect(lock);
}

TEST(FileLock, LocksOfDifferentFilesAreIndependent) {
  FileLock a, b;
  const FileLock::Exclusive in_a(a);
  std::thread([&] { const FileLock::Exclusive in_b(b); }).join();
  const FileLock::Exclusive in_b(b);
}

}  // namespace
}  // namespace filigree
