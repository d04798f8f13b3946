// SPDX-License-Identifier: Apache-2.0
#include "store/space/free_list.hpp"

#include <iterator>

#include "base/checked.hpp"

namespace filigree::store {
namespace {

/// The number of ranges of about the right size that are tried for an alignment.
constexpr int aligned_tries = 16;

}  // namespace

void FreeList::insert(SpaceRange range) {
  by_address_.emplace(range.at, range.bytes);
  by_size_.emplace(range.bytes, range.at);
  bytes_ += range.bytes;
}

void FreeList::remove(std::uint64_t at) {
  const auto found = by_address_.find(at);
  by_size_.erase({found->second, at});
  bytes_ -= found->second;
  by_address_.erase(found);
}

SpaceRange FreeList::add(SpaceRange range, SpaceRange within) {
  if (const auto before = find_ending_at(range.at); before && before->at >= within.at) {
    remove(before->at);
    range = {before->at, before->bytes + range.bytes};
  }
  if (const auto after = find_at(range.end()); after && after->end() <= within.end()) {
    remove(after->at);
    range.bytes += after->bytes;
  }
  insert(range);
  return range;
}

std::uint64_t FreeList::cut(SpaceRange range, std::uint64_t skip, std::uint64_t bytes) {
  remove(range.at);
  const std::uint64_t start = range.at + skip;
  if (skip > 0) insert({range.at, skip});
  if (start + bytes < range.end()) insert({start + bytes, range.end() - start - bytes});
  return start;
}

std::optional<std::uint64_t> FreeList::allocate(std::uint64_t bytes, const Alignment& alignment) {
  int tries = aligned_tries;
  for (auto it = by_size_.lower_bound({bytes, 0}); it != by_size_.end() && tries > 0; ++it, --tries) {
    const std::uint64_t skip = alignment.gap(it->second);
    if (skip <= it->first - bytes) return cut({it->second, it->first}, skip, bytes);
  }
  const auto surely = try_add(bytes, alignment.step - 1);
  const auto it = surely ? by_size_.lower_bound({*surely, 0}) : by_size_.end();
  if (it == by_size_.end()) return std::nullopt;
  return cut({it->second, it->first}, alignment.gap(it->second), bytes);
}

std::optional<std::uint64_t> FreeList::allocate_lowest(std::uint64_t bytes, const Alignment& alignment) {
  for (const auto& [at, free] : by_address_) {
    const std::uint64_t skip = alignment.gap(at);
    if (bytes <= free && skip <= free - bytes) return cut({at, free}, skip, bytes);
  }
  return std::nullopt;
}

bool FreeList::allocate_front(std::uint64_t at, std::uint64_t bytes) {
  const auto range = find_at(at);
  if (!range || range->bytes < bytes) return false;
  cut(*range, 0, bytes);
  return true;
}

std::optional<SpaceRange> FreeList::find_at(std::uint64_t at) const {
  const auto found = by_address_.find(at);
  if (found == by_address_.end()) return std::nullopt;
  return SpaceRange{found->first, found->second};
}

std::optional<SpaceRange> FreeList::find_ending_at(std::uint64_t end) const {
  const auto next = by_address_.lower_bound(end);
  if (next == by_address_.begin()) return std::nullopt;
  const auto found = std::prev(next);
  if (found->first + found->second != end) return std::nullopt;
  return SpaceRange{found->first, found->second};
}

bool FreeList::overlaps(const SpaceRange& range) const {
  const auto next = by_address_.lower_bound(range.end());
  if (next == by_address_.begin()) return false;
  const auto last = std::prev(next);
  return last->first + last->second > range.at;
}

std::vector<SpaceRange> FreeList::ranges(std::uint64_t least_bytes) const {
  std::vector<SpaceRange> all;
  for (const auto& [at, bytes] : by_address_) {
    if (bytes >= least_bytes) all.push_back({at, bytes});
  }
  return all;
}

}  // namespace filigree::store
