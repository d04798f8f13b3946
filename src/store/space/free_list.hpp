// SPDX-License-Identifier: Apache-2.0
//
// Free ranges of a file, found by size and by address.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace filigree::store {

/// A range of bytes of the file.
struct SpaceRange {
  std::uint64_t at = 0;
  std::uint64_t bytes = 0;
  std::uint64_t end() const { return at + bytes; }
  bool overlaps(const SpaceRange& o) const {
    return bytes > 0 && o.bytes > 0 && at < o.end() && o.at < end();
  }
  friend bool operator==(const SpaceRange&, const SpaceRange&) = default;
};

/// Which addresses an allocation may start at: those where `base` + address is a multiple of `step`.
struct Alignment {
  std::uint64_t step = 1;
  std::uint64_t base = 0;
  /// The number of bytes from `at` to the next aligned address.
  std::uint64_t gap(std::uint64_t at) const {
    const std::uint64_t past = (base % step + at % step) % step;
    return past == 0 ? 0 : step - past;
  }
};

/// Disjoint ranges; adjacent ranges are merged. All operations cost O(log ranges).
class FreeList {
 public:
  /// Adds a range and merges it with adjacent ranges inside of `within`. Returns the merged range. *Requires*
  /// that it overlaps no range of the list.
  SpaceRange add(SpaceRange range, SpaceRange within = {0, ~std::uint64_t{0}});
  /// Removes the range that starts at `at`.
  void remove(std::uint64_t at);

  /// Allocates `bytes` from the smallest range that holds them at an aligned address. With an alignment, a
  /// few of the smallest ranges are tried, and then one that is large enough for any gap.
  std::optional<std::uint64_t> allocate(std::uint64_t bytes, const Alignment& alignment = {});
  /// The same from the range with the lowest address. Costs O(ranges).
  std::optional<std::uint64_t> allocate_lowest(std::uint64_t bytes, const Alignment& alignment = {});
  /// Allocates the first `bytes` of the range that starts at `at`. Returns false when there is none, or it is
  /// smaller.
  bool allocate_front(std::uint64_t at, std::uint64_t bytes);

  std::optional<SpaceRange> find_at(std::uint64_t at) const;
  std::optional<SpaceRange> find_ending_at(std::uint64_t end) const;
  bool overlaps(const SpaceRange& range) const;

  std::uint64_t bytes() const { return bytes_; }
  bool empty() const { return by_address_.empty(); }
  /// All ranges of at least `least_bytes`, by address.
  std::vector<SpaceRange> ranges(std::uint64_t least_bytes = 0) const;

 private:
  void insert(SpaceRange range);
  std::uint64_t cut(SpaceRange range, std::uint64_t skip, std::uint64_t bytes);

  std::map<std::uint64_t, std::uint64_t> by_address_;          // start -> bytes
  std::set<std::pair<std::uint64_t, std::uint64_t>> by_size_;  // bytes, start
  std::uint64_t bytes_ = 0;
};

}  // namespace filigree::store
