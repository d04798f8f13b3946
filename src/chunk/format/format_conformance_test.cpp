// SPDX-License-Identifier: Apache-2.0
//
// All chunk formats pass the same suite.
#include "format/chunk_index/portable_chunk.hpp"
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

/// The filters of the suite are those of both sections.
struct PortableChunks {
  static constexpr auto layout = format::LayoutClass::chunked;
  static constexpr format::ChunkComposition composition{};
  using Elements = IntegerElements;

  static std::unique_ptr<const chunk::ChunkFormat> make(chunk::FormatSetup setup) {
    format::PortableParameters parameters;
    parameters.dims.assign(setup.chunk_dims.begin(), setup.chunk_dims.end());
    parameters.element_bytes = setup.type.size;
    parameters.fill = setup.fill.elements;
    parameters.filters = {setup.pipeline.filters, setup.pipeline.filters};
    format::PipelineMessage pipeline;
    pipeline.filters = {{format::portable_filter_id, 0, "", format::to_words(parameters)}};
    return chunk::make_format({setup.layout, setup.type, pipeline, setup.section_filters, setup.chunk_dims,
                               setup.chunk_bytes, std::move(setup.fill)});
  }
};
INSTANTIATE_TYPED_TEST_SUITE_P(Portable, ChunkFormatSuite, PortableChunks);

}  // namespace
}  // namespace filigree::testing
