// SPDX-License-Identifier: Apache-2.0
//
// The sections of structured chunks: which sections the chunks of a dataset have, and where those of one
// chunk are in its stored bytes. See docs/format/structured-chunks.md.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/bytes.hpp"

namespace filigree::format {

/// The sections of one chunk as stored in an index. Dense chunks have none. Unused array elements are zero,
/// so that tables can be compared.
struct SectionTable {
  static constexpr std::size_t most = 3;

  std::uint8_t count = 0;                     ///< number of sections; 0 for a dense chunk
  std::array<std::uint64_t, most> offsets{};  ///< byte offsets in the stored chunk; the first is 0
  std::array<std::uint64_t, most>
      unfiltered_bytes{};  ///< sizes including checksums; 0 if the section is not filtered
  std::array<std::uint32_t, most> filter_masks{};  ///< bit i is set if filter i of the section was skipped

  /// The stored size of section `i` of a chunk of `stored_bytes`.
  std::uint64_t bytes(std::size_t i, std::uint64_t stored_bytes) const {
    return (i + 1 < count ? offsets[i + 1] : stored_bytes) - offsets[i];
  }
  /// Whether the sections are in ascending order within `stored_bytes`.
  bool fits(std::uint64_t stored_bytes) const {
    return std::is_sorted(offsets.begin(), offsets.begin() + count) && offsets[0] == 0 &&
           (count == 0 || offsets[count - 1u] <= stored_bytes);
  }
  friend bool operator==(const SectionTable&, const SectionTable&) = default;
};

/// The kinds of sections that the chunks of a dataset have.
struct ChunkComposition {
  static constexpr std::uint16_t sparse_bit = 1;
  static constexpr std::uint16_t variable_bit = 2;

  std::uint16_t kind = 0;      ///< the bits above as stored
  std::uint8_t sections = 0;   ///< number of sections; 0 for dense chunks
  std::uint8_t checksums = 0;  ///< bit i is set if section i ends with a checksum, unless it is empty

  /// `heap` tells whether elements have variable-length parts, which are stored in the last section.
  static constexpr ChunkComposition make(bool sparse, bool heap) {
    if (sparse && heap) return {sparse_bit | variable_bit, 3, 7};
    return sparse ? ChunkComposition{sparse_bit, 2, 1} : ChunkComposition{variable_bit, 2, 3};
  }
  /// The composition of early writers, which knew only sparse chunks and stored no bits.
  constexpr bool sparse() const { return kind == 0 || (kind & sparse_bit) != 0; }
  constexpr bool has_heap() const { return sections == 3 || !sparse(); }
  /// Whether the heap section is a set of global heap collections. Writers of such sets store no bits.
  constexpr bool has_heap_set() const { return kind == 0 && sections == 3; }
  constexpr bool has_checksum(std::size_t section) const { return (checksums >> section & 1) != 0; }
  /// The width of the size of a stored chunk in an index. `chunk_bytes` is the dense size of a chunk.
  constexpr std::uint8_t size_bytes(std::uint64_t chunk_bytes) const {
    return static_cast<std::uint8_t>(has_heap() ? 8u : std::min(8u, bytes_to_hold(chunk_bytes) + 1));
  }
  friend bool operator==(const ChunkComposition&, const ChunkComposition&) = default;
};

/// The part of the description that chunk records and layout messages share.
template <class Io, class Table>
void describe_sections(Io& io, Table& table, unsigned sections, bool filtered) {
  const unsigned count = std::min<unsigned>(sections, SectionTable::most);
  if constexpr (Io::decodes) {
    table = {};
    table.count = static_cast<std::uint8_t>(count);
  }
  for (unsigned i = 1; i < count; ++i) io.u64("section offset", table.offsets[i]);
  if (!filtered) return;
  for (unsigned i = 0; i < count; ++i) io.u64("unfiltered bytes", table.unfiltered_bytes[i]);
  for (unsigned i = 0; i < count; ++i) io.u32("filter mask", table.filter_masks[i]);
}

}  // namespace filigree::format
