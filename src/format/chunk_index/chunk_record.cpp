// SPDX-License-Identifier: Apache-2.0
#include "format/chunk_index/chunk_record.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "format/codec/codec_instantiate.hpp"

namespace filigree::format {

ChunkRecordLayout ChunkRecordLayout::make(bool filtered, std::uint64_t chunk_bytes,
                                          std::uint8_t layout_version, const Widths& widths,
                                          std::uint8_t rank) {
  // One byte more, because filters may enlarge a chunk.
  const unsigned size_bytes =
      layout_version >= 5 ? widths.length_bytes : std::min(8u, bytes_to_hold(chunk_bytes) + 1);
  return {filtered, static_cast<std::uint8_t>(filtered ? size_bytes : 0), rank, 0};
}

ChunkRecordLayout ChunkRecordLayout::make(bool filtered, std::uint64_t chunk_bytes,
                                          const ChunkComposition& composition, std::uint8_t rank) {
  return {filtered, composition.size_bytes(chunk_bytes), rank, composition.sections};
}

ChunkRecordLayout ChunkRecordLayout::fitted(std::uint64_t record_bytes, const ChunkRecordLayout& narrow,
                                            const Widths& widths) const {
  if (sections == 0)
    return record_bytes != bytes(widths) && record_bytes == narrow.bytes(widths) ? narrow : *this;
  ChunkRecordLayout layout = *this;
  layout.size_bytes = 0;
  const std::uint64_t size = record_bytes - layout.bytes(widths);
  if (record_bytes <= layout.bytes(widths) || size > 8) {
    throw Error(ErrorKind::corrupt, fmt::format("{}: {} bytes are no record of a chunk of {} sections",
                                                ChunkRecord::structure, record_bytes, sections));
  }
  layout.size_bytes = static_cast<std::uint8_t>(size);
  return layout;
}

template <class Io, Model<ChunkRecord> M>
void describe(Io& io, M& m) {
  const bool dense = m.layout.sections == 0;
  io.address("address", m.address);
  if (m.layout.filtered || !dense) io.word("stored bytes", m.stored_bytes, m.layout.size_bytes);
  if (m.layout.filtered && dense) io.u32("filter mask", m.filter_mask);
  for (unsigned d = 0; d < std::min<unsigned>(m.layout.rank, max_rank); ++d)
    io.u64("scaled coordinate", m.scaled[d]);
  if (!dense) describe_sections(io, m.sections, m.layout.sections, m.layout.filtered);
}

FILIGREE_DESCRIBED(ChunkRecord);

}  // namespace filigree::format
