// SPDX-License-Identifier: Apache-2.0
//
// Run sets whose elements are numbered: the ordinal of an element is the number of elements before it, which
// is the index of its value where values are stored without gaps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "space/run_set.hpp"

namespace filigree::chunk {

/// A set that finds the ordinal of an element quickly.
class OrdinalSet {
 public:
  OrdinalSet() = default;
  explicit OrdinalSet(space::RunSet set);

  const space::RunSet& set() const { return set_; }
  /// Elements before run `i`.
  std::uint64_t ordinal_of_run(std::size_t i) const;
  std::size_t memory_bytes() const {
    return set_.memory_bytes() + samples_.capacity() * sizeof(std::uint64_t);
  }

  /// Finds runs by offset. Cheap when each offset is a little behind the previous one.
  class Cursor {
   public:
    explicit Cursor(const OrdinalSet& ordinals) : ordinals_(ordinals) {}
    /// Moves to the first run that ends behind `offset`; returns false if there is none.
    bool seek(std::uint64_t offset);
    space::Run run() const { return ordinals_.set_.run(run_); }
    /// The ordinal of `offset`. *Requires*: it lies in the current run.
    std::uint64_t ordinal(std::uint64_t offset) const { return ordinal_ + (offset - run().start); }

   private:
    const OrdinalSet& ordinals_;
    std::size_t run_ = 0;
    std::uint64_t ordinal_ = 0;  ///< of the current run's first element
  };

 private:
  space::RunSet set_;
  std::vector<std::uint64_t> samples_;  ///< ordinals of every 64th run but the first
};

/// Returns the first run that ends behind `offset`, as RunSet::find() does. It takes few steps if the run is
/// not far behind `from`. *Requires*: no run before `from` ends behind `offset`.
std::size_t find_from(const space::RunSet& set, std::size_t from, std::uint64_t offset);

/// Elements whose values are contiguous in two sets, one of which is a subset of the other.
struct OrdinalSpan {
  std::uint64_t part_ordinal = 0;
  std::uint64_t whole_ordinal = 0;
  std::uint64_t length = 0;
  friend bool operator==(const OrdinalSpan&, const OrdinalSpan&) = default;
};

/// The elements of `part` as the fewest spans, ascending. *Requires*: `part` is a subset of `whole`.
std::vector<OrdinalSpan> ordinal_spans(const space::RunSet& part, const space::RunSet& whole);

}  // namespace filigree::chunk
