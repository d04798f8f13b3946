// SPDX-License-Identifier: Apache-2.0
#include "base/function_ref.hpp"

#include <memory>

#include <gtest/gtest.h>

namespace filigree {
namespace {

int call_with(FunctionRef<int(int)> function, int argument) { return function(argument); }

TEST(FunctionRef, CallsTheCallableItself) {
  int calls = 0;
  auto counting = [&calls](int n) mutable { return ++calls + n; };
  EXPECT_EQ(call_with(counting, 10), 11);
  EXPECT_EQ(call_with(counting, 10), 12);
  EXPECT_EQ(calls, 2);
}

TEST(FunctionRef, TakesTemporariesAndConstCallables) {
  const auto twice = [](int n) { return 2 * n; };
  EXPECT_EQ(call_with(twice, 4), 8);
  EXPECT_EQ(call_with([](int n) { return n - 1; }, 4), 3);
}

TEST(FunctionRef, PassesReferencesAndMoveOnlyArguments) {
  auto increment_it = [](int& n) { ++n; };
  const FunctionRef<void(int&)> increment = increment_it;
  int value = 1;
  increment(value);
  EXPECT_EQ(value, 2);
  auto read = [](std::unique_ptr<int> p) { return *p; };
  const FunctionRef<int(std::unique_ptr<int>)> reader = read;
  EXPECT_EQ(reader(std::make_unique<int>(5)), 5);
}

}  // namespace
}  // namespace filigree
