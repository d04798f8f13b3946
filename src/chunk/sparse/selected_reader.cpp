// SPDX-License-Identifier: Apache-2.0
//
// Read of selected elements. The caller holds the file's lock in shared mode.
//
//  1. find_candidates() determines the chunks that exist in the bounds of the selection, and make_stripes()
//     groups them into stripes. Stripes are processed on all cores, some at a time.
//  2. SelectionCutter::cut() cuts the runs of the selection at rows and chunks. Chunks without any part are
//     neither read nor decoded.
//  3. Chunks that are not cached are read by one request for a batch of stripes: everything if values are
//     wanted, else the part that says what is defined.
//  4. Each chunk is decoded, and DefinedElements::take() takes out the wanted elements. It searches in the
//     packed offsets, so a row of a large chunk costs little. The decoded chunk is then dropped, unless the
//     read is so small that it may be one of many: then the chunk stays in the cache.
//  5. The elements of the chunks are merged in the order of the parts.
#include "chunk/sparse/selected_reader.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace filigree::chunk {
namespace {

/// Limits of the parts of a selection: a constant, and so many for each element that chunks define.
constexpr std::uint64_t most_parts = std::uint64_t{1} << 16, parts_per_element = 4;

/// Decoded bytes that one read adds to the cache at most. A read of more is a scan.
constexpr std::uint64_t most_kept_bytes = 64u << 20;
/// Bytes of an offset in a decoded chunk.
constexpr std::uint64_t offset_bytes = 2;

}  // namespace

bool SelectedReader::is_suitable(const space::Selection& selection,
                                 std::span<const CandidateChunk> candidates) const {
  std::uint64_t elements = 0;
  for (const CandidateChunk& one : candidates) elements += estimated_elements(table_, one);
  return SelectionCutter::most_parts(table_, selection.run_count(), selection.elements()) /
             parts_per_element <=
         most_parts + elements;
}

bool SelectedReader::keeps_chunks(std::span<const CandidateChunk> candidates) const {
  std::uint64_t bytes = 0;
  for (const CandidateChunk& one : candidates)
    bytes += estimated_elements(table_, one) * (offset_bytes + table_.traits().element_bytes / 2);
  return bytes <= most_kept_bytes;
}

std::optional<std::vector<SelectedElements>> SelectedReader::read(
    const space::Selection& selection, const Values* values,
    FunctionRef<void(std::uint64_t)> check_plausible) const {
  std::vector<CandidateChunk> candidates = find_candidates(table_, selection);
  if (!is_suitable(selection, candidates)) return std::nullopt;
  const bool keeps = keeps_chunks(candidates);
  if (values != nullptr && !keeps && finds_values(defined_)) return std::nullopt;
  const SelectionCutter cutter(table_, selection.runs());
  std::vector<Stripe> stripes = make_stripes(table_, candidates);
  std::vector<std::vector<SelectedPart>> parts(stripes.size());
  std::vector<SelectedElements> found(stripes.size());
  const auto number = [&](const Stripe& stripe) {
    return static_cast<std::size_t>(&stripe - stripes.data());
  };
  std::uint64_t elements = 0;
  for_each_fetched(table_, stripes, values != nullptr ? FetchedPart::everything : FetchedPart::defined_part,
                   {[&](Stripe& stripe) { parts[number(stripe)] = cutter.cut(stripe); },
                    [&](Stripe& stripe) {
                      const std::size_t i = number(stripe);
                      found[i] = take(stripe, std::exchange(parts[i], {}), values, keeps);
                    },
                    [&](std::span<const Stripe> some) {
                      for (const Stripe& stripe : some) elements += found[number(stripe)].offsets.size();
                      check_plausible(elements);
                    }});
  return found;
}

TakenElements SelectedReader::take_from(CandidateChunk& one, bool with_values, bool keeps) const {
  const auto wanted = std::exchange(one.wanted, {});
  if (wanted.empty()) return {};
  if (one.decoded) return defined_.take(*one.decoded, wanted, with_values);
  const StoredChunkView stored = view_of(one.location, one.bytes, table_.geometry().edge(one.chunk));
  if (!with_values) return defined_.take_defined(stored, wanted);
  DecodedChunkPointer decoded = table_.format().decode(stored);
  TakenElements taken = defined_.take(*decoded, wanted, true);
  if (keeps) table_.cache().put(table_.key(one.chunk), std::move(decoded), false);
  return taken;
}

SelectedElements SelectedReader::take(Stripe& stripe, std::span<const SelectedPart> parts,
                                      const Values* values, bool keeps) const {
  std::vector<TakenElements> taken;
  std::size_t elements = 0;
  for (CandidateChunk& one : stripe.chunks) {
    taken.push_back(take_from(one, values != nullptr, keeps));
    elements += taken.back().offsets.size();
  }
  const std::size_t size = table_.traits().element_bytes;
  SelectedElements found{std::vector<std::uint64_t>(elements),
                         Buffer(values != nullptr ? elements * size : 0)};
  std::uint64_t* next = found.offsets.data();
  std::byte* value = found.values.data();
  std::vector<std::size_t> part_of_chunk(taken.size()), first(taken.size());
  for (const auto& [chunk, distance] : parts) {
    const TakenElements& from = taken[chunk];
    const std::size_t begin = first[chunk], end = from.ends[part_of_chunk[chunk]++];
    first[chunk] = end;
    for (std::size_t i = begin; i < end; ++i) *next++ = from.offsets[i] + distance;
    if (values == nullptr || begin == end) continue;
    std::memcpy(value, from.values.data() + begin * size, (end - begin) * size);
    value += (end - begin) * size;
  }
  if (values != nullptr) found.values = converted(std::move(found.values), elements, *values);
  return found;
}

Buffer SelectedReader::converted(Buffer stored, std::size_t elements, const Values& values) const {
  if (values.conversion.traits().copies) return stored;
  Buffer in_memory(elements * values.element_bytes);
  values.conversion.apply(
      {stored.data(), table_.traits().element_bytes, in_memory.data(), values.element_bytes, elements},
      values.context);
  return in_memory;
}

}  // namespace filigree::chunk
