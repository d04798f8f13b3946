// SPDX-License-Identifier: Apache-2.0
//
// Chunks that hold every element of their box, and in a section of their own what parts of variable length
// stand for: section 0 has the elements with descriptors, section 1 the heap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "chunk/format/chunk_format.hpp"
#include "chunk/format/heap_section.hpp"
#include "chunk/format/sections.hpp"

namespace filigree::chunk {

struct VariableShape {
  std::uint64_t elements = 0;  ///< of a chunk
  std::shared_ptr<const VariableLayout> layout;
  Buffer fill;                    ///< one element; empty: zeros, with missing values
  Buffer fill_heap;               ///< what descriptors in `fill` point into
  bool filter_cut_chunks = true;  ///< chunks that the extent cuts are filtered like the others
};

class VariableFormat final : public ChunkFormat {
 public:
  /// A rule for each of the two sections. Throws Error(corrupt) for another number, Error(limit) for a chunk
  /// that memory cannot hold.
  VariableFormat(VariableShape shape, std::vector<SectionRule> rules);

  std::unique_ptr<ChunkImage> blank() const override;
  std::unique_ptr<ChunkImage> copy(const ChunkImage& image) const override;
  std::unique_ptr<ChunkImage> decode(Bytes stored, const StoredForm& form, bool whole) const override;
  StoredChunk encode(const ChunkImage& image, bool whole) const override;
  void read(const ChunkImage& image, std::span<const space::ChunkRun> runs,
            const Values& values) const override;
  void write(ChunkImage& image, std::span<const space::ChunkRun> runs, const Values& values) const override;
  void for_each_value(const ChunkImage& image, FunctionRef<void(Bytes)> see) const override;
  void for_each_value(ChunkImage& image, FunctionRef<void(MutableBytes)> change) const override;
  void erase(ChunkImage& image, const space::RunSet& elements) const override;
  bool plain(bool) const override { return false; }
  const Sections* sections() const override { return &sections_; }
  bool cut_chunks_differ() const override { return sections_.filtered() && !shape_.filter_cut_chunks; }
  space::RunSet defined(const ChunkImage&) const override { return all(); }
  space::RunSet decode_defined(Bytes, const StoredForm&, std::uint64_t, bool) const override { return all(); }

 private:
  space::RunSet all() const { return space::RunSet({0, shape_.elements}); }
  void fill(MutableBytes elements, Bytes element) const;

  VariableShape shape_;
  Sections sections_;
  std::size_t bytes_;  ///< of the elements
};

}  // namespace filigree::chunk
