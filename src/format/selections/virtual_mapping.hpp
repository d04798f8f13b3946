// SPDX-License-Identifier: Apache-2.0
//
// The mappings of a virtual dataset, versions 0 and 1, which are stored as an object of the global heap.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "format/selections/selection.hpp"

namespace filigree::format {

/// One mapping: the selected elements of a source dataset are those of the virtual dataset, in order.
struct VirtualMapping {
  std::string file;     ///< "." for the file of the virtual dataset
  std::string dataset;  ///< path from the root group
  EncodedSelection source_elements;
  EncodedSelection virtual_elements;
  // Version 1 only: the index of an earlier mapping with the same name; the string above is then empty. Names
  // are not copied, so that a few bytes cannot cause many allocations.
  std::optional<std::uint64_t> file_of;
  std::optional<std::uint64_t> dataset_of;
};

struct VirtualMappings {
  static constexpr std::string_view structure = "virtual mappings";
  std::uint8_t version = 0;
  std::vector<VirtualMapping> mappings;
};

/// The name of a source file that means the file of the virtual dataset.
inline constexpr std::string_view same_file = ".";

}  // namespace filigree::format
