// SPDX-License-Identifier: Apache-2.0
//
// Conversions between the records of an index and chunk locations. Only the sources of the indexes include
// this.
#pragma once

#include "format/chunk_index/chunk_record.hpp"
#include "index/chunk_index.hpp"

namespace filigree::index {

/// The form of the records of a new index. `rank` is 0 for arrays, whose records have no coordinates.
inline format::ChunkRecordLayout record_layout(const format::LayoutMessage& layout, bool filtered,
                                               std::uint64_t chunk_bytes, const format::Widths& widths,
                                               std::uint8_t rank) {
  if (layout.layout == format::LayoutClass::structured)
    return format::ChunkRecordLayout::make(filtered, chunk_bytes, layout.composition, rank);
  return format::ChunkRecordLayout::make(filtered, chunk_bytes, layout.version, widths, rank);
}

/// The form of the records of an index whose header says that they have `record_bytes`.
inline format::ChunkRecordLayout stored_record_layout(const format::ChunkRecordLayout& made,
                                                      std::uint64_t record_bytes, std::uint64_t chunk_bytes,
                                                      const format::Widths& widths) {
  return made.fitted(record_bytes,
                     format::ChunkRecordLayout::make(made.filtered, chunk_bytes, 4, widths, made.rank),
                     widths);
}

/// The location in a record. Chunks of a record without a size have `chunk_bytes`.
inline ChunkLocation record_location(const format::ChunkRecord& record, std::uint64_t chunk_bytes) {
  const bool sized = record.layout.filtered || record.layout.sections > 0;
  return {record.address, sized ? record.stored_bytes : chunk_bytes, record.filter_mask, record.sections};
}

/// A record of a location, without coordinates.
inline format::ChunkRecord location_record(const ChunkLocation& location,
                                           const format::ChunkRecordLayout& layout) {
  format::ChunkRecord record;
  record.layout = layout;
  record.address = location.address;
  record.stored_bytes = location.stored_bytes;
  record.filter_mask = location.filter_mask;
  record.sections = location.sections;
  return record;
}

}  // namespace filigree::index
