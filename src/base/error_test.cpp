// SPDX-License-Identifier: Apache-2.0
#include <filigree/error.hpp>

#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/context.hpp"

namespace filigree {
namespace {

using ::testing::ElementsAre;

TEST(Error, ListsItsFramesFromTheOutermostIn) {
  Error error(ErrorKind::corrupt, "field 'version' is 9");
  EXPECT_STREQ(error.what(), "field 'version' is 9");
  error.add_frame("object header at 0x320");
  error.add_frame("opening group '/a'");
  EXPECT_STREQ(error.what(), "opening group '/a': object header at 0x320: field 'version' is 9");
  EXPECT_EQ(error.message(), "field 'version' is 9");
  EXPECT_THAT(error.frames(), ElementsAre("object header at 0x320", "opening group '/a'"));
  EXPECT_EQ(error.kind(), ErrorKind::corrupt);
}

TEST(Error, EveryKindHasItsOwnText) {
  std::set<std::string_view> words;
  for (int kind = 0; kind <= static_cast<int>(ErrorKind::diverged); ++kind) {
    const std::string_view text = to_string(static_cast<ErrorKind>(kind));
    EXPECT_NE(text, "unknown") << kind;
    EXPECT_TRUE(words.insert(text).second) << text;
  }
}

TEST(InContext, AddsAFrameToAPassingError) {
  try {
    in_context([] { return std::string("outer"); },
               [] {
                 in_context([] { return std::string("inner"); },
                            [] { throw Error(ErrorKind::limit, "too many"); });
               });
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "outer: inner: too many");
    EXPECT_EQ(error.kind(), ErrorKind::limit);
  }
}

TEST(InContext, FormatsNothingOnSuccess) {
  int formatted = 0;
  const auto doing = [&] {
    ++formatted;
    return std::string("never");
  };
  EXPECT_EQ(in_context(doing, [] { return 42; }), 42);
  int value = 1;
  int& same = in_context(doing, [&]() -> int& { return value; });
  EXPECT_EQ(&same, &value);
  EXPECT_EQ(formatted, 0);
}

}  // namespace
}  // namespace filigree
