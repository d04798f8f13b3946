// SPDX-License-Identifier: Apache-2.0
//
// The filter pipeline message (0x0B): versions 1 and 2, and version 3 of structured chunks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace filigree::format {

struct PipelineFilter {
  std::uint16_t id = 0;
  std::uint16_t flags = 0;  ///< bit 0: a chunk may skip the filter
  std::string name;         ///< version 2 stores none for ids below 256
  std::vector<std::uint32_t> parameters;
  /// Stored length of the name field where it is longer than the name needs, as some writers make it.
  std::uint16_t name_bytes = 0;

  bool optional() const { return (flags & 1) != 0; }
};

struct PipelineMessage {
  static constexpr std::string_view structure = "filter pipeline";
  std::uint8_t version = 1;
  std::vector<PipelineFilter> filters;  ///< in the order of writing; at most 32
};

struct SectionPipeline {
  std::uint8_t section = 0;
  std::vector<PipelineFilter> filters;  ///< in the order of writing; 1 to 32
};

/// Version 3: the filters of each section of structured chunks. Other datasets must not have it; it is a
/// message of its own here, so that none of them is mistaken for one without filters.
struct SectionPipelinesMessage {
  static constexpr std::string_view structure = "filter pipelines of sections";
  std::vector<SectionPipeline> sections;  ///< those that have filters, ascending

  /// None for a section without filters.
  const SectionPipeline* find(std::uint8_t section) const {
    for (const SectionPipeline& one : sections) {
      if (one.section == section) return &one;
    }
    return nullptr;
  }
};

}  // namespace filigree::format
