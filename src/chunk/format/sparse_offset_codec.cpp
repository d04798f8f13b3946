// SPDX-License-Identifier: Apache-2.0
//
// The OffsetCodec of sparse chunks: lists of offsets with their values, without run sets in between.
#include <fmt/format.h>

#include <filigree/error.hpp>

#include "chunk/format/sparse_decoded_chunk.hpp"
#include "chunk/format/sparse_format.hpp"
#include "filter/packed_selection/packed_selection.hpp"

namespace filigree::chunk {
namespace {

using space::Run;
using space::RunSet;

RunSet set_of(std::span<const std::uint32_t> offsets) {
  space::RunSetWriter writer(offsets.size());
  for (const std::uint64_t offset : offsets) writer.add({offset, 1});
  return writer.finish();
}

}  // namespace

ChunkElements SparseFormat::list_elements(const DecodedChunk& decoded) const {
  const RunSet defined = this->defined(decoded);
  ChunkElements elements;
  auto& list = elements.offsets.list;
  list.reserve(static_cast<std::size_t>(defined.elements()));
  for (std::size_t i = 0; i < defined.runs(); ++i) {
    const Run run = defined.run(i);
    for (std::uint64_t at = run.start; at < run.end(); ++at) list.push_back(static_cast<std::uint32_t>(at));
  }
  const Bytes held = values(decoded, elements.values);
  if (held.data() != elements.values.data()) elements.values.assign(held.begin(), held.end());
  return elements;
}

StoredChunk SparseFormat::encode_elements(std::span<const std::uint32_t> offsets, Bytes values,
                                          ChunkEdge edge) const {
  if (packs_runs(offsets.size(), edge)) {
    auto packed = filter::pack_points(shape_.chunk.dims(), offsets);
    if (packed && is_worth_packing(*packed)) {
      Sections::Packed selection{std::move(packed->stored), packed->unfiltered_bytes};
      const std::array<Bytes, 2> contents{Bytes(), values};
      return sections_.pack(contents, edge, &selection);
    }
  }
  return encode(
      SparseDecodedChunk(shape_.element_bytes, set_of(offsets), Buffer(values.begin(), values.end())), edge);
}

ChunkElements SparseFormat::decode_elements(const StoredChunkView& stored) const {
  const Run selection = sections_.extent(selection_section, stored.info, stored.bytes.size());
  if (selection.length == 0 || !is_packed(stored.info, stored.edge)) return list_elements(*decode(stored));
  const std::uint64_t bytes =
      sections_.content_bytes(values_section, stored.info, stored.bytes.size(), stored.edge);
  auto unpacked = filter::unpack_points(
      stored.bytes.subspan(selection.start, selection.length),
      static_cast<std::size_t>(stored.info.sections.unfiltered_bytes[selection_section]),
      bytes / shape_.element_bytes);
  if (!unpacked) return list_elements(*decode(stored));
  if (unpacked->dims != shape_.chunk.dims())
    throw Error(ErrorKind::corrupt, "a chunk defines elements of another extent than its own");
  const std::size_t listed = unpacked->points.list.size();
  if (!unpacked->points.bits && listed * shape_.element_bytes != bytes) {
    throw Error(ErrorKind::corrupt,
                fmt::format("a chunk defines {} elements of {} bytes and has {} bytes of values", listed,
                            shape_.element_bytes, bytes));
  }
  const Run values = sections_.extent(values_section, stored.info, stored.bytes.size());
  return {std::move(unpacked->points),
          sections_.unpack(values_section, stored.bytes.subspan(values.start, values.length), stored.info,
                           stored.edge, bytes)};
}

}  // namespace filigree::chunk
