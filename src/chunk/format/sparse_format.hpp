// SPDX-License-Identifier: Apache-2.0
//
// Chunks that hold only the elements somebody wrote: section 0 says which, section 1 has their values in
// row-major order, and section 2, where the type has parts of variable length, what these stand for.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "chunk/format/chunk_format.hpp"
#include "chunk/format/heap_section.hpp"
#include "chunk/format/sections.hpp"
#include "space/encoding.hpp"
#include "space/frame.hpp"

namespace filigree::chunk {

class SparseImage;

/// What a sparse chunk is made of.
struct SparseShape {
  space::Frame chunk;
  std::size_t element_bytes = 0;
  std::shared_ptr<const VariableLayout> variable{};  ///< null for elements of a fixed size
  Buffer fill;                    ///< one element, as undefined ones are read; empty: zeros
  Buffer fill_heap;               ///< what descriptors in `fill` point into
  bool filter_cut_chunks = true;  ///< chunks that the extent cuts are filtered like the others
  /// How section 0 is written, unless a chunk would be more than 64 bytes larger than a dense one: then as
  /// small as it can be.
  space::DefinedEncoding form = space::DefinedEncoding::standard;
  /// The only filter of section 0 is the one that packs selections: its bytes can be read as runs at once.
  bool selection_packed = false;
};

class SparseFormat final : public ChunkFormat {
 public:
  /// A rule for each of the two or three sections; the first one is checked. Throws Error(corrupt) otherwise.
  SparseFormat(SparseShape shape, std::vector<SectionRule> rules);

  std::unique_ptr<ChunkImage> blank() const override;
  std::unique_ptr<ChunkImage> copy(const ChunkImage& image) const override;
  std::unique_ptr<ChunkImage> decode(Bytes stored, const StoredForm& form, bool whole) const override;
  /// An empty image has an encoding too, but chunks that define nothing do not belong into files.
  StoredChunk encode(const ChunkImage& image, bool whole) const override;
  void read(const ChunkImage& image, std::span<const space::ChunkRun> runs,
            const Values& values) const override;
  /// Defines what is written, whatever its value. When a conversion throws, elements that it did not come to
  /// have the fill value.
  void write(ChunkImage& image, std::span<const space::ChunkRun> runs, const Values& values) const override;
  void for_each_value(const ChunkImage& image, FunctionRef<void(Bytes)> see) const override;
  void for_each_value(ChunkImage& image, FunctionRef<void(MutableBytes)> change) const override;
  void erase(ChunkImage& image, const space::RunSet& elements) const override;
  bool plain(bool) const override { return false; }
  const Sections* sections() const override { return &sections_; }
  bool cut_chunks_differ() const override { return sections_.filtered() && !shape_.filter_cut_chunks; }
  /// Images are mostly far smaller than a dense chunk.
  std::uint64_t usual_bytes(std::uint64_t chunk_bytes) const override {
    return std::min<std::uint64_t>(chunk_bytes, 64u << 10);
  }

  bool knows_points() const override { return !shape_.variable && shape_.chunk.elements() >> 32 == 0; }
  StoredChunk encode_points(std::span<const std::uint32_t> positions, Bytes values,
                            bool whole) const override;
  std::optional<std::uint64_t> claimed_points(const StoredForm& form, std::uint64_t stored_bytes,
                                              bool whole) const override;
  ChunkPoints decode_points(Bytes stored, const StoredForm& form, bool whole) const override;

  space::RunSet defined(const ChunkImage& image) const override;
  bool empty(const ChunkImage& image) const override;
  space::Run defined_part(const StoredForm& form, std::uint64_t stored_bytes) const override;
  space::RunSet decode_defined(Bytes part, const StoredForm& form, std::uint64_t stored_bytes,
                               bool whole) const override;
  bool finds_values(bool whole) const override {
    return !shape_.variable && !sections_.filters(values_section, whole);
  }
  StoredValues find_values(Bytes part, const StoredForm& form, std::uint64_t stored_bytes, bool whole,
                           const space::RunSet& wanted) const override;
  std::unique_ptr<ChunkImage> assemble(const StoredValues& found, Buffer values) const override;

 private:
  static constexpr std::size_t selection_section = 0;
  static constexpr std::size_t values_section = 1;
  static constexpr std::size_t heap_section = 2;

  /// Section 0 understood.
  struct Described {
    space::RunSet elements;
    /// Where the values of the elements stand among those stored; empty: in the order of the elements.
    std::vector<std::uint64_t> places;
    std::uint64_t value_bytes = 0;  ///< of section 1; more than the elements need where points are repeated
  };
  Described describe(Bytes part, const StoredForm& form, std::uint64_t stored_bytes, bool whole) const;
  /// Whether section 0 is what the filter for selections made.
  bool is_packed(const StoredForm& form, bool whole) const;
  std::optional<space::Selection> unpack_selection(Bytes part, const StoredForm& form, bool whole) const;
  space::Selection decode_selection(Bytes part, const StoredForm& form, bool whole,
                                    std::uint64_t values) const;
  Buffer encode_selection(const SparseImage& image) const;
  /// Whether section 0 is written straight from a set of so many runs.
  bool packs_at_once(std::size_t runs, bool whole) const;
  std::optional<Sections::Packed> pack_selection(const SparseImage& image, bool whole) const;
  Buffer decode_values(Bytes stored, const StoredForm& form, bool whole, const Described& described) const;
  void fill_values(SparseImage& image, const space::RunSet& elements) const;
  void write_values(SparseImage& image, std::span<const space::ChunkRun> runs, const Values& values) const;
  /// `undefined` is as `values`, for the fill value.
  void read_values(const ChunkImage& image, std::span<const space::ChunkRun> runs, const Values& values,
                   const Values& undefined) const;
  void read_undefined(std::byte* memory, std::uint64_t count, const Values& values) const;

  SparseShape shape_;
  Sections sections_;
  std::uint64_t dense_bytes_;  ///< of a dense chunk; the largest number when there is none
  Buffer fill_block_;          ///< fill values one behind the other
};

}  // namespace filigree::chunk
