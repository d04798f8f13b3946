// SPDX-License-Identifier: Apache-2.0
//
// The properties of a dataset that determine the format of its chunks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "chunk/format/heap_section.hpp"
#include "chunk/format/sections.hpp"
#include "filter/pipeline.hpp"
#include "format/messages/datatype.hpp"
#include "format/messages/layout.hpp"
#include "format/messages/pipeline.hpp"

namespace filigree::chunk {

/// The references have to outlive the call that makes the format.
struct FormatSetup {
  const format::LayoutMessage& layout;
  const format::DatatypeMessage& type;
  const format::PipelineMessage& pipeline;                 ///< of dense chunks
  const format::SectionPipelinesMessage& section_filters;  ///< of structured chunks
  std::vector<std::uint64_t> chunk_dims{};                 ///< in elements
  std::uint64_t chunk_bytes = 0;                           ///< before any filter
  /// The fill value with its heap; without elements where it is zero.
  VariableCells fill{};

  std::uint64_t chunk_elements() const { return chunk_bytes / type.size; }
  bool filter_partial_edges() const { return !layout.raw_partial_chunks; }
};

/// Finds the filters of a pipeline message and binds them to elements.
filter::Pipeline bind_filters(std::span<const format::PipelineFilter> filters,
                              const filter::ElementLayout& layout);

/// A rule for each section of structured chunks.
std::vector<SectionRule> make_section_rules(const FormatSetup& setup);

}  // namespace filigree::chunk
