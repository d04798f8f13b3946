// SPDX-License-Identifier: Apache-2.0
//
// Sets of linear offsets as runs.
//
// A set is the ascending list of its edges: the offsets at which membership changes. Runs start at even
// indexes of the list and end at odd ones. A run takes 16 bytes whatever its length, and every set operation
// is a merge of two sorted lists under a truth table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace filigree::space {

/// `length` offsets from `start` on.
struct Run {
  std::uint64_t start = 0;
  std::uint64_t length = 0;
  std::uint64_t end() const { return start + length; }
  friend bool operator==(const Run&, const Run&) = default;
};

/// Set operators as truth tables: bit `index` of the value tells whether an offset is in the result. Bit 0 of
/// the index tells whether it is in the first set, bit 1 whether it is in the second.
enum class SetOperator : std::uint8_t {
  unite = 0b1110,
  intersect = 0b1000,
  differ = 0b0110,    ///< in exactly one of the two (H5S_SELECT_XOR)
  subtract = 0b0010,  ///< only in the first (H5S_SELECT_NOTB)
  supplant = 0b0100,  ///< only in the second (H5S_SELECT_NOTA)
};

/// An immutable set of offsets. Copies share their list.
class RunSet {
 public:
  RunSet() = default;
  explicit RunSet(Run run);
  /// The set of runs in any order. Overlapping and adjacent runs are joined, and empty ones are ignored.
  /// *Throws* Error(limit) for a run that ends beyond 2^64 - 1.
  static RunSet of_runs(std::vector<Run> runs);
  /// The set of offsets in any order, with duplicates. The largest possible offset is 2^64 - 2.
  static RunSet of_offsets(std::vector<std::uint64_t> offsets);

  bool empty() const { return size_ == 0; }
  /// The number of runs.
  std::size_t runs() const { return size_ / 2; }
  std::uint64_t elements() const { return elements_; }
  Run run(std::size_t i) const {
    return {edges_.get()[2 * i], edges_.get()[2 * i + 1] - edges_.get()[2 * i]};
  }
  std::span<const std::uint64_t> edges() const { return {edges_.get(), size_}; }
  /// The index of the first run that ends after `offset`; runs() if there is none.
  std::size_t find(std::uint64_t offset) const;
  bool contains(std::uint64_t offset) const;
  /// The memory that the list takes.
  std::size_t memory_bytes() const { return size_ * sizeof(std::uint64_t); }

  /// The part of the set in `window`, moved so that the window starts at 0.
  RunSet within(Run window) const;

  friend RunSet combine(const RunSet& a, SetOperator op, const RunSet& b);
  friend bool operator==(const RunSet& a, const RunSet& b);

 private:
  friend class RunSetWriter;
  std::shared_ptr<const std::uint64_t> edges_;
  std::size_t size_ = 0;
  std::uint64_t elements_ = 0;
};

RunSet combine(const RunSet& a, SetOperator op, const RunSet& b);

/// Builds a set from ascending runs. Adjacent runs are joined.
class RunSetWriter {
 public:
  /// A list of 32 GiB. More runs indicate a mistake in the request.
  static constexpr std::uint64_t most_runs = std::uint64_t{1} << 31;

  /// *Throws* Error(limit) for more than most_runs runs.
  explicit RunSetWriter(std::uint64_t runs_at_most);
  /// Adds a run. *Requires* that it is not empty and does not start before the end of the previous run.
  void add(Run run) {
    if (size_ != 0 && edges_.get()[size_ - 1] == run.start) {
      edges_.get()[size_ - 1] = run.end();
      return;
    }
    if (size_ == capacity_) grow();
    edges_.get()[size_++] = run.start;
    edges_.get()[size_++] = run.end();
  }
  /// Adds the runs of a set. *Requires* that they do not start before the end of the previous run.
  void add(const RunSet& set);
  /// Adds an edge. *Requires* that it is after the previous edge.
  void add_edge(std::uint64_t at) {
    if (size_ == capacity_) grow();
    edges_.get()[size_++] = at;
  }
  /// Adds several edges.
  void add_edges(std::span<const std::uint64_t> edges);
  /// Returns the set; the writer is empty afterwards.
  RunSet finish();

 private:
  friend RunSet combine(const RunSet& a, SetOperator op, const RunSet& b);
  struct Free {
    void operator()(std::uint64_t* edges) const;
  };
  void grow();
  void resize(std::size_t edges);
  std::unique_ptr<std::uint64_t, Free> edges_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace filigree::space
