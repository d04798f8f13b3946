// SPDX-License-Identifier: Apache-2.0
#include "format/messages/layout.hpp"

#include <algorithm>
#include <bit>

#include <filigree/error.hpp>

#include "base/checked.hpp"
#include "format/codec/codec_instantiate.hpp"
#include "format/messages/dataspace.hpp"

namespace filigree::format {

namespace {

constexpr unsigned raw_partial_flag = 1;
constexpr unsigned single_filtered_flag = 2;
constexpr std::uint8_t most_sections_anywhere = 12;  // of filtered chunks in array indexes

template <class Io, class M>
void describe_class(Io& io, M& m) {
  io.u8("class", m.layout);
  io.range("class", m.layout, m.version == 6 ? 4 : 0, m.version >= 5 ? 4 : m.version == 4 ? 3 : 2);
}

template <class Io, class M>
void describe_dims(Io& io, M& m, std::uint64_t count, unsigned width) {
  io.resize("dimensions", m.dims, count, width);
  for (auto& dim : m.dims) {
    io.word("dimension", dim, width);
    io.require(dim > 0 || !m.in_chunks(), "dimension", "is zero");
  }
}

template <class Io, class M>
void describe_dim_count(Io& io, const M& m, std::uint64_t& count) {
  count = m.dims.size();
  io.u8("dimensions", count);
  // Dimensions of the chunk and the element size; a scalar cannot be chunked.
  io.range("dimensions", count, m.in_chunks() ? 2 : 1, max_rank + 1);
}

template <class Io, class M>
void describe_compact(Io& io, M& m, unsigned size_width) {
  std::uint64_t bytes = m.compact_data.size();
  io.word("data bytes", bytes, size_width);
  io.blob("data", m.compact_data, bytes);
}

/// Versions 1 and 2.
template <class Io, class M>
void describe_old(Io& io, M& m) {
  // The class is stored after the count, but the range of the count depends on it.
  std::uint64_t count = m.dims.size();
  io.u8("dimensions", count);
  describe_class(io, m);
  io.range("dimensions", count, m.layout == LayoutClass::chunked ? 2 : 1, max_rank + 1);
  io.reserved(5);
  if (m.layout != LayoutClass::compact) io.address("address", m.address);
  describe_dims(io, m, count, 4);
  if (m.layout == LayoutClass::compact) describe_compact(io, m, 4);
}

template <class Io, class M>
void describe_extensible_array(Io& io, M& m) {
  io.u8("maximum elements bits", m.max_elements_bits);
  io.range("maximum elements bits", m.max_elements_bits, 1, 64);
  io.u8("index block elements", m.index_block_elements);
  io.range("index block elements", m.index_block_elements, 1, 255);
  io.u8("minimum data block pointers", m.min_data_block_pointers);
  io.range("minimum data block pointers", m.min_data_block_pointers, 1, 255);
  io.u8("minimum data block elements", m.min_data_block_elements);
  io.range("minimum data block elements", m.min_data_block_elements, 1, 255);
  io.u8("page bits", m.page_bits);
  io.range("page bits", m.page_bits, 1, 31);
}

template <class Io, class M>
void describe_btree_v2(Io& io, M& m, bool structured) {
  io.u32("node bytes", m.node_bytes);
  // Prototypes of structured chunks store any number here; the header of the B-tree has the correct one.
  io.range("node bytes", m.node_bytes, structured ? 0 : 1, 0xffffffffu);
  io.u8("split percent", m.split_percent);
  io.range("split percent", m.split_percent, 1, 100);
  io.u8("merge percent", m.merge_percent);
  io.range("merge percent", m.merge_percent, 1, 100);
}

/// The dense size of a chunk, which determines the width of sizes. It saturates, since larger ones have the
/// same width.
template <class M>
std::uint64_t dense_chunk_bytes(const M& m) {
  std::uint64_t bytes = 1;
  for (const std::uint64_t dim : m.dims) bytes = try_multiply(bytes, dim).value_or(~std::uint64_t{0});
  return bytes;
}

template <class Io, class M>
void describe_single_chunk(Io& io, M& m) {
  if (m.layout == LayoutClass::structured) {
    io.word("chunk bytes", m.single_chunk_bytes, m.composition.size_bytes(dense_chunk_bytes(m)));
    return describe_sections(io, m.single_chunk_sections, m.composition.sections, m.single_chunk_filtered);
  }
  if (!m.single_chunk_filtered) return;
  io.length("chunk bytes", m.single_chunk_bytes);
  io.u32("filter mask", m.single_chunk_mask);
}

template <class Io, class M>
void describe_index_parameters(Io& io, M& m) {
  switch (m.index) {
    case ChunkIndexType::btree_v1:
    case ChunkIndexType::implicit:
      return;
    case ChunkIndexType::single_chunk:
      return describe_single_chunk(io, m);
    case ChunkIndexType::fixed_array:
      io.u8("page bits", m.fixed_array_page_bits);
      io.range("page bits", m.fixed_array_page_bits, 1, 31);
      return;
    case ChunkIndexType::extensible_array:
      return describe_extensible_array(io, m.extensible_array);
    case ChunkIndexType::btree_v2:
      return describe_btree_v2(io, m.btree_v2, m.layout == LayoutClass::structured);
  }
}

template <class Io, class M>
void describe_chunk_flags(Io& io, M& m) {
  unsigned flags =
      (m.raw_partial_chunks ? raw_partial_flag : 0) | (m.single_chunk_filtered ? single_filtered_flag : 0);
  io.u8("flags", flags);
  io.require((flags & ~(raw_partial_flag | single_filtered_flag)) == 0, "flags", "has unknown bits");
  if constexpr (Io::decodes) {
    m.raw_partial_chunks = (flags & raw_partial_flag) != 0;
    m.single_chunk_filtered = (flags & single_filtered_flag) != 0;
  }
}

template <class M>
unsigned stored_dim_bytes(const M& m) {
  const auto largest = std::max_element(m.dims.begin(), m.dims.end());
  return std::max<unsigned>(m.dim_bytes, largest == m.dims.end() ? 1 : bytes_to_hold(*largest));
}

/// The sections that end with a checksum, as ascending indexes.
template <class Io, class M>
void describe_checksums(Io& io, M& m) {
  std::uint8_t count = static_cast<std::uint8_t>(std::popcount(m.checksums));
  io.u8("metadata sections", count);
  io.range("metadata sections", count, 0, m.sections);
  unsigned seen = 0;
  for (unsigned i = 0; i < std::min<unsigned>(count, SectionTable::most); ++i) {
    std::uint8_t number = static_cast<std::uint8_t>(std::countr_zero(m.checksums & ~seen));
    io.u8("metadata section", number);
    io.range("metadata section", number, std::bit_width(seen), m.sections - 1);
    seen |= 1u << std::min<unsigned>(number, 7);
  }
  if constexpr (Io::decodes) m.checksums = static_cast<std::uint8_t>(seen);
}

template <class Io, class M>
void describe_composition(Io& io, M& m) {
  io.u8("sections", m.sections);
  if constexpr (Io::decodes) {
    // Drafts of the format can be read as if the width of offsets was stored in eight bytes.
    if (m.sections == 0) {
      std::uint64_t more = 0;
      io.word("offset bytes", more, 6);
      io.require(more == 0, "offset bytes", "is not 8");
      io.u8("sections", m.sections);
    }
    if (m.sections > SectionTable::most && m.sections <= most_sections_anywhere && !io.faulty())
      throw Error(ErrorKind::unsupported, "data layout: chunks of more than three sections are not known");
  }
  io.range("sections", m.sections, 2, SectionTable::most);
  const bool heap = (m.kind & ChunkComposition::variable_bit) != 0;
  io.require(m.sparse() ? !heap || m.sections == 3 : m.sections == 2, "sections",
             "does not suit the type of chunks");
  describe_checksums(io, m);
  io.require(!m.sparse() || m.has_checksum(0), "metadata sections", "lacks the selection");
}

/// Prototypes mark a single structured chunk that does not exist by size 0 and the largest valid address.
template <class Io, class M>
void describe_index_address(Io& io, M& m) {
  const bool single = m.layout == LayoutClass::structured && m.index == ChunkIndexType::single_chunk;
  const Address marker = to_address(widest_word(io.widths().offset_bytes) - 1);
  Address address = m.single_chunk_marked_empty && !is_valid(m.address) ? marker : m.address;
  io.address("index address", address);
  if constexpr (Io::decodes) {
    m.single_chunk_marked_empty = single && m.single_chunk_bytes == 0 && address == marker;
    m.address = m.single_chunk_marked_empty ? Address::undefined : address;
  }
}

template <class Io, class M>
void describe_index(Io& io, M& m) {
  const bool structured = m.layout == LayoutClass::structured;
  io.range("index type", m.index, 1, 5);
  io.require(!structured || m.index != ChunkIndexType::implicit, "index type", "has no fields for sections");
  io.require(m.index == ChunkIndexType::single_chunk || !m.single_chunk_filtered, "index type",
             "is not a single chunk, as the flags say");
  describe_index_parameters(io, m);
  describe_index_address(io, m);
}

/// Composition and index. Drafts of the format have them in the opposite order, which is detected by an
/// invalid width of offsets. A single chunk cannot be read in that case, since its size comes before the
/// sections.
template <class Io, class M>
void describe_structured(Io& io, M& m) {
  std::uint8_t offset_bytes = 8;
  io.u8("offset bytes", offset_bytes);
  bool index_first = false;
  if constexpr (Io::decodes) {
    index_first = offset_bytes >= 3 && offset_bytes <= 5;
    if (index_first) {
      m.index = static_cast<ChunkIndexType>(offset_bytes);
      describe_index(io, m);
      io.u8("offset bytes", offset_bytes);
    }
  }
  io.range("offset bytes", offset_bytes, 8, 8);
  describe_composition(io, m.composition);
  if (index_first) return;
  io.u8("index type", m.index);
  describe_index(io, m);
}

/// Versions 4 and 5, and version 6 of structured chunks.
template <class Io, class M>
void describe_chunked(Io& io, M& m) {
  const bool structured = m.layout == LayoutClass::structured;
  if (structured) {
    io.constant("property version", 0);
    io.u16("chunk type", m.composition.kind);
    io.range("chunk type", m.composition.kind, 0, 3);
  }
  describe_chunk_flags(io, m);
  std::uint64_t count = 0;
  describe_dim_count(io, m, count);
  unsigned width = stored_dim_bytes(m);
  io.u8("dimension bytes", width);
  io.range("dimension bytes", width, 1, 8);
  describe_dims(io, m, count, std::clamp(width, 1u, 8u));
  if constexpr (Io::decodes) {
    m.dim_bytes = 0;
    m.dim_bytes = static_cast<std::uint8_t>(width > stored_dim_bytes(m) ? width : 0);
  }
  if (structured) return describe_structured(io, m);
  io.u8("index type", m.index);
  describe_index(io, m);
}

/// Versions 3 and later.
template <class Io, class M>
void describe_new(Io& io, M& m) {
  describe_class(io, m);
  switch (m.layout) {
    case LayoutClass::compact:
      return describe_compact(io, m, 2);
    case LayoutClass::contiguous:
      io.address("address", m.address);
      io.length("bytes", m.contiguous_bytes);
      return;
    case LayoutClass::chunked: {
      if (m.version > 3) return describe_chunked(io, m);
      std::uint64_t count = 0;
      describe_dim_count(io, m, count);
      io.address("index address", m.address);
      return describe_dims(io, m, count, 4);
    }
    case LayoutClass::structured:
      return describe_chunked(io, m);
    case LayoutClass::virtual_dataset:
      io.address("heap collection", m.address);
      io.u32("heap index", m.heap_index);
      return;
  }
}

}  // namespace

template <class Io, Model<LayoutMessage> M>
void describe(Io& io, M& m) {
  if constexpr (Io::decodes) m = LayoutMessage{};
  io.u8("version", m.version);
  io.range("version", m.version, 1, 6);
  if (m.version < 3) {
    describe_old(io, m);
  } else {
    describe_new(io, m);
  }
}

FILIGREE_DESCRIBED(LayoutMessage);

}  // namespace filigree::format
