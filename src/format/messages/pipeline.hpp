// SPDX-License-Identifier: Apache-2.0
//
// The filter pipeline message (0x0B), versions 1 and 2, and the filters of the sections of structured chunks
// (0x19 version 1, and 0x0B version 3). See docs/format/pipeline.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace filigree::format {

struct PipelineFilter {
  std::uint16_t id = 0;
  std::uint16_t flags = 0;  ///< bit 0 is set if the filter is optional
  std::string name;         ///< not stored in version 2 for ids below 256
  std::vector<std::uint32_t> parameters;
  /// The stored length of the name field, if a writer made it longer than necessary.
  std::uint16_t name_bytes = 0;

  bool optional() const { return (flags & 1) != 0; }
};

struct PipelineMessage {
  static constexpr std::string_view structure = "filter pipeline";
  std::uint8_t version = 1;
  std::vector<PipelineFilter> filters;  ///< in the order of encoding; at most 32
};

struct SectionPipeline {
  std::uint8_t section = 0;
  std::vector<PipelineFilter> filters;  ///< in the order of encoding; 1 to 32
};

/// The filters of each section of structured chunks. It is a separate structure, so that a dataset of another
/// layout with this message is not mistaken for one without filters.
struct SectionPipelinesMessage {
  static constexpr std::string_view structure = "filter pipelines of sections";
  static constexpr std::uint8_t own_version = 1;       ///< in a message of its own, 0x19
  static constexpr std::uint8_t pipeline_version = 3;  ///< in the filter pipeline message, 0x0B

  std::uint8_t version = own_version;     ///< set by the caller, who knows the type of the message
  std::vector<SectionPipeline> sections;  ///< sections with filters, each once, in the order of their writer

  /// The filters of a section; empty if it has none.
  const SectionPipeline* find(std::uint8_t section) const {
    for (const SectionPipeline& one : sections) {
      if (one.section == section) return &one;
    }
    return nullptr;
  }
};

}  // namespace filigree::format
