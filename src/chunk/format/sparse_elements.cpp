// SPDX-License-Identifier: Apache-2.0
//
// The elements of sparse chunks: how many there are, which of them a selection has, and their compact form.
#include <cstring>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "chunk/format/sparse_decoded_chunk.hpp"
#include "chunk/format/sparse_format.hpp"
#include "filter/packed_selection/packed_selection.hpp"

namespace filigree::chunk {
namespace {

using filter::OffsetBlocks;
using space::Run;
using space::RunSet;

/// Values that declare a higher compression ratio are counted after they were decoded.
constexpr std::uint64_t most_packing = 1024;

RunSet set_of(const OffsetBlocks& offsets) {
  const auto edges = offsets.edges();
  space::RunSetWriter writer(edges.size() / 2);
  writer.add_edges(edges);
  return writer.finish();
}

/// The ordinals of the elements of a run.
struct Ordinals {
  std::size_t begin, end;
};

Ordinals find(const OffsetBlocks& offsets, Run run) {
  const std::size_t begin = offsets.find(run.start);
  if (run.length == 1) return {begin, begin + (offsets.is_at(begin, run.start) ? 1 : 0)};
  return {begin, offsets.find(run.end())};
}

void append(const OffsetBlocks& offsets, Ordinals part, Run run, std::vector<std::uint64_t>& to) {
  std::size_t next = to.size();
  to.resize(next + (part.end - part.begin));
  offsets.for_each_part(part.begin, part.end, run.start,
                        [&](std::uint64_t first, std::span<const std::uint16_t> low) {
                          for (const std::uint16_t one : low) to[next++] = first + one;
                        });
}

/// Finds the parts of wanted runs that are in a set. Cheap when each run is a little behind the previous one.
class CommonParts {
 public:
  explicit CommonParts(const RunSet& set) : set_(set) {}

  /// Calls `visit(run)` for the parts of `wanted`.
  template <class Visit>
  void for_each(Run wanted, Visit visit) {
    const bool is_behind = next_ == 0 || set_.run(next_ - 1).end() <= wanted.start;
    next_ = find_from(set_, is_behind ? next_ : 0, wanted.start);
    for (std::size_t i = next_; i < set_.runs() && set_.run(i).start < wanted.end(); ++i) {
      const std::uint64_t from = std::max(set_.run(i).start, wanted.start);
      visit(Run{from, std::min(set_.run(i).end(), wanted.end()) - from});
    }
  }

 private:
  const RunSet& set_;
  std::size_t next_ = 0;
};

void append(Run run, std::vector<std::uint64_t>& to) {
  for (std::uint64_t at = run.start; at < run.end(); ++at) to.push_back(at);
}

}  // namespace

RunSet SparseFormat::defined(const DecodedChunk& decoded) const {
  const SparseDecodedChunk& chunk = sparse(decoded);
  return chunk.compact() != nullptr ? set_of(chunk.compact()->offsets) : chunk.defined();
}

std::uint64_t SparseFormat::count(const DecodedChunk& decoded) const { return sparse(decoded).elements(); }

Bytes SparseFormat::values(const DecodedChunk& decoded, Buffer& buffer) const {
  const SparseDecodedChunk& chunk = sparse(decoded);
  if (chunk.compact() == nullptr) return chunk.values();
  const std::size_t elements = chunk.compact()->offsets.elements();
  buffer.resize(elements * shape_.element_bytes);
  chunk.compact()->values.copy(0, elements, buffer.data());
  return buffer;
}

std::optional<std::uint64_t> SparseFormat::declared_elements(const StoredChunkView& stored) const {
  const std::uint64_t section = sections_.extent(values_section, stored.info, stored.stored_bytes).length;
  const std::uint64_t bytes =
      sections_.content_bytes(values_section, stored.info, stored.stored_bytes, stored.edge);
  const std::uint64_t elements = bytes / shape_.element_bytes;
  if (elements > shape_.chunk.elements() || bytes / most_packing > section) return std::nullopt;
  return elements;
}

TakenElements SparseFormat::take(const DecodedChunk& decoded, std::span<const Run> wanted,
                                 bool with_values) const {
  const SparseDecodedChunk& chunk = sparse(decoded);
  const std::size_t size = shape_.element_bytes;
  TakenElements taken;
  taken.ends.reserve(wanted.size());
  if (const CompactElements* const compact = chunk.compact()) {
    for (const Run& run : wanted) {
      const Ordinals part = find(compact->offsets, run);
      append(compact->offsets, part, run, taken.offsets);
      taken.ends.push_back(taken.offsets.size());
      if (!with_values) continue;
      const std::size_t before = taken.values.size();
      taken.values.resize(taken.offsets.size() * size);
      compact->values.copy(part.begin, part.end - part.begin, taken.values.data() + before);
    }
    return taken;
  }
  OrdinalSet::Cursor cursor(chunk.ordinals());
  CommonParts common(chunk.defined());
  for (const Run& run : wanted) {
    common.for_each(run, [&](Run part) {
      append(part, taken.offsets);
      if (!with_values) return;
      cursor.seek(part.start);
      const std::byte* const from = chunk.value(cursor.ordinal(part.start));
      taken.values.insert(taken.values.end(), from, from + part.length * size);
    });
    taken.ends.push_back(taken.offsets.size());
  }
  return taken;
}

TakenElements SparseFormat::take_defined(const StoredChunkView& part, std::span<const Run> wanted) const {
  TakenElements taken;
  taken.ends.reserve(wanted.size());
  if (const auto blocks = unpack_blocks(part)) {
    for (const Run& run : wanted) {
      append(*blocks, find(*blocks, run), run, taken.offsets);
      taken.ends.push_back(taken.offsets.size());
    }
    return taken;
  }
  const RunSet defined = decode_defined(part);
  CommonParts common(defined);
  for (const Run& run : wanted) {
    common.for_each(run, [&](Run found) { append(found, taken.offsets); });
    taken.ends.push_back(taken.offsets.size());
  }
  return taken;
}

// Compact chunks.

std::optional<OffsetBlocks> SparseFormat::unpack_blocks(const StoredChunkView& part) const {
  if (part.bytes.empty() || !is_packed(part.info, part.edge) || shape_.chunk.elements() >> 32 != 0)
    return std::nullopt;
  const auto elements = declared_elements(part);
  if (!elements || *elements < shape_.least_compact_elements) return std::nullopt;
  auto unpacked = filter::unpack_blocks(
      part.bytes, static_cast<std::size_t>(part.info.sections.unfiltered_bytes[selection_section]),
      *elements);
  if (!unpacked) return std::nullopt;
  if (unpacked->dims != shape_.chunk.dims())
    throw Error(ErrorKind::corrupt, "a chunk defines elements of another extent than its own");
  const std::uint64_t bytes =
      sections_.content_bytes(values_section, part.info, part.stored_bytes, part.edge);
  if (unpacked->offsets.elements() * shape_.element_bytes != bytes) {
    throw Error(ErrorKind::corrupt,
                fmt::format("a chunk defines {} elements of {} bytes and has {} bytes of values",
                            unpacked->offsets.elements(), shape_.element_bytes, bytes));
  }
  return std::move(unpacked->offsets);
}

std::unique_ptr<DecodedChunk> SparseFormat::decode_compact(const StoredChunkView& stored) const {
  if (shape_.variable) return nullptr;
  const Run selection = sections_.extent(selection_section, stored.info, stored.bytes.size());
  auto offsets = unpack_blocks({stored.bytes.subspan(selection.start, selection.length), stored.info,
                                stored.edge, stored.bytes.size()});
  if (!offsets) return nullptr;
  const Run values = sections_.extent(values_section, stored.info, stored.bytes.size());
  Buffer unpacked = sections_.unpack(values_section, stored.bytes.subspan(values.start, values.length),
                                     stored.info, stored.edge, offsets->elements() * shape_.element_bytes);
  if (unpacked.size() != offsets->elements() * shape_.element_bytes)
    throw Error(ErrorKind::corrupt, "corrupt chunk: the numbers of its defined elements and values differ");
  return make_compact(*std::move(offsets), std::move(unpacked));
}

bool SparseFormat::is_better_compact(const RunSet& elements) const {
  constexpr std::uint64_t long_run = 8;  // takes as many bytes as two edges
  return !shape_.variable && shape_.chunk.elements() >> 32 == 0 &&
         elements.elements() >= shape_.least_compact_elements &&
         elements.elements() / long_run <= elements.runs();
}

std::unique_ptr<DecodedChunk> SparseFormat::make_compact(OffsetBlocks offsets, Buffer values) const {
  return std::make_unique<SparseDecodedChunk>(
      shape_.element_bytes,
      CompactElements{std::move(offsets), CompactValues(std::move(values), shape_.element_bytes)});
}

}  // namespace filigree::chunk
