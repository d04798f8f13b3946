// SPDX-License-Identifier: Apache-2.0
#include "base/executor.hpp"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filigree/error.hpp>

namespace filigree {
namespace {

using ::testing::HasSubstr;

/// Sums 0 to count - 1 and returns whether every index ran exactly once.
bool runs_every_index_once(Executor& executor, std::size_t count) {
  std::vector<std::atomic<int>> calls(count);
  executor.for_each(count, [&](std::size_t i) { ++calls[i]; });
  for (const auto& n : calls) {
    if (n != 1) return false;
  }
  return true;
}

/// Returns the exit status of `work` in a forked child, or 255 if the child hangs or is killed.
int status_in_child(const std::function<int()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    _exit(work());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

TEST(Executor, RunsEveryIndexOnce) {
  for (std::size_t threads : {1, 2, 3, 8}) {
    Executor executor(threads);
    for (std::size_t count : {0, 1, 2, 7, 1000})
      EXPECT_TRUE(runs_every_index_once(executor, count)) << threads << " " << count;
  }
}

TEST(Executor, UsesSeveralThreadsAtOnce) {
  Executor executor(3);
  std::atomic<int> arrived{0};
  std::mutex mutex;
  std::set<std::thread::id> seen;
  executor.for_each(3, [&](std::size_t) {
    {
      const std::lock_guard lock(mutex);
      seen.insert(std::this_thread::get_id());
    }
    ++arrived;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(100);
    while (arrived < 3 && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
  });
  EXPECT_EQ(seen.size(), 3u);
  EXPECT_EQ(seen.count(std::this_thread::get_id()), 1u);
}

TEST(Executor, RethrowsTheFirstExceptionAfterAllTasksHaveEnded) {
  Executor executor(4);
  std::atomic<int> running{0};
  std::atomic<int> begun{0};
  std::atomic<bool> failed = false;
  const auto loop = [&] {
    executor.for_each(100000, [&](std::size_t i) {
      ++running;
      ++begun;
      // However long a busy machine delays the task that fails, most of the others start after it.
      while (i > 1000 && !failed) std::this_thread::yield();
      if (i == 5) {
        --running;
        failed = true;
        throw std::runtime_error("five");
      }
      std::this_thread::sleep_for(std::chrono::microseconds(20));
      --running;
    });
  };
  try {
    loop();
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(running, 0);
    EXPECT_LT(begun, 100000);
    EXPECT_STREQ(error.what(), "five");
  }
  EXPECT_TRUE(runs_every_index_once(executor, 50));
}

TEST(Executor, ReportsTheFailuresOfAllConcurrentTasks) {
  Executor executor(3);
  std::atomic<int> inside{0};
  try {
    executor.for_each(3, [&](std::size_t i) {
      for (++inside; inside < 3;) std::this_thread::yield();
      throw Error(ErrorKind::io, "task " + std::to_string(i));
    });
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    for (const char* text : {"3 operations failed", "task 0", "task 1", "task 2"})
      EXPECT_THAT(error.what(), ::testing::HasSubstr(text));
  }
}

TEST(Executor, NestedLoopsDoNotDeadlock) {
  Executor executor(3);
  std::atomic<int> leaves{0};
  executor.for_each(6, [&](std::size_t) {
    executor.for_each(5, [&](std::size_t) { executor.for_each(4, [&](std::size_t) { ++leaves; }); });
  });
  EXPECT_EQ(leaves, 6 * 5 * 4);
}

TEST(Executor, ServesManyCallersAtOnce) {
  Executor executor(3);
  std::atomic<int> good{0};
  std::vector<std::thread> callers;
  for (int c = 0; c < 6; ++c) {
    callers.emplace_back([&] {
      for (int round = 0; round < 50; ++round) good += runs_every_index_once(executor, 20);
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(good, 6 * 50);
}

/// Waits until another thread has made the condition true; returns false after a long time.
bool comes_true(const std::atomic<bool>& flag) {
  for (int i = 0; i < 100000 && !flag; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return flag;
}

TEST(Executor, WakesNoHelperWhileCallersOccupyAllCores) {
  Executor executor(2);
  std::atomic<bool> helped = false, second_runs = false, first_leaves = false, second_is_helped = false;
  std::atomic<bool> early = false, all = true;
  std::jthread first([&] {
    // The helper runs the other index, and then sleeps.
    executor.for_each(2, [&](std::size_t i) {
      if (i == 1) return helped.store(true);
      all = all && comes_true(helped) && comes_true(second_runs);
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      early = second_is_helped.load();
      first_leaves = true;
    });
  });
  std::jthread second([&] {
    all = all && comes_true(helped);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const auto self = std::this_thread::get_id();
    executor.for_each(2, [&](std::size_t i) {
      if (std::this_thread::get_id() != self) return second_is_helped.store(true);
      if (i == 1) return;
      second_runs = true;
      // A core is free once the other caller has left.
      all = all && comes_true(first_leaves) && comes_true(second_is_helped);
    });
  });
  first.join();
  second.join();
  EXPECT_TRUE(all);
  EXPECT_FALSE(early);
}

TEST(Executor, DefaultExecutorIsShared) {
  EXPECT_EQ(&Executor::default_executor(), &Executor::default_executor());
  EXPECT_TRUE(runs_every_index_once(Executor::default_executor(), 100));
}

#if !defined(__SANITIZE_THREAD__)  // the thread sanitizer refuses new threads after a fork

TEST(Executor, WorksInAForkedChild) {
  Executor executor(3);
  ASSERT_TRUE(runs_every_index_once(executor, 100));
  EXPECT_EQ(status_in_child([&] {
              if (!runs_every_index_once(executor, 100)) return 1;
              return status_in_child([&] { return runs_every_index_once(executor, 100) ? 0 : 2; });
            }),
            0);
  EXPECT_TRUE(runs_every_index_once(executor, 100));
}

TEST(Executor, WorksInAChildForkedWhileTheParentIsBusy) {
  Executor executor(3);
  std::atomic<bool> stop{false};
  std::thread busy([&] {
    while (!stop) executor.for_each(50, [](std::size_t) {});
  });
  for (int round = 0; round < 40; ++round) {
    EXPECT_EQ(status_in_child([&] { return runs_every_index_once(executor, 50) ? 0 : 1; }), 0);
  }
  stop = true;
  busy.join();
}

TEST(Executor, LoopFailsInAChildThatWasForkedWithinIt) {
  const int status = status_in_child([] {
    Executor executor(2);
    const pid_t parent = getpid();
    const std::thread::id caller = std::this_thread::get_id();
    std::atomic<bool> forked{false};
    int inner = 0;
    try {
      executor.for_each(1000, [&](std::size_t) {
        if (std::this_thread::get_id() != caller) {
          while (!forked) std::this_thread::yield();
          return;
        }
        if (forked) return;
        forked = true;
        const pid_t child = fork();
        if (child == 0) return;
        waitpid(child, &inner, 0);
      });
    } catch (const Error& error) {
      return getpid() != parent && error.kind() == ErrorKind::internal ? 7 : 1;
    }
    _exit(WIFEXITED(inner) ? WEXITSTATUS(inner) : 2);
  });
  EXPECT_EQ(status, 7);
}

#endif

TEST(Executor, TakesItsSizeFromTheEnvironment) {
  EXPECT_EQ(status_in_child([] {
              setenv("FILIGREE_THREADS", "5", 1);
              return Executor().threads() == 5 ? 0 : 1;
            }),
            0);
}

TEST(Executor, RejectsASizeThatIsNotAPositiveNumber) {
  const char* before = std::getenv("FILIGREE_THREADS");
  const std::string kept = before == nullptr ? "" : before;
  for (const char* text : {"0", "-1", "many", "2x", "", "99999999999999999999"}) {
    setenv("FILIGREE_THREADS", text, 1);
    try {
      Executor executor;
      ADD_FAILURE() << text << " was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
      EXPECT_THAT(error.what(), HasSubstr("FILIGREE_THREADS is '" + std::string(text) + "'"));
    }
  }
  if (before == nullptr) {
    unsetenv("FILIGREE_THREADS");
  } else {
    setenv("FILIGREE_THREADS", kept.c_str(), 1);
  }
  EXPECT_THROW(Executor(0), Error);
}

}  // namespace
}  // namespace filigree
