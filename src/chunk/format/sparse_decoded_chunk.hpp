// SPDX-License-Identifier: Apache-2.0
//
// A decoded sparse chunk: the set of defined elements, and their values without gaps. All costs depend on the
// number of defined elements, none on the volume of the chunk. Only SparseFormat includes this.
//
// Chunks of many scattered elements are decoded to CompactElements, which take a fifth of the memory. They
// are expanded to a run set before they are changed: sparse() does that for every chunk that is not const.
//
// Programs may write a chunk element by element. Inserting each of them would move the values after it, so
// that n writes cost n * n. Instead, append() collects elements in the order of writing. They are merged by
// the first call that looks at elements or values, or when they are as many as the merged ones. A merge
// therefore happens in const functions, which threads with shared access call concurrently: the first one
// merges under a mutex, and the others wait for it. append() itself requires exclusive access, as all changes
// do.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/bytes.hpp"
#include "base/function_ref.hpp"
#include "base/mutex.hpp"
#include "chunk/format/chunk_format.hpp"
#include "chunk/format/compact_elements.hpp"
#include "chunk/format/heap_section.hpp"
#include "chunk/format/ordinal_set.hpp"
#include "space/run_set.hpp"

namespace filigree::chunk {

class SparseDecodedChunk final : public DecodedChunk {
 public:
  explicit SparseDecodedChunk(std::size_t element_bytes) : element_bytes_(element_bytes) {}
  /// *Requires*: as many values as elements.
  SparseDecodedChunk(std::size_t element_bytes, space::RunSet defined, Buffer values);
  SparseDecodedChunk(std::size_t element_bytes, CompactElements elements);
  SparseDecodedChunk(const SparseDecodedChunk& other);

  std::size_t memory_bytes() const override;
  /// The elements, if they are compact; then ordinals(), defined(), values() and value() must not be called.
  const CompactElements* compact() const { return compact_.get(); }
  /// Makes the chunk ready for changes.
  void expand();
  std::uint64_t elements() const { return compact_ ? compact_->offsets.elements() : defined().elements(); }

  const OrdinalSet& ordinals() const { return merged().defined_; }
  const space::RunSet& defined() const { return merged().defined_.set(); }
  const Buffer& values() const { return merged().values_; }
  std::byte* value(std::uint64_t ordinal) {
    merged();
    return values_.data() + ordinal * element_bytes_;
  }
  const std::byte* value(std::uint64_t ordinal) const {
    return merged().values_.data() + ordinal * element_bytes_;
  }
  /// Whether nothing is defined. Merges nothing.
  bool is_empty() const { return !compact_ && !has_appended_.load() && defined_.set().empty(); }

  /// Replaces all elements. *Requires*: as many values as elements.
  void set_elements(space::RunSet defined, Buffer values);
  /// Whether all elements of the runs are defined.
  bool covers(std::span<const space::ChunkRun> runs) const;
  /// Adds elements with unspecified values. *Requires*: none of them is defined yet.
  void define(const space::RunSet& fresh);
  void erase(const space::RunSet& elements);
  /// Defines the elements of a run, or replaces their values; `store` puts the values to the address that it
  /// is called with. When it throws, nothing has changed.
  void append(space::Run run, FunctionRef<void(std::byte*)> store);

  /// The heap that descriptors among the values refer to. Unreferenced payloads stay until set_cells().
  Buffer& heap() { return heap_; }
  const Buffer& heap() const { return heap_; }
  /// Replaces values and heap, for the same elements.
  void set_cells(VariableCells cells);
  /// Bytes of the heap when it was last set.
  std::size_t compact_heap_bytes() const { return compact_heap_bytes_; }

 private:
  /// Returns this chunk, after appended elements were merged.
  const SparseDecodedChunk& merged() const {
    if (has_appended_.load(std::memory_order_acquire)) merge_appended();
    return *this;
  }
  void merge_appended() const;
  void insert(const space::RunSet& fresh) const;

  std::size_t element_bytes_;
  std::shared_ptr<const CompactElements> compact_;  ///< null: the members below have the elements
  // Mutable for merge_appended(), which changes how elements are held, but not which there are.
  mutable OrdinalSet defined_;
  mutable Buffer values_;
  Buffer heap_;
  std::size_t compact_heap_bytes_ = 0;

  /// Elements that are not merged yet.
  struct Collected {
    Mutex merging;                 ///< held while they are merged
    std::vector<space::Run> runs;  ///< in the order of writing
    Buffer values;                 ///< of the elements of `runs`, contiguous
  };
  mutable std::atomic<bool> has_appended_ = false;
  std::unique_ptr<Collected> collected_;  ///< null until append() is called
};

/// Returns a decoded chunk as that of the sparse format. *Requires*: the sparse format has made it.
inline const SparseDecodedChunk& sparse(const DecodedChunk& decoded) {
  return static_cast<const SparseDecodedChunk&>(decoded);
}
inline SparseDecodedChunk& sparse(DecodedChunk& decoded) {
  auto& chunk = static_cast<SparseDecodedChunk&>(decoded);
  chunk.expand();
  return chunk;
}

}  // namespace filigree::chunk
