// SPDX-License-Identifier: Apache-2.0
//
// The filter pipeline message (0x0B), versions 1 and 2.
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

}  // namespace filigree::format
