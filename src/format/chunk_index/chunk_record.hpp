// SPDX-License-Identifier: Apache-2.0
//
// Chunk records: the elements of fixed and extensible arrays (clients 0 and 1; 2 and 3 for structured chunks)
// and the records of version 2 B-trees (types 10 and 11; 12 and 13 for structured chunks). Indexes hold them
// as bytes; these structures decode them. See docs/format/chunk-indexes.md.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/address.hpp"
#include "format/chunk_index/section_table.hpp"
#include "format/codec/fields.hpp"
#include "format/messages/dataspace.hpp"

namespace filigree::format {

/// The fields of the records of one index, which follow from the dataset.
struct ChunkRecordLayout {
  bool filtered = false;        ///< dense chunks: records have a stored size and a filter mask
  std::uint8_t size_bytes = 0;  ///< width of the stored size, if filtered or structured
  /// The number of scaled coordinates in a B-tree record; 0 in arrays, whose element index determines them.
  std::uint8_t rank = 0;
  std::uint8_t sections = 0;  ///< number of sections of structured chunks

  /// The layout for dense chunks of `chunk_bytes` unfiltered bytes under that version of the layout message.
  static ChunkRecordLayout make(bool filtered, std::uint64_t chunk_bytes, std::uint8_t layout_version,
                                const Widths& widths, std::uint8_t rank);
  /// The layout for structured chunks whose dense size is `chunk_bytes`.
  static ChunkRecordLayout make(bool filtered, std::uint64_t chunk_bytes, const ChunkComposition& composition,
                                std::uint8_t rank);
  /// The layout in a file with records of `record_bytes`. Writers of structured chunks differ in the width of
  /// sizes. *Throws* Error(corrupt) if no width matches. Early writers of dense chunks with layout version 5
  /// used the widths of version 4, `narrow`; any other size of dense records is left to the index to refuse.
  ChunkRecordLayout fitted(std::uint64_t record_bytes, const ChunkRecordLayout& narrow,
                           const Widths& widths) const;

  std::uint8_t array_client() const { return (sections > 0 ? 2 : 0) + (filtered ? 1 : 0); }
  std::uint8_t tree_type() const { return 10 + array_client(); }
  std::uint16_t bytes(const Widths& widths) const {
    return static_cast<std::uint16_t>(scaled_at(widths) + 8u * rank + section_bytes());
  }
  /// The size of the section table of a record.
  std::uint16_t section_bytes() const {
    if (sections == 0) return 0;
    return static_cast<std::uint16_t>(8u * (sections - 1u) + (filtered ? 12u * sections : 0u));
  }
  /// The byte offset of the coordinates in a record: 8 bytes each, slowest dimension first.
  std::uint16_t scaled_at(const Widths& widths) const {
    return static_cast<std::uint16_t>(widths.offset_bytes + size_bytes +
                                      (filtered && sections == 0 ? 4u : 0u));
  }

  /// An upper bound for the size of a record: two words, and an offset, a size and a mask for every section.
  static constexpr std::size_t most_bytes = 16 + 20 * SectionTable::most;
};

struct ChunkRecord {
  static constexpr std::string_view structure = "chunk record";
  ChunkRecordLayout layout;              ///< set by the caller
  Address address = Address::undefined;  ///< undefined in arrays if the chunk does not exist
  std::uint64_t stored_bytes = 0;        ///< if filtered or structured
  std::uint32_t filter_mask = 0;         ///< if filtered and dense; bit i is set if filter i was skipped
  std::array<std::uint64_t, max_rank> scaled{};  ///< scaled coordinates; the first `layout.rank` are used
  SectionTable sections;
};

}  // namespace filigree::format
