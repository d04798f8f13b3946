// SPDX-License-Identifier: Apache-2.0
//
// Portable sparse chunks: the sections of a structured chunk in the bytes of an ordinary filtered chunk. See
// docs/format/portable-chunks.md.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "format/chunk_index/section_table.hpp"
#include "format/messages/pipeline.hpp"

namespace filigree::format {

/// The filter of portable chunks in a filter pipeline. The number is one of those that HDF5
/// keeps for tests, until one is registered. Readers accept all numbers of is_portable_filter().
inline constexpr std::uint16_t portable_filter_id = 502;
/// HDF5 shows this name if it cannot find the filter.
inline constexpr std::string_view portable_filter_name = "filigree sparse chunks, plug-in libh5z_filigree";

constexpr bool is_portable_filter(std::uint16_t id) { return id == portable_filter_id; }

/// One section of an envelope.
struct PortableSection {
  std::uint8_t kind = 0;  ///< 0: selection of the defined elements, 1: their values
  std::uint32_t filter_mask = 0;
  std::uint32_t stored_bytes = 0;
  std::uint64_t unfiltered_bytes = 0;
};

/// The envelope of a chunk, before its sections.
struct PortableEnvelope {
  static constexpr std::string_view structure = "envelope of a portable chunk";
  static constexpr std::size_t sections_in_chunk = 2;
  static constexpr std::size_t bytes = 54;
  static constexpr std::uint8_t written_by_plugin = 1;

  std::uint8_t version = 1;
  std::uint8_t flags = 0;
  std::uint64_t defined = 0;  ///< number of defined elements
  std::array<PortableSection, sections_in_chunk> sections{{{0, 0, 0, 0}, {1, 0, 0, 0}}};

  bool is_empty() const { return sections[0].stored_bytes == 0 && sections[1].stored_bytes == 0; }
  /// The sections as an index has them for structured chunks. Offsets count from the end of the envelope.
  SectionTable table() const;
};

/// Decodes an envelope and checks it against the size of the chunk. *Throws* Error(corrupt) or
/// Error(truncated).
PortableEnvelope decode_envelope(Bytes chunk, std::uint64_t stored_bytes);
/// Encodes the envelope of a chunk whose sections are stored as `table` says, in `stored_bytes` bytes.
/// *Throws* Error(limit) for 4 GiB or more.
Buffer encode_envelope(const SectionTable& table, std::uint64_t stored_bytes, std::uint64_t defined,
                       std::uint8_t flags);

/// The parameters of the filter: everything that is needed to decode a chunk.
struct PortableParameters {
  static constexpr std::string_view structure = "parameters of portable chunks";
  static constexpr std::uint32_t most_fill_bytes = 16384;

  std::uint32_t version = 1;
  std::vector<std::uint32_t> dims;  ///< of a chunk, in elements
  std::uint32_t element_bytes = 0;
  Buffer fill;  ///< one element; empty if it is zero
  /// Filters of the two sections. Names are not stored.
  std::array<std::vector<PipelineFilter>, PortableEnvelope::sections_in_chunk> filters;

  std::uint64_t elements() const;  ///< of a chunk
};

/// The parameters as the words of a filter (client data).
std::vector<std::uint32_t> to_words(const PortableParameters& parameters);
/// *Throws* Error(corrupt) or Error(truncated).
PortableParameters from_words(std::span<const std::uint32_t> words);

}  // namespace filigree::format
