// SPDX-License-Identifier: Apache-2.0
//
// Defined query. The caller holds the file's lock in shared mode.
//
//  1. find_candidates() determines the chunks that exist in the bounds of the selection. Up to 4096 of them
//     are looked up one by one, in the cache first and then in the index; for more, the index is iterated.
//     The cost depends on the chunks that exist, never on the volume of the extent. Dirty chunks count: they
//     are newer than the file.
//  2. make_stripes() groups the candidates into stripes: all elements of a stripe come before those of the
//     next in row-major order, so each stripe is processed alone.
//  3. for_each_fetched() reads the stripes, 64 MiB at a time. A core takes a batch of stripes and issues one
//     vectored request for it. Without values that is only the part of a stored chunk that says what is
//     defined (section 0); with values it is the whole chunk. Cached chunks are not read. The envelope of a
//     portable chunk says how large section 0 is: the first 4 KiB are read, and then what is missing of it.
//  4. StripeDecoder::decode() decodes the set of defined elements of each chunk, and the whole chunk where
//     values are wanted. If the selection is a box, the elements outside of it are dropped chunk by chunk.
//  5. The elements of the chunks of a stripe are merged into row-major order: row by row where the chunks
//     alternate along the rows (merge_rows()), else by a merge of their sorted runs (merge_runs()). The
//     results are linear offsets in the extent. Offsets beyond the extent are dropped: partial edge chunks
//     of a damaged file may define such elements.
//  6. After each 64 MiB `check_plausible` gets the number of elements so far. A file of a few bytes can
//     define any number of elements; the callback throws before memory for them is allocated.
//  7. concatenate() appends the run sets of the stripes: they are in order already.
//  8. A selection that is neither everything nor a box is intersected with the result. A regular pattern
//     with very many runs is compared with the defined elements one by one instead of being expanded.
//
// read() does the same with values: `allocate` is called once for the values of all stripes, which are then
// copied there in parallel.
//
// Selections of moderately many runs, which are nearly all, take another way: see selected_reader.cpp.
#include "chunk/sparse/defined_query.hpp"

#include <algorithm>
#include <utility>

#include "base/checked.hpp"
#include "chunk/sparse/chunk_rows.hpp"
#include "chunk/sparse/selection_shape.hpp"
#include "chunk/table/chunk_walk.hpp"
#include "chunk/transfer/batches.hpp"

namespace filigree::chunk {

std::vector<Stripe> DefinedQuery::find_stripes(std::span<CandidateChunk> candidates, const space::Bounds* box,
                                               const Values* values,
                                               FunctionRef<void(std::uint64_t)> check_plausible) const {
  std::vector<Stripe> stripes = make_stripes(table_, candidates);
  std::uint64_t elements = 0;
  for_each_fetched(table_, stripes, values != nullptr ? FetchedPart::everything : FetchedPart::defined_part,
                   {[](Stripe&) {}, [&](Stripe& stripe) { decoder_.decode(stripe, box, values); },
                    [&](std::span<const Stripe> some) {
                      for (const Stripe& stripe : some) elements += stripe.offsets.elements();
                      check_plausible(elements);
                    }});
  return stripes;
}

space::Selection DefinedQuery::concatenate(std::span<const Stripe> stripes) const {
  std::uint64_t runs = 0;
  for (const Stripe& stripe : stripes) runs += stripe.offsets.runs();
  space::RunSetWriter writer(runs);
  for (const Stripe& stripe : stripes) writer.add(stripe.offsets);
  return space::Selection::of_runs(table_.grid().extent(), writer.finish());
}

space::Selection DefinedQuery::concatenate(std::span<const SelectedElements> stripes) const {
  std::uint64_t runs = 0;
  for (const SelectedElements& stripe : stripes) {
    std::uint64_t end = 0;
    for (const std::uint64_t offset : stripe.offsets) runs += std::exchange(end, offset + 1) != offset;
    runs += !stripe.offsets.empty() && stripe.offsets.front() == 0;
  }
  space::RunSetWriter writer(runs);
  for (const SelectedElements& stripe : stripes)
    for (const std::uint64_t offset : stripe.offsets) writer.add({offset, 1});
  return space::Selection::of_runs(table_.grid().extent(), writer.finish());
}

space::Selection DefinedQuery::find(const space::Selection& selection) const {
  const space::Frame& extent = table_.grid().extent();
  const auto bounds = selection.bounds();
  if (!bounds) return space::Selection::none(extent);
  if (selection.kind() != space::Selection::Kind::all)
    if (const auto selected = SelectedReader(table_).read(selection, nullptr, [](std::uint64_t) {}))
      return concatenate(*selected);
  std::vector<CandidateChunk> candidates = find_candidates(table_, selection);
  const bool selects_all = selection.kind() == space::Selection::Kind::all;
  const bool selects_box = !selects_all && is_box(selection, *bounds);
  const auto defined =
      concatenate(find_stripes(candidates, selects_box ? &*bounds : nullptr, nullptr, [](std::uint64_t) {}));
  if (selects_all || selects_box) return defined;
  if (is_large_pattern(selection) && selection.run_count() > defined.run_count()) {
    const std::vector<std::uint64_t> origin(extent.rank(), 0);
    return space::Selection::of_runs(extent,
                                     elements_in_slab(extent, defined.runs(), origin, selection.slab()));
  }
  const auto selected =
      selection.is_set() ? selection : space::Selection::of_runs(selection.frame(), selection.runs());
  return space::combine(selected, space::SetOperator::intersect, defined);
}

std::uint64_t DefinedQuery::count(const space::Selection& selection) const {
  const auto bounds = selection.bounds();
  if (!bounds) return 0;
  const bool selects_all = selection.kind() == space::Selection::Kind::all;
  if (!selects_all && !is_box(selection, *bounds)) return find(selection).elements();
  const space::ChunkGrid& grid = table_.grid();
  std::uint64_t counted = 0;
  std::vector<CandidateChunk> others;
  std::vector<CandidateChunk> candidates = find_candidates(table_, selection);
  const Buffer headers = fetch_headers(table_, candidates);
  for (CandidateChunk& one : candidates) {
    // Foreign writers may define elements outside of the extent.
    const bool is_covered = table_.geometry().edge(one.chunk) == ChunkEdge::full &&
                            elements_of(box_in_chunk(grid, one.at, *bounds)) == grid.chunk().elements();
    const auto declared = is_covered ? declared_elements(table_, one) : std::nullopt;
    if (declared) {
      counted = checked_add(counted, *declared, "the number of defined elements");
    } else {
      others.push_back(std::move(one));
    }
  }
  for (const Stripe& stripe : find_stripes(others, &*bounds, nullptr, [](std::uint64_t) {}))
    counted += stripe.offsets.elements();
  return counted;
}

std::uint64_t DefinedQuery::count_chunks_from_hdf5() const {
  const Envelope* const envelope = table_.format().envelope();
  if (envelope == nullptr) return 0;
  std::vector<CandidateChunk> stored;
  for_each_chunk(table_, [&](std::span<const std::uint64_t> at, const index::ChunkLocation& location,
                             const DecodedChunkPointer& newer) {
    const std::uint64_t chunk = table_.grid().chunks().offset(at);
    if (!newer) stored.push_back({chunk, {at.begin(), at.end()}, location, {}, {}});
  });
  std::uint64_t counted = 0;
  constexpr std::size_t most_at_a_time = 65536;
  for (std::size_t first = 0; first < stored.size(); first += most_at_a_time) {
    const auto some = std::span(stored).subspan(first, std::min(most_at_a_time, stored.size() - first));
    const Buffer headers = fetch_headers(table_, some);
    for (const CandidateChunk& one : some)
      counted += envelope->is_from_hdf5(view_of(one.location, one.bytes, table_.geometry().edge(one.chunk)));
  }
  return counted;
}

namespace {

/// Copies the values of all stripes to memory.
template <class Stripes>
void copy_values(const Stripes& stripes, std::size_t element_bytes,
                 FunctionRef<std::byte*(std::uint64_t)> allocate) {
  std::vector<std::size_t> starts{0};
  for (const auto& stripe : stripes) starts.push_back(starts.back() + stripe.values.size());
  std::byte* const memory = allocate(starts.back() / element_bytes);
  for_each(stripes.size(), true,
           [&](std::size_t i) { std::ranges::copy(stripes[i].values, memory + starts[i]); });
}

}  // namespace

std::optional<space::Selection> DefinedQuery::read(const space::Selection& selection, const Values& values,
                                                   FunctionRef<void(std::uint64_t)> check_plausible,
                                                   FunctionRef<std::byte*(std::uint64_t)> allocate) const {
  const auto bounds = selection.bounds();
  const bool selects_all = selection.kind() == space::Selection::Kind::all;
  if (!selects_all) {
    if (const auto selected = SelectedReader(table_).read(selection, &values, check_plausible)) {
      copy_values(*selected, values.element_bytes, allocate);
      return concatenate(*selected);
    }
    // Single values of other chunks are read better by their byte ranges.
    if (!bounds || !is_box(selection, *bounds) || finds_values(require_defined_elements(table_)))
      return std::nullopt;
  }
  std::vector<CandidateChunk> candidates = find_candidates(table_, selection);
  const auto stripes = find_stripes(candidates, selects_all ? nullptr : &*bounds, &values, check_plausible);
  copy_values(stripes, values.element_bytes, allocate);
  return concatenate(stripes);
}

}  // namespace filigree::chunk
