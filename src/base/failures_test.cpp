// SPDX-License-Identifier: Apache-2.0
#include "base/failures.hpp"

#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include <filigree/error.hpp>

namespace filigree {
namespace {

template <class Exception>
void add(Failures& failures, const Exception& exception) {
  try {
    throw exception;
  } catch (...) {
    failures.add_current();
  }
}

std::string text_of(Failures& failures) {
  try {
    failures.rethrow();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::no_space);
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Failures, ThrowNothingIfThereAreNone) {
  Failures failures;
  EXPECT_TRUE(failures.empty());
  EXPECT_NO_THROW(failures.rethrow());
}

TEST(Failures, ThrowASingleFailureUnchanged) {
  Failures failures;
  add(failures, Error(ErrorKind::no_space, "full"));
  EXPECT_EQ(text_of(failures), "full");
  EXPECT_TRUE(failures.empty());
}

TEST(Failures, CombineSeveralFailures) {
  Failures failures;
  add(failures, Error(ErrorKind::no_space, "first"));
  add(failures, Error(ErrorKind::io, "second"));
  add(failures, Error(ErrorKind::io, "second"));
  EXPECT_EQ(text_of(failures), "3 operations failed: first; second");
}

TEST(Failures, ThrowOtherExceptionTypesUnchanged) {
  Failures failures;
  add(failures, Error(ErrorKind::no_space, "first"));
  add(failures, std::runtime_error("of a caller's function"));
  EXPECT_THROW(failures.rethrow(), std::runtime_error);
}

}  // namespace
}  // namespace filigree
