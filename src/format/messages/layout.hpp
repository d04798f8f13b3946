// SPDX-License-Identifier: Apache-2.0
//
// The data layout message (0x08), versions 1 to 6: how the elements of a dataset are stored. See
// docs/format/layout.md.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "format/chunk_index/section_table.hpp"

namespace filigree::format {

enum class LayoutClass : std::uint8_t {
  compact = 0,
  contiguous = 1,
  chunked = 2,
  virtual_dataset = 3,
  structured = 4,  ///< structured chunks, which have sections; from version 5 on
};

/// The chunk index types. Versions 1 to 3 of the message have only the version 1 B-tree; later versions have
/// all others. Structured chunks cannot use the implicit index.
enum class ChunkIndexType : std::uint8_t {
  btree_v1 = 0,
  single_chunk = 1,
  implicit = 2,
  fixed_array = 3,
  extensible_array = 4,
  btree_v2 = 5,
};

struct ExtensibleArrayParameters {
  std::uint8_t max_elements_bits = 32;
  std::uint8_t index_block_elements = 4;
  std::uint8_t min_data_block_pointers = 4;
  std::uint8_t min_data_block_elements = 16;
  std::uint8_t page_bits = 10;
};

struct ChunkTreeParameters {
  std::uint32_t node_bytes = 2048;
  std::uint8_t split_percent = 100;
  std::uint8_t merge_percent = 40;
};

struct LayoutMessage {
  static constexpr std::string_view structure = "data layout";
  std::uint8_t version = 3;
  LayoutClass layout = LayoutClass::contiguous;
  /// The address of the elements (contiguous), of the chunk index or the single chunk (chunked), or of the
  /// global heap collection (virtual); undefined while nothing is allocated.
  Address address = Address::undefined;

  Buffer compact_data;                 ///< compact: all elements
  std::uint64_t contiguous_bytes = 0;  ///< contiguous, versions 3 up
  std::uint32_t heap_index = 0;        ///< virtual: object in the collection

  /// The dimensions of a chunk, then the element size. Versions 1 and 2 store dimensions for every layout
  /// class; for other classes they are those of the dataset, truncated to 32 bits, and unused.
  std::vector<std::uint64_t> dims;
  std::uint8_t dim_bytes = 0;  ///< from version 4 on: stored size of a dimension; 0 for the smallest possible
  ChunkIndexType index = ChunkIndexType::btree_v1;
  bool raw_partial_chunks = false;     ///< whether partial edge chunks are stored unfiltered
  bool single_chunk_filtered = false;  ///< dense: whether the next two fields are stored
  std::uint64_t single_chunk_bytes = 0;
  std::uint32_t single_chunk_mask = 0;  ///< bit i is set if filter i was skipped
  ChunkComposition composition;         ///< structured
  SectionTable single_chunk_sections;   ///< structured; `single_chunk_bytes` is then always stored
  /// Structured: a missing single chunk has size 0 and the largest valid address, as prototypes write it.
  bool single_chunk_marked_empty = false;
  std::uint8_t fixed_array_page_bits = 10;
  ExtensibleArrayParameters extensible_array;
  ChunkTreeParameters btree_v2;

  /// Whether the elements are stored in dense or structured chunks.
  bool in_chunks() const { return layout == LayoutClass::chunked || layout == LayoutClass::structured; }
};

}  // namespace filigree::format
