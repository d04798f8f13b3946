// SPDX-License-Identifier: Apache-2.0
//
// Reading, writing and erasing of elements of decoded sparse chunks.
#include <algorithm>
#include <cstring>

#include "base/checked.hpp"
#include "chunk/format/sparse_decoded_chunk.hpp"
#include "chunk/format/sparse_format.hpp"

namespace filigree::chunk {
namespace {

using space::Run;
using space::RunSet;
using space::SetOperator;

/// Writes of more elements are merged at once.
constexpr std::uint64_t most_appended = 16;

bool are_ascending(std::span<const space::ChunkRun> runs) {
  const auto comes_after = [](const space::ChunkRun& a, const space::ChunkRun& b) {
    return b.chunk_offset < a.chunk_offset + a.length;
  };
  return std::ranges::adjacent_find(runs, comes_after) == runs.end();
}

RunSet set_of_ascending(std::span<const space::ChunkRun> runs) {
  space::RunSetWriter writer(runs.size());
  for (const space::ChunkRun& run : runs) writer.add({run.chunk_offset, run.length});
  return writer.finish();
}

RunSet set_of(std::span<const space::ChunkRun> runs) {
  if (are_ascending(runs)) return set_of_ascending(runs);
  std::vector<Run> list;
  list.reserve(runs.size());
  for (const space::ChunkRun& run : runs) list.push_back({run.chunk_offset, run.length});
  return RunSet::of_runs(std::move(list));
}

/// Copies the elements of the runs out of memory, contiguously. *Requires*: `to` has 16 bytes of slack.
/// Runs are mostly short, so 16 bytes are copied unconditionally where memory has them.
void gather(std::span<const space::ChunkRun> runs, const std::byte* memory, std::size_t size, std::byte* to) {
  constexpr std::size_t few = 16;
  std::uint64_t end = 0;
  for (const space::ChunkRun& run : runs) end = std::max(end, run.memory + run.length);
  const std::uint64_t sure = end * size < few ? 0 : end * size - few + 1;
  for (const space::ChunkRun& run : runs) {
    const std::size_t from = run.memory * size, bytes = run.length * size;
    if (bytes <= few && from < sure) {
      std::memcpy(to, memory + from, few);
    } else {
      std::memcpy(to, memory + from, bytes);
    }
    to += bytes;
  }
}

/// Fills `bytes` with copies of a block, the last of which may be a part of it.
void copy_repeatedly(Bytes block, std::byte* to, std::uint64_t bytes) {
  for (std::uint64_t done = 0; done < bytes; done += block.size())
    std::memcpy(to + done, block.data(),
                static_cast<std::size_t>(std::min<std::uint64_t>(block.size(), bytes - done)));
}

}  // namespace

// Elements.
void SparseFormat::read_undefined(std::byte* memory, std::uint64_t count, const Values& values) const {
  const std::uint64_t at_once = fill_block_.size() / shape_.element_bytes;
  for (std::uint64_t done = 0; done < count; done += at_once) {
    values.conversion.apply({fill_block_.data(), shape_.element_bytes, memory + done * values.element_bytes,
                             values.element_bytes, std::min(at_once, count - done)},
                            values.context);
  }
}

void SparseFormat::read(const DecodedChunk& decoded, std::span<const space::ChunkRun> runs,
                        const Values& values) const {
  if (!shape_.variable) return read_values(decoded, runs, values, values);
  const std::uint8_t width = shape_.variable->offset_bytes();
  HeapReader heap(sparse(decoded).heap(), width);
  HeapReader fill_heap(shape_.fill_heap, width);
  type::Context of_values = values.context;
  of_values.from_file = &heap;
  type::Context of_fill = values.context;
  of_fill.from_file = &fill_heap;
  read_values(decoded, runs, {values.conversion, of_values, values.memory, values.element_bytes},
              {values.conversion, of_fill, values.memory, values.element_bytes});
}

void SparseFormat::read_values(const DecodedChunk& decoded, std::span<const space::ChunkRun> runs,
                               const Values& values, const Values& undefined) const {
  if (const CompactElements* const compact = sparse(decoded).compact())
    return read_compact(*compact, runs, values);
  OrdinalSet::Cursor cursor(sparse(decoded).ordinals());
  for (const space::ChunkRun& wanted : runs) {
    const std::uint64_t end = wanted.chunk_offset + wanted.length;
    std::byte* memory = values.memory + wanted.memory * values.element_bytes;
    for (std::uint64_t at = wanted.chunk_offset; at < end;) {
      const bool more = cursor.seek(at);
      const bool inside = more && cursor.run().start <= at;
      const std::uint64_t until =
          !more ? end : std::min(end, inside ? cursor.run().end() : cursor.run().start);
      if (inside) {
        values.conversion.apply({sparse(decoded).value(cursor.ordinal(at)), shape_.element_bytes, memory,
                                 values.element_bytes, until - at},
                                values.context);
      } else {
        read_undefined(memory, until - at, undefined);
      }
      memory += (until - at) * values.element_bytes;
      at = until;
    }
  }
}

void SparseFormat::read_compact(const CompactElements& elements, std::span<const space::ChunkRun> runs,
                                const Values& values) const {
  const std::size_t size = shape_.element_bytes;
  const bool copies = values.conversion.traits().copies;
  Buffer found;
  for (const space::ChunkRun& wanted : runs) {
    std::byte* const memory = values.memory + wanted.memory * values.element_bytes;
    const std::uint64_t end = wanted.chunk_offset + wanted.length;
    const std::size_t first = elements.offsets.find(wanted.chunk_offset);
    const std::size_t last = elements.offsets.find(end);
    if (last - first < wanted.length) read_undefined(memory, wanted.length, values);
    found.resize((last - first) * size);
    elements.values.copy(first, last - first, found.data());
    const std::byte* from = found.data();
    elements.offsets.for_each_part(
        first, last, wanted.chunk_offset, [&](std::uint64_t base, std::span<const std::uint16_t> low) {
          for (const std::uint16_t one : low) {
            std::byte* const to = memory + (base + one - wanted.chunk_offset) * values.element_bytes;
            if (copies) {
              std::memcpy(to, from, size);
            } else {
              values.conversion.apply({from, size, to, values.element_bytes, 1}, values.context);
            }
            from += size;
          }
        });
  }
}

void SparseFormat::fill_values(SparseDecodedChunk& decoded, const RunSet& elements) const {
  Buffer adopted;
  if (shape_.variable && !shape_.fill_heap.empty()) {
    adopted = shape_.fill;
    shape_.variable->move_payloads(adopted, shape_.fill_heap, decoded.heap());
  }
  const Bytes block = adopted.empty() ? fill_block_ : adopted;
  OrdinalSet::Cursor cursor(decoded.ordinals());
  for (std::size_t i = 0; i < elements.runs(); ++i) {
    const Run run = elements.run(i);
    cursor.seek(run.start);
    copy_repeatedly(block, decoded.value(cursor.ordinal(run.start)), run.length * shape_.element_bytes);
  }
}

void SparseFormat::write(DecodedChunk& decoded, std::span<const space::ChunkRun> runs,
                         const Values& values) const {
  SparseDecodedChunk& into = sparse(decoded);
  if (!shape_.variable) return write_values(into, runs, values);
  HeapWriter heap(into.heap(), shape_.variable->offset_bytes());
  type::Context context = values.context;
  context.to_file = &heap;
  write_values(into, runs, {values.conversion, context, values.memory, values.element_bytes});
  if (heap_has_grown(into.heap().size(), into.compact_heap_bytes()))
    into.set_cells(shape_.variable->compact(into.values(), into.heap()));
}

bool SparseFormat::append_values(SparseDecodedChunk& into, std::span<const space::ChunkRun> runs,
                                 const Values& values) const {
  // Conversions of a part of an element, those that may fail, and callbacks for replaced elements need the
  // old values.
  const type::Conversion::Traits& traits = values.conversion.traits();
  const bool needs_old = traits.partial || values.replaced != nullptr || values.context.on_fault != nullptr;
  if (shape_.variable || needs_old) return false;
  std::uint64_t elements = 0;
  for (const space::ChunkRun& run : runs) elements += run.length;
  if (elements > most_appended || into.is_empty()) return false;
  for (const space::ChunkRun& run : runs) {
    into.append({run.chunk_offset, run.length}, [&](std::byte* to) {
      // A conversion may leave bytes of an element unchanged.
      if (!traits.copies) copy_repeatedly(fill_block_, to, run.length * shape_.element_bytes);
      values.conversion.apply({values.memory + run.memory * values.element_bytes, values.element_bytes, to,
                               shape_.element_bytes, run.length},
                              values.context);
    });
  }
  return true;
}

void SparseFormat::write_values(SparseDecodedChunk& into, std::span<const space::ChunkRun> runs,
                                const Values& values) const {
  if (append_values(into, runs, values)) return;
  if (into.is_empty() && values.conversion.traits().copies && values.replaced == nullptr &&
      are_ascending(runs)) {
    RunSet elements = set_of_ascending(runs);
    const auto bytes = static_cast<std::size_t>(
        checked_multiply(elements.elements(), shape_.element_bytes, "the bytes of a chunk's values"));
    Buffer copied(bytes + 16);
    gather(runs, values.memory, shape_.element_bytes, copied.data());
    copied.resize(bytes);
    return into.set_elements(std::move(elements), std::move(copied));
  }
  if (!into.covers(runs)) {
    const RunSet fresh = combine(set_of(runs), SetOperator::subtract, into.defined());
    into.define(fresh);
    // A conversion may leave bytes unchanged, or throw.
    if (!values.conversion.traits().copies || shape_.variable || values.replaced != nullptr)
      fill_values(into, fresh);
  }
  Buffer before;
  OrdinalSet::Cursor cursor(into.ordinals());
  for (const space::ChunkRun& run : runs) {
    cursor.seek(run.chunk_offset);
    const Bytes target(into.value(cursor.ordinal(run.chunk_offset)), run.length * shape_.element_bytes);
    if (values.replaced != nullptr) before.assign(target.begin(), target.end());
    values.conversion.apply({values.memory + run.memory * values.element_bytes, values.element_bytes,
                             into.value(cursor.ordinal(run.chunk_offset)), shape_.element_bytes, run.length},
                            values.context);
    if (values.replaced != nullptr) (*values.replaced)(before, target);
  }
}

void SparseFormat::for_each_value(const DecodedChunk& decoded, FunctionRef<void(Bytes)> visit) const {
  Buffer buffer;
  visit(values(decoded, buffer));
}

void SparseFormat::for_each_value(DecodedChunk& decoded, FunctionRef<void(MutableBytes)> change) const {
  change({sparse(decoded).value(0), sparse(decoded).values().size()});
}

void SparseFormat::erase(DecodedChunk& decoded, const RunSet& elements) const {
  sparse(decoded).erase(elements);
}

}  // namespace filigree::chunk
