// SPDX-License-Identifier: Apache-2.0
//
// A sparse chunk in memory: the set of elements that are defined, and their values without gaps. All costs go
// with what is defined, none with the volume of the chunk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/bytes.hpp"
#include "chunk/format/chunk_format.hpp"
#include "chunk/format/heap_section.hpp"
#include "space/run_set.hpp"

namespace filigree::chunk {

/// A set that knows how many of its elements come before any of its runs.
class RankedSet {
 public:
  RankedSet() = default;
  explicit RankedSet(space::RunSet set);

  const space::RunSet& set() const { return set_; }
  /// Elements before run `i`.
  std::uint64_t rank_of_run(std::size_t i) const;
  std::size_t memory_bytes() const {
    return set_.memory_bytes() + samples_.capacity() * sizeof(std::uint64_t);
  }

  /// Finds runs by position; cheap when each position is a little behind the one before.
  class Cursor {
   public:
    explicit Cursor(const RankedSet& ranked) : ranked_(ranked) {}
    /// To the first run that ends behind `position`; false when there is none.
    bool seek(std::uint64_t position);
    space::Run run() const { return ranked_.set_.run(run_); }
    /// Elements before `position`, which lies in the run.
    std::uint64_t rank(std::uint64_t position) const { return rank_ + (position - run().start); }

   private:
    const RankedSet& ranked_;
    std::size_t run_ = 0;
    std::uint64_t rank_ = 0;  ///< of the run's first element
  };

 private:
  space::RunSet set_;
  std::vector<std::uint64_t> samples_;  ///< ranks of every 64th run but the first
};

/// Elements that stand behind each other in the values of two sets, the one a part of the other.
struct Stretch {
  std::uint64_t part_rank = 0;
  std::uint64_t whole_rank = 0;
  std::uint64_t length = 0;
  friend bool operator==(const Stretch&, const Stretch&) = default;
};

/// The elements of `part` as the fewest stretches, ascending: one more at most than `whole` has runs besides.
std::vector<Stretch> stretches(const space::RunSet& part, const space::RunSet& whole);

class SparseImage final : public ChunkImage {
 public:
  explicit SparseImage(std::size_t element_bytes) : element_bytes_(element_bytes) {}
  /// As many values as elements.
  SparseImage(std::size_t element_bytes, space::RunSet defined, Buffer values);
  SparseImage(const SparseImage&) = default;

  std::size_t memory_bytes() const override;
  const RankedSet& ranked() const { return defined_; }
  const space::RunSet& defined() const { return defined_.set(); }
  const Buffer& values() const { return values_; }
  std::byte* value(std::uint64_t rank) { return values_.data() + rank * element_bytes_; }
  const std::byte* value(std::uint64_t rank) const { return values_.data() + rank * element_bytes_; }

  /// Other elements, with as many values.
  void set_elements(space::RunSet defined, Buffer values);
  /// Whether all elements of the runs are defined.
  bool covers(std::span<const space::ChunkRun> runs) const;
  /// Adds elements, none of which is defined yet. Their values are any.
  void define(const space::RunSet& fresh);
  void erase(const space::RunSet& elements);

  /// What descriptors among the values point into. Payloads that nobody points to stay until set_cells().
  Buffer& heap() { return heap_; }
  const Buffer& heap() const { return heap_; }
  /// The same values, with another heap.
  void set_cells(VariableCells cells);
  /// Bytes of the heap when it was last set.
  std::size_t compact_heap_bytes() const { return compact_heap_bytes_; }

 private:
  std::size_t element_bytes_;
  RankedSet defined_;
  Buffer values_;
  Buffer heap_;
  std::size_t compact_heap_bytes_ = 0;
};

}  // namespace filigree::chunk
