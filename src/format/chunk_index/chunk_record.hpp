// SPDX-License-Identifier: Apache-2.0
//
// What indexes say about one chunk: the elements of fixed and extensible arrays (clients 0 and 1, of
// structured chunks 2 and 3) and the records of version 2 B-trees (types 10 and 11, and 12 and 13).
// Containers keep them as raw bytes; these structures say what the bytes mean.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/address.hpp"
#include "format/chunk_index/section_table.hpp"
#include "format/codec/fields.hpp"
#include "format/messages/dataspace.hpp"

namespace filigree::format {

/// Which fields the records of one index have. Follows from the dataset, not from the record.
struct ChunkRecordForm {
  bool filtered = false;        ///< dense: stored size and filter mask are there
  std::uint8_t size_bytes = 0;  ///< width of the stored size, when filtered or structured
  /// Scaled coordinates of a B-tree's record; 0 in arrays, where the place tells them.
  std::uint8_t rank = 0;
  std::uint8_t sections = 0;  ///< of structured chunks

  /// The form for chunks of `chunk_bytes` before any filter, under that version of the layout message.
  static ChunkRecordForm make(bool filtered, std::uint64_t chunk_bytes, std::uint8_t layout_version,
                              const Widths& widths, std::uint8_t rank);
  /// That for structured chunks which take `chunk_bytes` when they are dense.
  static ChunkRecordForm make(bool filtered, std::uint64_t chunk_bytes, const ChunkComposition& composition,
                              std::uint8_t rank);
  /// Of structured chunks: the form as a file has it whose records are of `record_bytes`. Writers disagree
  /// on the width of sizes. Throws Error(corrupt) when no width gives that.
  ChunkRecordForm fitted(std::uint64_t record_bytes, const Widths& widths) const;

  std::uint8_t array_client() const { return (sections > 0 ? 2 : 0) + (filtered ? 1 : 0); }
  std::uint8_t tree_type() const { return 10 + array_client(); }
  std::uint16_t bytes(const Widths& widths) const {
    return static_cast<std::uint16_t>(scaled_at(widths) + 8u * rank + section_bytes());
  }
  /// Of what the record says of sections.
  std::uint16_t section_bytes() const {
    if (sections == 0) return 0;
    return static_cast<std::uint16_t>(8u * (sections - 1u) + (filtered ? 12u * sections : 0u));
  }
  /// Where in a record the coordinates begin, 8 bytes each, the slowest first.
  std::uint16_t scaled_at(const Widths& widths) const {
    return static_cast<std::uint16_t>(widths.offset_bytes + size_bytes +
                                      (filtered && sections == 0 ? 4u : 0u));
  }

  /// More than any record takes: two words, and for every section an offset, a size and a mask.
  static constexpr std::size_t most_bytes = 16 + 20 * SectionTable::most;
};

struct ChunkRecord {
  static constexpr std::string_view structure = "chunk record";
  ChunkRecordForm form;                          ///< outside parameter
  Address address = Address::undefined;          ///< undefined in arrays: no such chunk
  std::uint64_t stored_bytes = 0;                ///< when filtered or structured
  std::uint32_t filter_mask = 0;                 ///< when filtered and dense; bit i set: filter i was skipped
  std::array<std::uint64_t, max_rank> scaled{};  ///< the first `form.rank` of them
  SectionTable sections;
};

}  // namespace filigree::format
