// SPDX-License-Identifier: Apache-2.0
#include "format/chunk_record.hpp"

#include <algorithm>

#include "format/codec_instantiate.hpp"

namespace filigree::format {

ChunkRecordForm ChunkRecordForm::make(bool filtered, std::uint64_t chunk_bytes, std::uint8_t layout_version,
                                      const Widths& widths, std::uint8_t rank) {
  // One byte to spare, for what filters make longer.
  const unsigned size_bytes =
      layout_version >= 5 ? widths.length_bytes : std::min(8u, bytes_to_hold(chunk_bytes) + 1);
  return {filtered, static_cast<std::uint8_t>(filtered ? size_bytes : 0), rank};
}

template <class Io, Model<ChunkRecord> M>
void describe(Io& io, M& m) {
  io.address("address", m.address);
  if (m.form.filtered) {
    io.word("stored bytes", m.stored_bytes, m.form.size_bytes);
    io.u32("filter mask", m.filter_mask);
  }
  for (unsigned d = 0; d < std::min<unsigned>(m.form.rank, max_rank); ++d)
    io.u64("scaled coordinate", m.scaled[d]);
}

FILIGREE_DESCRIBED(ChunkRecord);

}  // namespace filigree::format
