// SPDX-License-Identifier: Apache-2.0
#include "api/transfer_selections.hpp"

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "api/selection_access.hpp"
#include "base/checked.hpp"
#include "model/layout/direct_chunks.hpp"

namespace filigree::api {
namespace {

std::vector<std::uint64_t> chunk_dims(const model::Dataset& dataset) {
  std::vector<std::uint64_t> dims = dataset.messages().layout.dims;
  dims.pop_back();  // the size of an element
  return dims;
}

space::Selection all_of(std::uint64_t elements) { return space::Selection::all(space::Frame({elements})); }

/// Returns excerpts that contain all stored chunks, in which all elements are selected.
std::vector<space::ExcerptPart> divide_stored(const model::Dataset& dataset) {
  const std::vector<std::uint64_t>& extent = dataset.extent().dims;
  std::vector<std::uint64_t> corners;
  model::DirectChunks(dataset).for_each(nullptr, [&](const ChunkInfo& chunk) {
    corners.insert(corners.end(), chunk.offset.begin(), chunk.offset.end());
    return true;
  });
  const auto chunks = space::HugeSelection::points(extent.size(), std::move(corners));
  auto parts = space::divide(chunks, extent, chunk_dims(dataset), all_of(chunks.elements()));
  for (space::ExcerptPart& part : parts) part.file = space::Selection::all(part.excerpt->frame());
  return parts;
}

/// Does the same for a selection, which may be that of all elements. Parts have no memory.
std::vector<space::ExcerptPart> divide_query(const model::Dataset& dataset, const Selection& selection) {
  if (selection.is_all()) return divide_stored(dataset);
  return divide(dataset, selection, all_of(count_selected(dataset, selection)));
}

}  // namespace

std::vector<space::ExcerptPart> divide(const model::Dataset& dataset, const Selection& selection,
                                       const space::Selection& memory) {
  const std::vector<std::uint64_t>& extent = dataset.extent().dims;
  return space::divide(to_huge(selection, extent), extent, chunk_dims(dataset), memory);
}

std::uint64_t count_selected(const model::Dataset& dataset, const Selection& selection) {
  return dataset.is_huge() ? to_huge(selection, dataset.extent().dims).elements()
                           : file_selection(dataset, selection).elements();
}

Selection find_defined(const model::Dataset& dataset, const Selection& selection) {
  if (!dataset.is_huge()) return SelectionAccess::make(dataset.defined(file_selection(dataset, selection)));
  const std::vector<std::uint64_t>& extent = dataset.extent().dims;
  if (!dataset.messages().is_sparse()) return SelectionAccess::make(to_huge(selection, extent), extent);
  auto defined = space::HugeSelection::none(extent.size());
  for (const space::ExcerptPart& part : divide_query(dataset, selection)) {
    const auto found = part.excerpt->in_extent(model::Dataset(dataset, part.excerpt).defined(part.file));
    defined = space::combine(defined, space::SetOperator::unite, found);
  }
  return SelectionAccess::make(std::move(defined), extent);
}

void erase_selected(const model::Dataset& dataset, const Selection& selection) {
  if (!dataset.is_huge()) return dataset.erase(file_selection(dataset, selection));
  for (const space::ExcerptPart& part : divide_query(dataset, selection))
    model::Dataset(dataset, part.excerpt).erase(part.file);
}

space::Selection file_selection(const model::Dataset& dataset, const Selection& selection) {
  const format::DataspaceMessage& space = dataset.extent();
  const bool is_null = space.kind == format::DataspaceKind::null;
  return is_null ? space::Selection::none(space::Frame({0})) : to_space(selection, space.dims);
}

space::Selection memory_selection(const TransferOptions& options, std::uint64_t count) {
  if (!options.memory) return space::Selection::all(space::Frame({count}));
  std::uint64_t elements = 1;
  for (const std::uint64_t n : options.memory->dims)
    elements = checked_multiply(elements, n, "the number of elements in memory");
  if (elements > count) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("the shape in memory has {} elements, the memory only {}", elements, count));
  }
  return to_space(options.memory->selection, options.memory->dims);
}

}  // namespace filigree::api
