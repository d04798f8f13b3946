// SPDX-License-Identifier: Apache-2.0
//
// All chunk formats pass the same suite.
#include "testing/chunk_format_suite.hpp"

namespace filigree::testing {
namespace {

struct DenseChunks {
  static constexpr auto layout = format::LayoutClass::chunked;
  static constexpr format::ChunkComposition composition{};
  using Elements = IntegerElements;
};
INSTANTIATE_TYPED_TEST_SUITE_P(Dense, ChunkFormatSuite, DenseChunks);

struct SparseChunks {
  static constexpr auto layout = format::LayoutClass::structured;
  static constexpr auto composition = format::ChunkComposition::make(true, false);
  using Elements = IntegerElements;
};
INSTANTIATE_TYPED_TEST_SUITE_P(Sparse, ChunkFormatSuite, SparseChunks);

struct VariableChunks {
  static constexpr auto layout = format::LayoutClass::structured;
  static constexpr auto composition = format::ChunkComposition::make(false, true);
  using Elements = StringElements;
};
INSTANTIATE_TYPED_TEST_SUITE_P(Variable, ChunkFormatSuite, VariableChunks);

struct SparseVariableChunks {
  static constexpr auto layout = format::LayoutClass::structured;
  static constexpr auto composition = format::ChunkComposition::make(true, true);
  using Elements = StringElements;
};
INSTANTIATE_TYPED_TEST_SUITE_P(SparseVariable, ChunkFormatSuite, SparseVariableChunks);

}  // namespace
}  // namespace filigree::testing
