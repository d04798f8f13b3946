// SPDX-License-Identifier: Apache-2.0
//
// Both forms of sparse data as a parameter of tests.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <filigree/filigree.hpp>

namespace filigree {

enum class Form { structured, portable };

/// The form of the test that runs.
inline Form current_form = Form::structured;
inline bool is_portable() { return current_form == Form::portable; }

/// A fixture of tests that run in both forms.
class InBothForms : public ::testing::TestWithParam<Form> {
 protected:
  InBothForms() { current_form = GetParam(); }
  ~InBothForms() override { current_form = Form::structured; }
};

inline std::string form_name(const ::testing::TestParamInfo<Form>& info) {
  return info.param == Form::portable ? "Portable" : "Structured";
}
#define FILIGREE_IN_BOTH_FORMS(Fixture) \
  INSTANTIATE_TEST_SUITE_P(Forms, Fixture, ::testing::Values(Form::structured, Form::portable), form_name)

namespace {

// These functions hide those of the API in sources that include this header: tests create their datasets in
// the form that they run in.

[[maybe_unused]] SparseChunks in_form(SparseChunks chunks) {
  if (is_portable()) chunks.portable();
  return chunks;
}
[[maybe_unused]] SparseChunks sparse_chunks(std::vector<std::uint64_t> chunk) {
  return in_form(SparseChunks(std::move(chunk)));
}

}  // namespace
}  // namespace filigree
