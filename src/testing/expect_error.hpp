// SPDX-License-Identifier: Apache-2.0
//
// An expectation on the kind and the text of an Error.
#pragma once

#include <string>
#include <string_view>

#include <gmock/gmock.h>

#include <filigree/error.hpp>

namespace filigree::testing {

/// Expects that `work` throws an Error of `kind` whose text contains `text`.
template <class Work>
void expect_error(ErrorKind kind, std::string_view text, Work work) {
  try {
    work();
    FAIL() << "no error, expected: " << text;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    EXPECT_THAT(error.what(), ::testing::HasSubstr(std::string(text)));
  }
}

}  // namespace filigree::testing
