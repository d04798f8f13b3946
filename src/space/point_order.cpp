// SPDX-License-Identifier: Apache-2.0
#include "space/point_order.hpp"

#include <vector>

#include "space/cursor.hpp"
#include "space/radix_sort.hpp"

namespace filigree::space {
namespace {

struct Pair {
  std::uint64_t file;
  std::uint64_t memory;
};

std::vector<Pair> pairs_of(const Selection& file, const Selection& memory) {
  std::vector<Pair> pairs;
  pairs.reserve(static_cast<std::size_t>(file.elements()));
  MatchedRun run;
  for (MatchedCursor cursor(file, memory); cursor.next(run);)
    for (std::uint64_t i = 0; i < run.length; ++i) pairs.push_back({run.first + i, run.second + i});
  return pairs;
}

/// Sorts by one side and keeps the last of the pairs that are equal there.
void keep_last(std::vector<Pair>& pairs, std::uint64_t Pair::*side) {
  radix_sort(pairs, [side](const Pair& pair) { return pair.*side; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (i + 1 < pairs.size() && pairs[i].*side == pairs[i + 1].*side) continue;
    pairs[kept++] = pairs[i];
  }
  pairs.resize(kept);
}

}  // namespace

Matched in_file_order(const Selection& file, const Selection& memory, Side destination) {
  if (file.is_set() && memory.is_set()) return {file, memory};
  std::vector<Pair> pairs = pairs_of(file, memory);
  keep_last(pairs, destination == Side::file ? &Pair::file : &Pair::memory);
  radix_sort(pairs, [](const Pair& pair) { return pair.file; });
  std::vector<std::uint64_t> from;
  std::vector<std::uint64_t> to;
  for (const Pair& pair : pairs) {
    from.push_back(pair.file);
    to.push_back(pair.memory);
  }
  return {Selection::of_points(file.frame(), std::move(from)),
          Selection::of_points(memory.frame(), std::move(to))};
}

}  // namespace filigree::space
