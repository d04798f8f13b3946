// SPDX-License-Identifier: Apache-2.0
//
// Where the sections of a structured chunk stand in its stored bytes.
#pragma once

#include <array>
#include <cstdint>

namespace filigree::format {

/// What an index says of the sections of one chunk (structured-chunk-format.md §3.2). Dense chunks have none.
/// Unused places are zero, so that tables can be compared.
struct SectionTable {
  static constexpr std::size_t most = 3;

  std::uint8_t count = 0;                              ///< 0: a chunk without sections
  std::array<std::uint64_t, most> offsets{};           ///< in the stored bytes; the first one is 0
  std::array<std::uint64_t, most> unfiltered_bytes{};  ///< with its checksum; 0 when nothing is filtered
  std::array<std::uint32_t, most> filter_masks{};      ///< bit i set: filter i of the section was skipped

  /// Bytes of section `i` of a chunk stored in `stored_bytes`.
  std::uint64_t bytes(std::size_t i, std::uint64_t stored_bytes) const {
    return (i + 1 < count ? offsets[i + 1] : stored_bytes) - offsets[i];
  }
  friend bool operator==(const SectionTable&, const SectionTable&) = default;
};

}  // namespace filigree::format
