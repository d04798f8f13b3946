// SPDX-License-Identifier: Apache-2.0
//
// Structured chunks as bytes: sections one behind the other, each with its own filters and, where it says
// something about the others, a checksum.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "chunk/chunk_format.hpp"
#include "filter/pipeline.hpp"
#include "space/run_set.hpp"

namespace filigree::chunk {

/// How one section of every chunk is stored.
struct SectionRule {
  filter::Pipeline pipeline;
  bool checked = false;  ///< lookup3 stands behind its content, below the filters; an empty section has none
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

 private:
  Buffer unfilter(std::size_t section, Bytes stored, const StoredForm& form, std::uint64_t most_bytes) const;

  std::vector<SectionRule> rules_;
  bool filter_cut_chunks_;
};

}  // namespace filigree::chunk
