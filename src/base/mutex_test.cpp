// SPDX-License-Identifier: Apache-2.0
#include "base/mutex.hpp"

#include <chrono>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace filigree {
namespace {

TEST(Mutex, SerialisesItsHolders) {
  Mutex mutex;
  int value = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 500; ++i) {
        MutexLock lock(mutex);
        ++value;
        lock.unlock();
        lock.lock();
        ++value;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(value, 4000);
}

TEST(Condition, WakesAWaitingThread) {
  Mutex mutex;
  Condition changed;
  bool ready = false;
  std::thread other([&] {
    const MutexLock lock(mutex);
    ready = true;
    changed.notify_all();
  });
  {
    MutexLock lock(mutex);
    while (!ready) changed.wait(lock);
    changed.wait_for(lock, std::chrono::microseconds(1));  // returns although nobody notifies
  }
  other.join();
  EXPECT_TRUE(ready);
}

TEST(SharedMutex, AdmitsSeveralSharedHolders) {
  SharedMutex mutex;
  bool entered = false;
  {
    const SharedLock lock(mutex);
    std::thread([&] {
      const SharedLock other(mutex);
      entered = true;
    }).join();
  }
  EXPECT_TRUE(entered);
  const ExclusiveLock lock(mutex);
}

}  // namespace
}  // namespace filigree
