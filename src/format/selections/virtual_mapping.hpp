// SPDX-License-Identifier: Apache-2.0
//
// The object in the global heap that says where the elements of a virtual dataset are: versions 0 and 1.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "format/selections/selection.hpp"

namespace filigree::format {

/// Elements of a source dataset that stand for elements of the virtual one, in step.
struct VirtualMapping {
  std::string file;     ///< "." for the file that holds the virtual dataset
  std::string dataset;  ///< path from the root group
  EncodedSelection source_elements;
  EncodedSelection virtual_elements;
  // Version 1 only: an earlier mapping that has, or refers to, the name that is meant; then the string above
  // is empty. Strings are not repeated here, so that a few bytes cannot ask for many of them.
  std::optional<std::uint64_t> file_of;
  std::optional<std::uint64_t> dataset_of;
};

struct VirtualMappings {
  static constexpr std::string_view structure = "virtual mappings";
  std::uint8_t version = 0;
  std::vector<VirtualMapping> mappings;
};

/// The file that a mapping names when it means its own.
inline constexpr std::string_view same_file = ".";

}  // namespace filigree::format
