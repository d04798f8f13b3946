// SPDX-License-Identifier: Apache-2.0
#include "base/gate.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace filigree {
namespace {

TEST(Gate, LetsManyShareButOnlyOneBeAlone) {
  Gate gate;
  int value = 0;  // unprotected otherwise: a thread sanitizer would tell
  std::atomic<int> torn = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 500; ++i) {
        if ((i + t) % 3 == 0) {
          const Gate::Alone alone(gate);
          ++value;
          ++value;
        } else {
          const Gate::Shared shared(gate);
          if (value % 2 != 0) ++torn;
        }
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(torn, 0);
  EXPECT_EQ(value % 2, 0);
}

TEST(Gate, LetsItsThreadEnterAgainInEitherWay) {
  Gate gate;
  {
    const Gate::Shared outer(gate);
    {
      const Gate::Alone inner(gate);
      const Gate::Shared innermost(gate);
      const Gate::Alone once_more(gate);
    }
    // Shared again: another thread may share, too.
    std::thread([&] { const Gate::Shared other(gate); }).join();
  }
  const Gate::Alone outer(gate);
  const Gate::Shared inner(gate);
}

TEST(Gate, UpgradesOfTwoThreadsTakeTurns) {
  Gate gate;
  int value = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 300; ++i) {
        const Gate::Shared shared(gate);
        const Gate::Alone alone(gate);
        ++value;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(value, 900);
}

TEST(Gate, AThreadStepsOutAndComesBackAsItWas) {
  Gate gate;
  for (const bool alone : {false, true}) {
    const Gate::Shared outer(gate);
    std::unique_ptr<Gate::Alone> inner;
    if (alone) inner = std::make_unique<Gate::Alone>(gate);
    {
      const Gate::Outside outside(gate);
      std::thread([&] { const Gate::Alone other(gate); }).join();
      const Gate::Shared again(gate);  // as if it had not been inside
      const Gate::Outside twice(gate);
      std::thread([&] { const Gate::Alone other(gate); }).join();
    }
    std::atomic<bool> entered = false;
    std::thread other([&] {
      const Gate::Shared shared(gate);
      entered = true;
    });
    if (!alone) {
      other.join();
      EXPECT_TRUE(entered);
      continue;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_FALSE(entered);
    inner.reset();
    other.join();
  }
  const Gate::Outside nothing(gate);
}

TEST(Gate, GatesAreIndependent) {
  Gate a, b;
  const Gate::Alone in_a(a);
  std::thread([&] { const Gate::Alone in_b(b); }).join();
  const Gate::Alone in_b(b);
}

}  // namespace
}  // namespace filigree
