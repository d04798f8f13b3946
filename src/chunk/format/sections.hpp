// SPDX-License-Identifier: Apache-2.0
//
// Structured chunks as bytes: contiguous sections, each with its own filters and perhaps a checksum.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/function_ref.hpp"
#include "chunk/format/chunk_format.hpp"
#include "filter/pipeline.hpp"
#include "space/run_set.hpp"

namespace filigree::chunk {

/// How one section of every chunk is stored.
struct SectionRule {
  filter::Pipeline pipeline;
  bool checked = false;  ///< its content is followed by a lookup3 checksum, which is filtered with it
};

/// A section for callers that run the filters themselves. It never has the checksum, whether filters ran or
/// not; docs/design/012-checksums-of-sections.md gives the reasons.
struct RawSection {
  Bytes bytes;
  std::uint32_t filter_mask = 0;            ///< bit i set: filter i was skipped
  std::uint64_t original_bytes = 0;         ///< before the filters; 0: unknown
  std::shared_ptr<const Buffer> made = {};  ///< owns the bytes unless they are part of the stored chunk
};

/// What the index knows about such a section.
struct RawSectionFacts {
  std::uint64_t bytes = 0;  ///< as stored; filtered bytes contain the checksum
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

  /// Returns the size of a section, given the content of section 0.
  using SizeOf = FunctionRef<SectionSize(std::size_t section, Bytes first)>;
  /// Assembles encoded sections, and adds the checksums: filtered ones are decoded and encoded again. Sizes
  /// that are not given are found. *Throws* Error(invalid_argument) if sizes and masks contradict each other,
  /// and what filters throw; other contents are not checked.
  StoredChunk assemble(std::span<const RawSection> sections, ChunkEdge edge, SizeOf size_of) const;
  /// Whether a checksum is among filtered bytes, so that raw() has to encode the section again.
  bool is_recoded(std::size_t section, const StoredChunkInfo& info, ChunkEdge edge) const;
  /// Whether all filters are available that a chunk, or one of its sections, needs to be decoded.
  bool decodable(const StoredChunkInfo& info, ChunkEdge edge) const;
  bool decodable(std::size_t section, const StoredChunkInfo& info, ChunkEdge edge) const;

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
  /// The inverse of assemble(). Verifies the checksum. *Requires*: `part` has the bytes of extent().
  /// *Invalidates*: the result may be a part of them.
  RawSection raw(std::size_t section, const StoredChunkView& part, SectionSize size) const;
  /// What the index says about raw().
  RawSectionFacts raw_facts(std::size_t section, const StoredChunkInfo& info, std::uint64_t stored_bytes,
                            ChunkEdge edge) const;

 private:
  Buffer unfilter(std::size_t section, Bytes stored, const StoredChunkInfo& info,
                  std::uint64_t most_bytes) const;
  /// Whether some filter runs on a section with this mask.
  bool transformed(std::size_t section, std::uint32_t mask, ChunkEdge edge) const;
  void check_raw(std::size_t section, const RawSection& given, bool transformed) const;
  /// A section of a caller, ready to be stored.
  struct Assembled {
    Buffer bytes;
    std::uint64_t original_bytes = 0;  ///< with its checksum
    std::uint32_t filter_mask = 0;
    Buffer content = {};  ///< only of filtered sections with a checksum
  };
  /// *Requires*: the section is not empty.
  Assembled assemble_one(std::size_t section, const RawSection& given, bool transformed, SizeOf size_of,
                         Bytes first) const;
  Buffer decode_raw(std::size_t section, const RawSection& given, SectionSize size) const;
  std::uint64_t unfiltered_bytes(std::size_t section, const RawSection& given, SectionSize size) const {
    return size.exact ? size.most : decode_raw(section, given, size).size();
  }

  std::vector<SectionRule> rules_;
  bool filter_partial_edges_;
};

}  // namespace filigree::chunk
