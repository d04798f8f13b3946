// SPDX-License-Identifier: Apache-2.0
#include "chunk/sparse/offset_reader.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/checked.hpp"
#include "chunk/sparse/candidate_chunks.hpp"
#include "chunk/sparse/selected_reader.hpp"
#include "chunk/sparse/selection_shape.hpp"
#include "chunk/sparse/stripe_grid.hpp"
#include "chunk/sparse/stripe_offsets.hpp"

namespace filigree::chunk {
namespace {

/// Whether the selection consists of complete stripes, so that none of their elements is left out.
bool covers_stripes(const space::ChunkGrid& grid, const space::Selection& selection) {
  if (selection.kind() == space::Selection::Kind::all) return true;
  const auto bounds = selection.bounds();
  return bounds && is_box(selection, *bounds) && StripeGrid(grid).covers_stripes(*bounds);
}

}  // namespace

std::optional<std::uint64_t> OffsetReader::read(const space::Selection& selection, const Values& values,
                                                FunctionRef<void(std::uint64_t)> check_plausible,
                                                FunctionRef<OffsetBuffers(std::uint64_t)> allocate) const {
  if (table_.format().offset_codec() != nullptr && covers_stripes(table_.grid(), selection))
    return read_stripes(selection, values, check_plausible, allocate);
  return read_selected(selection, values, check_plausible, allocate);
}

std::optional<std::uint64_t> OffsetReader::read_selected(
    const space::Selection& selection, const Values& values, FunctionRef<void(std::uint64_t)> check_plausible,
    FunctionRef<OffsetBuffers(std::uint64_t)> allocate) const {
  if (indices_.has_columns() || selection.kind() == space::Selection::Kind::all) return std::nullopt;
  const auto found = SelectedReader(table_).read(selection, &values, check_plausible);
  if (!found) return std::nullopt;
  std::uint64_t elements = 0;
  for (const SelectedElements& stripe : *found) elements += stripe.offsets.size();
  const OffsetBuffers all = allocate(elements);
  auto* offsets = static_cast<std::uint64_t*>(all.offsets);
  std::byte* to = all.values;
  for (const SelectedElements& stripe : *found) {
    offsets = std::ranges::copy(stripe.offsets, offsets).out;
    to = std::ranges::copy(stripe.values, to).out;
  }
  return elements;
}

std::optional<std::uint64_t> OffsetReader::read_stripes(
    const space::Selection& selection, const Values& values, FunctionRef<void(std::uint64_t)> check_plausible,
    FunctionRef<OffsetBuffers(std::uint64_t)> allocate) const {
  std::vector<CandidateChunk> candidates = find_candidates(table_, selection);
  std::vector<Stripe> stripes = make_stripes(table_, candidates);
  const StripeOffsets lister(table_, values, indices_);
  const Buffer headers = fetch_headers(table_, candidates);
  // Each stripe writes to its own range of the buffers, as large as its chunks declare.
  std::vector<std::uint64_t> starts{0}, found(stripes.size());
  for (const Stripe& stripe : stripes) {
    std::uint64_t end = starts.back();
    for (const CandidateChunk& one : stripe.chunks) {
      const auto declared = lister.declared_elements(one);
      if (!declared) return std::nullopt;
      end = checked_add(end, *declared, "the number of defined elements");
    }
    starts.push_back(end);
  }
  check_plausible(starts.back());
  const OffsetBuffers all = allocate(starts.back());
  const auto buffers_at = [&](std::uint64_t first) {
    return OffsetBuffers{static_cast<std::byte*>(all.offsets) + first * indices_.bytes,
                         all.values + first * values.element_bytes};
  };
  for_each_fetched(table_, stripes, FetchedPart::everything,
                   {[](Stripe&) {},
                    [&](Stripe& stripe) {
                      const auto i = static_cast<std::size_t>(&stripe - stripes.data());
                      found[i] = lister.list(stripe, starts[i + 1] - starts[i], buffers_at(starts[i]));
                    },
                    [](std::span<const Stripe>) {}});
  // Partial edge chunks, and chunks that list elements twice, have fewer than they declare: close the gaps.
  std::uint64_t elements = 0;
  for (std::size_t i = 0; i < stripes.size(); ++i) {
    if (elements != starts[i]) {
      const OffsetBuffers from = buffers_at(starts[i]), to = buffers_at(elements);
      std::memmove(to.offsets, from.offsets, found[i] * indices_.bytes);
      std::memmove(to.values, from.values, found[i] * values.element_bytes);
    }
    elements += found[i];
  }
  return elements;
}

}  // namespace filigree::chunk
