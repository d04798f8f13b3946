// SPDX-License-Identifier: Apache-2.0
#include "base/thread_value.hpp"

#include <cstdlib>
#include <string>
#include <thread>

#include <gtest/gtest.h>

namespace filigree {
namespace {

struct First;
struct Second;
struct Late;

template <class Tag>
std::string& text() {
  return thread_value<std::string, Tag>();
}

TEST(ThreadValue, IsSeparateForEachThreadAndTag) {
  text<First>() = "mine";
  std::thread([] {
    EXPECT_EQ(text<First>(), "");
    text<First>() = "theirs";
  }).join();
  EXPECT_EQ(text<First>(), "mine");
  EXPECT_EQ(text<Second>(), "");
}

/// Ends the process with status 7 if the exit handler gets a new value after the value of the thread was
/// destroyed.
void exit_and_look_again() {
  std::atexit([] {
    const bool is_new = text<Late>().empty();
    text<Late>().assign(1000, 'x');
    std::_Exit(is_new && text<Late>().size() == 1000 ? 7 : 1);
  });
  text<Late>().assign(1000, 'y');
  std::exit(0);
}

TEST(ThreadValueDeathTest, IsUsableInExitHandlers) {
  EXPECT_EXIT(exit_and_look_again(), testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace filigree
