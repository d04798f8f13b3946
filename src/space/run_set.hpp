// SPDX-License-Identifier: Apache-2.0
//
// Sets of positions on a line. A set is the ascending list of the places where membership changes: it is
// entered at even places of the list and left at odd ones. So a run costs 16 bytes whatever its length, and
// every set operation is the same merge of two sorted lists under another truth table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace filigree::space {

/// `length` positions from `start` on.
struct Run {
  std::uint64_t start = 0;
  std::uint64_t length = 0;
  std::uint64_t end() const { return start + length; }
  friend bool operator==(const Run&, const Run&) = default;
};

/// What becomes of a position, given whether it is in the first set (bit 0 of the index) and in the second
/// (bit 1): bit `index` of the value.
enum class SetOperator : std::uint8_t {
  unite = 0b1110,
  intersect = 0b1000,
  differ = 0b0110,    ///< in one of the two
  subtract = 0b0010,  ///< in the first only
  supplant = 0b0100,  ///< in the second only
};

/// An immutable set; copies share their list.
class RunSet {
 public:
  RunSet() = default;
  explicit RunSet(Run run);
  /// Any order; overlapping and touching runs become one, empty ones vanish. Throws Error(limit) for a run
  /// that ends beyond 2^64 - 1.
  static RunSet of_runs(std::vector<Run> runs);
  /// Any order; duplicates count once. The largest possible position is 2^64 - 2.
  static RunSet of_offsets(std::vector<std::uint64_t> offsets);

  bool empty() const { return size_ == 0; }
  std::size_t runs() const { return size_ / 2; }
  std::uint64_t elements() const { return elements_; }
  Run run(std::size_t i) const {
    return {edges_.get()[2 * i], edges_.get()[2 * i + 1] - edges_.get()[2 * i]};
  }
  std::span<const std::uint64_t> edges() const { return {edges_.get(), size_}; }
  /// The first run that ends behind `offset`; runs() when there is none.
  std::size_t find(std::uint64_t offset) const;
  bool contains(std::uint64_t offset) const;
  /// Bytes that the list takes.
  std::size_t memory_bytes() const { return size_ * sizeof(std::uint64_t); }

  /// What lies in `window`, moved so that the window starts at 0.
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

/// Collects runs that come in ascending order; touching runs become one.
class RunSetWriter {
 public:
  /// 32 GiB of list; more is a mistake in the request rather than a wish.
  static constexpr std::uint64_t most_runs = std::uint64_t{1} << 31;

  /// Throws Error(limit) when there would be more runs than memory can hold.
  explicit RunSetWriter(std::uint64_t runs_at_most);
  /// Starts at or behind the end of the run before it; not empty.
  void add(Run run) {
    if (size_ != 0 && edges_.get()[size_ - 1] == run.start) {
      edges_.get()[size_ - 1] = run.end();
      return;
    }
    if (size_ == capacity_) grow();
    edges_.get()[size_++] = run.start;
    edges_.get()[size_++] = run.end();
  }
  /// Starts at or behind the end of the run before it.
  void add(const RunSet& set);
  /// The next place where membership changes, behind the one before it.
  void add_edge(std::uint64_t at) {
    if (size_ == capacity_) grow();
    edges_.get()[size_++] = at;
  }
  /// Many of them.
  void add_edges(std::span<const std::uint64_t> places);
  /// The writer is empty afterwards.
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
