// SPDX-License-Identifier: Apache-2.0
//
// What the indexes of dense chunks say about one chunk: the elements of fixed and extensible arrays
// (clients 0 and 1) and the records of version 2 B-trees (types 10 and 11). Containers keep them as raw
// bytes; these structures say what the bytes mean.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/address.hpp"
#include "format/dataspace.hpp"
#include "format/fields.hpp"

namespace filigree::format {

/// Which fields the records of one index have. Follows from the dataset, not from the record.
struct ChunkRecordForm {
  bool filtered = false;        ///< stored size and filter mask are there
  std::uint8_t size_bytes = 0;  ///< width of the stored size, when filtered
  /// Scaled coordinates at the end of a B-tree's record; 0 in arrays, where the place tells them.
  std::uint8_t rank = 0;

  /// The form for chunks of `chunk_bytes` before any filter, under that version of the layout message.
  static ChunkRecordForm make(bool filtered, std::uint64_t chunk_bytes, std::uint8_t layout_version,
                              const Widths& widths, std::uint8_t rank);

  std::uint8_t array_client() const { return filtered ? 1 : 0; }
  std::uint8_t tree_type() const { return filtered ? 11 : 10; }
  std::uint16_t bytes(const Widths& widths) const {
    return static_cast<std::uint16_t>(scaled_at(widths) + 8u * rank);
  }
  /// Where in a record the coordinates begin, 8 bytes each, the slowest first.
  std::uint16_t scaled_at(const Widths& widths) const {
    return static_cast<std::uint16_t>(widths.offset_bytes + (filtered ? size_bytes + 4u : 0u));
  }
};

struct ChunkRecord {
  static constexpr std::string_view structure = "chunk record";
  ChunkRecordForm form;                          ///< outside parameter
  Address address = Address::undefined;          ///< undefined in arrays: no such chunk
  std::uint64_t stored_bytes = 0;                ///< when filtered
  std::uint32_t filter_mask = 0;                 ///< when filtered; bit i set: filter i was skipped
  std::array<std::uint64_t, max_rank> scaled{};  ///< the first `form.rank` of them
};

}  // namespace filigree::format
