// SPDX-License-Identifier: Apache-2.0
//
// The choice of an index for a new dataset, by the rules of HDF5 (docs/format/chunk-indexes.md).
#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "format/codec/fields.hpp"
#include "index/chunk_index.hpp"

namespace filigree::index {
namespace {

constexpr std::uint64_t most_chunk_bytes = 0xffffffff;  // layouts before version 5

void require_sensible_chunks(const DatasetFacts& facts, std::span<const std::uint64_t> chunk,
                             std::uint64_t element_bytes, std::uint8_t layout_version) {
  if (chunk.empty() || chunk.size() != facts.extent.size() || chunk.size() != facts.max_extent.size()) {
    throw Error(ErrorKind::invalid_argument, fmt::format("chunks have {} dimensions, but the dataset has {}",
                                                         chunk.size(), facts.extent.size()));
  }
  std::uint64_t bytes = element_bytes;
  for (std::size_t d = 0; d < chunk.size(); ++d) {
    if (chunk[d] == 0) throw Error(ErrorKind::invalid_argument, "a chunk dimension is zero");
    if (facts.extent[d] != 0 && chunk[d] > facts.max_extent[d]) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("chunks have {} elements in dimension {}, whose maximum extent is {}", chunk[d],
                              d, facts.max_extent[d]));
    }
    bytes = checked_multiply(bytes, chunk[d], "the bytes of a chunk");
  }
  if (bytes > most_chunk_bytes && layout_version < 5)
    throw Error(ErrorKind::invalid_argument,
                fmt::format("a chunk has {} bytes, but the limit is 2^32 - 1", bytes));
}

format::ChunkIndexType kind_for(const DatasetFacts& facts, std::span<const std::uint64_t> chunk, bool early) {
  const auto growing = std::count(facts.max_extent.begin(), facts.max_extent.end(), format::unlimited);
  if (growing > 1) return format::ChunkIndexType::btree_v2;
  if (growing == 1) return format::ChunkIndexType::extensible_array;
  if (facts.extent == facts.max_extent && std::equal(chunk.begin(), chunk.end(), facts.extent.begin()))
    return format::ChunkIndexType::single_chunk;
  return early && !facts.filtered ? format::ChunkIndexType::implicit : format::ChunkIndexType::fixed_array;
}

/// An array has an element for every possible chunk, at least in one step of the unlimited dimension. A
/// sparse dataset may have very few of these chunks.
constexpr std::uint64_t most_index_slots = 1024;

bool too_many_index_slots(const DatasetFacts& facts, std::span<const std::uint64_t> chunk) {
  std::uint64_t elements = 1;
  for (std::size_t d = 0; d < chunk.size(); ++d) {
    if (facts.max_extent[d] == format::unlimited) continue;
    const std::uint64_t along = facts.max_extent[d] / chunk[d] + (facts.max_extent[d] % chunk[d] != 0);
    const auto product = try_multiply(elements, along);
    if (!product || *product > most_index_slots) return true;
    elements = *product;
  }
  return false;
}

/// Whether an array would need an element for each chunk of an extent of 2^64 elements or more. Array indexes
/// of HDF5 lose chunks then.
bool exceeds_arrays(const DatasetFacts& facts) {
  std::uint64_t elements = 1;
  bool overflows = false;
  for (std::size_t d = 0; d < facts.extent.size(); ++d) {
    const bool growing = facts.max_extent[d] == format::unlimited;
    overflows |= __builtin_mul_overflow(
        elements, std::max<std::uint64_t>(1, growing ? facts.extent[d] : facts.max_extent[d]), &elements);
  }
  return overflows;
}

}  // namespace

format::LayoutMessage choose_index(const DatasetFacts& facts, std::span<const std::uint64_t> chunk,
                                   std::uint64_t element_bytes, const IndexChoice& choice) {
  format::LayoutMessage layout;
  const bool structured = choice.composition.sections > 0;
  const std::uint8_t least = structured ? 5 : choice.raw_partial_chunks ? 4 : 3;
  layout.version = std::max(choice.layout_version, least);
  require_sensible_chunks(facts, chunk, element_bytes, layout.version);
  layout.layout = structured ? format::LayoutClass::structured : format::LayoutClass::chunked;
  layout.composition = choice.composition;
  layout.dims.assign(chunk.begin(), chunk.end());
  layout.dims.push_back(element_bytes);
  layout.raw_partial_chunks = choice.raw_partial_chunks;
  // The size of a structured chunk changes, so it cannot be preallocated.
  layout.index = layout.version < 4 ? format::ChunkIndexType::btree_v1
                                    : kind_for(facts, chunk, choice.allocate_early && !structured);
  const bool is_array = layout.index == format::ChunkIndexType::fixed_array ||
                        layout.index == format::ChunkIndexType::extensible_array;
  if ((structured && choice.composition.sparse() && too_many_index_slots(facts, chunk)) ||
      (is_array && exceeds_arrays(facts)))
    layout.index = format::ChunkIndexType::btree_v2;
  layout.single_chunk_filtered = layout.index == format::ChunkIndexType::single_chunk && facts.filtered;
  return layout;
}

}  // namespace filigree::index
