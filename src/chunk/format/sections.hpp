// SPDX-License-Identifier: Apache-2.0
//
// Structured chunks as bytes: contiguous sections, each with its own filters and perhaps a checksum.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "chunk/format/chunk_format.hpp"
#include "filter/pipeline.hpp"
#include "space/run_set.hpp"

namespace filigree::chunk {

/// How one section of every chunk is stored.
struct SectionRule {
  filter::Pipeline pipeline;
  bool checked = false;  ///< its content is followed by a lookup3 checksum, which is filtered with it
};

/// A section for callers that run the filters themselves. If no filter ran, it is without its checksum;
/// otherwise the checksum is among the filtered bytes.
struct RawSection {
  Bytes bytes;
  std::uint32_t filter_mask = 0;     ///< bit i set: filter i was skipped
  std::uint64_t original_bytes = 0;  ///< before the filters, with the checksum where they ran
};

/// What the index knows about such a section.
struct RawSectionFacts {
  std::uint64_t bytes = 0;
  std::uint32_t filter_mask = 0;
  std::uint64_t original_bytes = 0;
};

/// Encodes and decodes sections.
///
/// *Thread safety*: immutable.
class Sections {
 public:
  /// *Requires*: at most SectionTable::most rules. `filter_partial_edges`: partial edge chunks are filtered
  /// like the others.
  Sections(std::vector<SectionRule> rules, bool filter_partial_edges);

  std::size_t count() const { return rules_.size(); }
  bool checked(std::size_t section) const { return rules_[section].checked; }
  /// Whether some section has filters, so that section tables have unfiltered sizes and masks.
  bool filtered() const;
  /// Whether the filters of a section run on a chunk, by its geometry; a mask may skip them still.
  bool filters(std::size_t section, ChunkEdge edge) const {
    return !rules_[section].pipeline.empty() && (edge == ChunkEdge::full || filter_partial_edges_);
  }

  /// An encoded section, with checksum and filters.
  struct Packed {
    Buffer bytes;
    std::uint64_t content_bytes = 0;  ///< before the filters, with its checksum
  };
  /// `first`, if given, is section 0, encoded already; its content is ignored.
  StoredChunk pack(std::span<const Bytes> contents, ChunkEdge edge, Packed* first = nullptr) const;

  /// Assembles encoded sections. *Throws* Error(invalid_argument) if their sizes and masks contradict each
  /// other; their contents are not checked.
  StoredChunk assemble(std::span<const RawSection> sections, ChunkEdge edge) const;
  /// Whether all filters are available that a chunk needs to be decoded.
  bool decodable(const StoredChunkInfo& info, ChunkEdge edge) const;

  // The following functions take untrusted section tables. *Throws* Error(corrupt) if these are inconsistent.

  /// The byte range of a section in a chunk of `stored_bytes`.
  space::Run extent(std::size_t section, const StoredChunkInfo& info, std::uint64_t stored_bytes) const;
  /// The size of the decoded section, as the table declares it.
  std::uint64_t content_bytes(std::size_t section, const StoredChunkInfo& info, std::uint64_t stored_bytes,
                              ChunkEdge edge) const;
  /// Decodes a section. *Requires*: `stored` is extent() of the chunk. Refuses more than `most_bytes` before
  /// memory is allocated for them.
  Buffer unpack(std::size_t section, Bytes stored, const StoredChunkInfo& info, ChunkEdge edge,
                std::uint64_t most_bytes) const;
  /// The inverse of assemble(): a part of `stored`. Checks the checksum if no filter ran.
  RawSection raw(std::size_t section, Bytes stored, const StoredChunkInfo& info, ChunkEdge edge) const;
  /// The properties of what raw() returns.
  RawSectionFacts raw_facts(std::size_t section, const StoredChunkInfo& info, std::uint64_t stored_bytes,
                            ChunkEdge edge) const;

 private:
  Buffer unfilter(std::size_t section, Bytes stored, const StoredChunkInfo& info,
                  std::uint64_t most_bytes) const;
  /// Whether some filter runs on a section with this mask.
  bool transformed(std::size_t section, std::uint32_t mask, ChunkEdge edge) const;
  void check_raw(std::size_t section, const RawSection& given, bool transformed) const;

  std::vector<SectionRule> rules_;
  bool filter_partial_edges_;
};

}  // namespace filigree::chunk
