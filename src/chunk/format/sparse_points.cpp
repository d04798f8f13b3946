// SPDX-License-Identifier: Apache-2.0
//
// Sparse chunks from and to single elements, without sets in between.
#include <fmt/format.h>

#include <filigree/error.hpp>

#include "chunk/format/sparse_format.hpp"
#include "chunk/format/sparse_image.hpp"
#include "filter/packed_selection/packed_selection.hpp"

namespace filigree::chunk {
namespace {

using space::Run;
using space::RunSet;

/// Values that were filtered to less are believed when they have been unpacked, not before.
constexpr std::uint64_t most_packing = 1024;

RunSet set_of(std::span<const std::uint32_t> positions) {
  space::RunSetWriter writer(positions.size());
  for (const std::uint64_t position : positions) writer.add({position, 1});
  return writer.finish();
}

}  // namespace

ChunkPoints points_of(const ChunkFormat& format, const ChunkImage& image) {
  const RunSet defined = format.defined(image);
  ChunkPoints points;
  auto& list = points.positions.list;
  list.reserve(static_cast<std::size_t>(defined.elements()));
  for (std::size_t i = 0; i < defined.runs(); ++i) {
    const Run run = defined.run(i);
    for (std::uint64_t at = run.start; at < run.end(); ++at) list.push_back(static_cast<std::uint32_t>(at));
  }
  format.for_each_value(
      image, [&](Bytes some) { points.values.insert(points.values.end(), some.begin(), some.end()); });
  return points;
}

StoredChunk SparseFormat::encode_points(std::span<const std::uint32_t> positions, Bytes values,
                                        bool whole) const {
  if (packs_at_once(positions.size(), whole)) {
    auto packed = filter::pack_points(shape_.chunk.dims(), positions);
    if (packed && packed->stored.size() < packed->unfiltered_bytes) {
      Sections::Packed selection{std::move(packed->stored), packed->unfiltered_bytes};
      const std::array<Bytes, 2> contents{Bytes(), values};
      return sections_.pack(contents, whole, &selection);
    }
  }
  return encode(SparseImage(shape_.element_bytes, set_of(positions), Buffer(values.begin(), values.end())),
                whole);
}

std::optional<std::uint64_t> SparseFormat::claimed_points(const StoredForm& form, std::uint64_t stored_bytes,
                                                          bool whole) const {
  const std::uint64_t section = sections_.extent(values_section, form, stored_bytes).length;
  const std::uint64_t bytes = sections_.content_bytes(values_section, form, stored_bytes, whole);
  const std::uint64_t elements = bytes / shape_.element_bytes;
  if (elements > shape_.chunk.elements() || bytes / most_packing > section) return std::nullopt;
  return elements;
}

ChunkPoints SparseFormat::decode_points(Bytes stored, const StoredForm& form, bool whole) const {
  const Run selection = sections_.extent(selection_section, form, stored.size());
  if (selection.length == 0 || !is_packed(form, whole)) return points_of(*this, *decode(stored, form, whole));
  const std::uint64_t bytes = sections_.content_bytes(values_section, form, stored.size(), whole);
  auto unpacked =
      filter::unpack_points(stored.subspan(selection.start, selection.length),
                            static_cast<std::size_t>(form.sections.unfiltered_bytes[selection_section]),
                            bytes / shape_.element_bytes);
  if (!unpacked) return points_of(*this, *decode(stored, form, whole));
  if (unpacked->dims != shape_.chunk.dims())
    throw Error(ErrorKind::corrupt, "a chunk defines elements of another extent than its own");
  const std::size_t listed = unpacked->points.list.size();
  if (!unpacked->points.bits && listed * shape_.element_bytes != bytes) {
    throw Error(ErrorKind::corrupt,
                fmt::format("a chunk defines {} elements of {} bytes and has {} bytes of values", listed,
                            shape_.element_bytes, bytes));
  }
  const Run values = sections_.extent(values_section, form, stored.size());
  return {std::move(unpacked->points),
          sections_.unpack(values_section, stored.subspan(values.start, values.length), form, whole, bytes)};
}

}  // namespace filigree::chunk
