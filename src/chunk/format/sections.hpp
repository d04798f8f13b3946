// SPDX-License-Identifier: Apache-2.0
//
// Structured chunks as bytes: sections one behind the other, each with its own filters and, where it says
// something about the others, a checksum.
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
  bool checked = false;  ///< lookup3 stands behind its content, below the filters; an empty section has none
};

/// A section as somebody has it who runs the filters himself. Where none of them ran, it is without its
/// checksum; otherwise that is inside.
struct RawSection {
  Bytes bytes;
  std::uint32_t filter_mask = 0;     ///< bit i set: filter i was skipped
  std::uint64_t original_bytes = 0;  ///< before the filters, with the checksum where they ran
};

/// What is known of such a section without its bytes.
struct RawSectionFacts {
  std::uint64_t bytes = 0;
  std::uint32_t filter_mask = 0;
  std::uint64_t original_bytes = 0;
};

/// Packs sections and takes them apart. Immutable, as formats are.
class Sections {
 public:
  /// At most SectionTable::most rules. `filter_cut_chunks`: chunks that the extent cuts are filtered like the
  /// others.
  Sections(std::vector<SectionRule> rules, bool filter_cut_chunks);

  std::size_t count() const { return rules_.size(); }
  bool checked(std::size_t section) const { return rules_[section].checked; }
  /// Whether the tables of chunks carry unfiltered sizes and masks: some section has filters.
  bool filtered() const;
  /// Whether the filters of a section, if it has any, run on a chunk. Says the geometry: masks need not.
  bool filters(std::size_t section, bool whole) const {
    return !rules_[section].pipeline.empty() && (whole || filter_cut_chunks_);
  }

  /// A section that went through its sum and filters already.
  struct Packed {
    Buffer bytes;
    std::uint64_t content_bytes = 0;  ///< with its sum
  };
  /// With `first`, that is section 0, and its content is not looked at.
  StoredChunk pack(std::span<const Bytes> contents, bool whole, Packed* first = nullptr) const;

  /// Puts sections together that have been through their filters. What they say about themselves is checked,
  /// not what is in them; Error(invalid_argument).
  StoredChunk assemble(std::span<const RawSection> sections, bool whole) const;
  /// Whether all filters are there that a chunk needs to be understood.
  bool decodable(const StoredForm& form, bool whole) const;

  // All that follows is given tables of untrusted files and throws Error(corrupt) when they lie.

  /// Where a section stands in a chunk of `stored_bytes`.
  space::Run extent(std::size_t section, const StoredForm& form, std::uint64_t stored_bytes) const;
  /// What unpack() will give, as the table claims it.
  std::uint64_t content_bytes(std::size_t section, const StoredForm& form, std::uint64_t stored_bytes,
                              bool whole) const;
  /// The content of a section that stands in `stored`: extent() of the chunk. Refuses more than `most_bytes`
  /// before it allocates them.
  Buffer unpack(std::size_t section, Bytes stored, const StoredForm& form, bool whole,
                std::uint64_t most_bytes) const;
  /// The way back of assemble(): a part of `stored`. Checksums that are not inside are checked.
  RawSection raw(std::size_t section, Bytes stored, const StoredForm& form, bool whole) const;
  /// Of what raw() gives.
  RawSectionFacts raw_facts(std::size_t section, const StoredForm& form, std::uint64_t stored_bytes,
                            bool whole) const;

 private:
  Buffer unfilter(std::size_t section, Bytes stored, const StoredForm& form, std::uint64_t most_bytes) const;
  /// Whether some filter runs on a section of a chunk that has this mask.
  bool transformed(std::size_t section, std::uint32_t mask, bool whole) const;
  void check_raw(std::size_t section, const RawSection& given, bool transformed) const;

  std::vector<SectionRule> rules_;
  bool filter_cut_chunks_;
};

}  // namespace filigree::chunk
