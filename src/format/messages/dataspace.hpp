// SPDX-License-Identifier: Apache-2.0
//
// The dataspace message (0x01), versions 1 and 2: the extent of a dataset or attribute.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace filigree::format {

inline constexpr unsigned max_rank = 32;

enum class DataspaceKind : std::uint8_t { scalar = 0, simple = 1, null = 2 };

struct DataspaceMessage {
  static constexpr std::string_view structure = "dataspace";
  std::uint8_t version = 1;  ///< version 1 cannot encode a null dataspace
  DataspaceKind kind = DataspaceKind::scalar;
  std::vector<std::uint64_t> dims;  ///< slowest dimension first; zeros are allowed
  std::optional<std::vector<std::uint64_t>>
      max_dims;  ///< unset: equal to dims; `unlimited` for unlimited dimensions
};

/// The number of elements of the extent: 1 for scalar, 0 for null. *Throws* Error(limit) beyond 2^64 - 1.
std::uint64_t element_count(const DataspaceMessage& space);

}  // namespace filigree::format
