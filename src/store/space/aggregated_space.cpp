// SPDX-License-Identifier: Apache-2.0
#include "store/space/aggregated_space.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"

namespace filigree::store {
namespace {

constexpr SpacePool other(SpacePool pool) {
  return pool == SpacePool::metadata ? SpacePool::raw : SpacePool::metadata;
}

constexpr SpacePool pool_of_slot(std::size_t slot) {
  return pool_of(static_cast<SpaceKind>(slot % first_large_slot));
}

}  // namespace

AggregatedSpace::AggregatedSpace(const Options& options, FileEnd& end) : options_(options), end_(end) {
  options_.alignment = std::max<std::uint64_t>(options.alignment, 1);
}

Alignment AggregatedSpace::alignment_for(std::uint64_t bytes) const {
  if (bytes < options_.alignment_threshold) return {};
  return {options_.alignment, options_.base};
}

std::uint64_t AggregatedSpace::allocate(SpacePool pool, std::uint64_t bytes) {
  const Alignment alignment = alignment_for(bytes);
  if (options_.reuses) {
    if (const auto at = list(pool).allocate(bytes, alignment)) return *at;
  }
  return block_bytes(pool) > 0 ? from_block(pool, bytes, alignment) : from_end(pool, bytes, alignment);
}

std::uint64_t AggregatedSpace::allocate_low(SpacePool pool, std::uint64_t bytes) {
  if (options_.reuses) {
    if (const auto at = list(pool).allocate_lowest(bytes, alignment_for(bytes))) return *at;
  }
  return allocate(pool, bytes);
}

/// Space that the driver allocates.
std::uint64_t AggregatedSpace::from_driver(std::uint64_t bytes, const Alignment& alignment) {
  const std::uint64_t at = end_.append(bytes, alignment);
  if (!touches_free({at, bytes})) return at;
  throw Error(ErrorKind::unsupported,
              fmt::format("the driver allocated {} bytes at {}, which are in use already", bytes, at));
}

std::uint64_t AggregatedSpace::from_end(SpacePool pool, std::uint64_t bytes, const Alignment& alignment) {
  if (end_.has_allocator()) return from_driver(bytes, alignment);
  const std::uint64_t skip = alignment.gap(end_.at());
  const std::uint64_t skipped = end_.grow(checked_add(skip, bytes, "file space"));
  if (skip > 0) release(pool, {skipped, skip});
  return skipped + skip;
}

std::uint64_t AggregatedSpace::from_block(SpacePool pool, std::uint64_t bytes, const Alignment& alignment) {
  Block& from = block(pool);
  const std::uint64_t skip = alignment.gap(from.rest.at);
  const std::uint64_t needed = checked_add(skip, bytes, "file space");
  if (needed <= from.rest.bytes) return cut(pool, skip, bytes);
  if (from.rest.bytes > 0 && from.rest.end() == end_.at()) {
    const std::uint64_t grown = growth(pool, needed - from.rest.bytes, needed);
    end_.grow(grown);
    from.rest.bytes += grown;
    return cut(pool, skip, bytes);
  }
  yield_end(pool);
  if (bytes >= block_bytes(pool)) return from_end(pool, bytes, alignment);
  if (end_.has_allocator()) {
    const SpaceRange fresh{from_driver(block_bytes(pool), alignment), block_bytes(pool)};
    give_up(pool);
    from.rest = fresh;
    return cut(pool, 0, bytes);
  }
  const std::uint64_t new_skip = alignment.gap(end_.at());
  const std::uint64_t new_needed = checked_add(new_skip, bytes, "file space");
  const SpaceRange fresh{end_.at(), growth(pool, new_needed, new_needed)};
  end_.grow(fresh.bytes);
  give_up(pool);
  from.rest = fresh;
  return cut(pool, new_skip, bytes);
}

/// The growth of a block that lacks `needed` bytes: a whole block or `wanted`, but only `needed` near the
/// largest offset of the file.
std::uint64_t AggregatedSpace::growth(SpacePool pool, std::uint64_t needed, std::uint64_t wanted) const {
  const std::uint64_t generous = std::max(block_bytes(pool), wanted);
  return generous <= end_.growth_limit() ? generous : needed;
}

/// Allocates `bytes` from the block of the pool; `skip` bytes before them become free. *Requires* that they
/// fit.
std::uint64_t AggregatedSpace::cut(SpacePool pool, std::uint64_t skip, std::uint64_t bytes) {
  Block& from = block(pool);
  const SpaceRange skipped{from.rest.at, skip};
  from.rest = {from.rest.at + skip + bytes, from.rest.bytes - skip - bytes};
  from.used += skip + bytes;
  const std::uint64_t start = skipped.end();
  if (skip > 0) release(pool, skipped);
  return start;
}

/// Called before `pool` grows at the end. Frees the rest of the other pool's block, if it is at the end and
/// was used, so that no hole remains between the two.
void AggregatedSpace::yield_end(SpacePool pool) {
  Block& there = block(other(pool));
  if (there.rest.bytes == 0 || there.rest.end() != end_.at() || there.used < block_bytes(other(pool))) return;
  end_.set(there.rest.at);
  there = {};
  shrink();
}

void AggregatedSpace::give_up(SpacePool pool) {
  const SpaceRange rest = block(pool).rest;
  block(pool) = {};
  if (rest.bytes > 0) release(pool, rest);
}

void AggregatedSpace::release(SpacePool pool, SpaceRange range) {
  if (options_.reuses) range = list(pool).add(range);
  if (range.end() == end_.at()) {
    if (options_.reuses) list(pool).remove(range.at);
    end_.set(range.at);
    shrink();
  } else if (absorb(pool, range)) {
    if (options_.reuses) list(pool).remove(range.at);
  } else if (!options_.reuses) {
    lost_bytes_ += range.bytes;
  }
}

/// Merges a free range with an adjacent block of the pool, as long as the result is smaller than a block.
bool AggregatedSpace::absorb(SpacePool pool, SpaceRange range) {
  Block& into = block(pool);
  if (into.rest.bytes == 0 || range.bytes >= block_bytes(pool)) return false;
  if (range.end() != into.rest.at && into.rest.end() != range.at) return false;
  if (range.bytes + into.rest.bytes >= block_bytes(pool)) return false;
  if (range.end() == into.rest.at) into.used -= std::min(into.used, range.bytes);
  into.rest = {std::min(range.at, into.rest.at), range.bytes + into.rest.bytes};
  return true;
}

void AggregatedSpace::shrink() {
  for (bool again = true; again;) {
    again = false;
    for (FreeList& free : lists_) {
      const auto last = free.find_ending_at(end_.at());
      if (!last) continue;
      free.remove(last->at);
      end_.set(last->at);
      again = true;
    }
  }
}

bool AggregatedSpace::try_extend(SpacePool pool, SpaceRange range, std::uint64_t extra) {
  if (range.end() == end_.at()) {
    if (extra > end_.growth_limit()) return false;
    end_.grow(extra);
    return true;
  }
  const Block& near = block(pool);
  if (near.rest.bytes > 0 && near.rest.at == range.end()) return extend_from_block(pool, extra);
  return options_.reuses && list(pool).allocate_front(range.end(), extra);
}

bool AggregatedSpace::extend_from_block(SpacePool pool, std::uint64_t extra) {
  Block& from = block(pool);
  // An allocation that is extended once is often extended again: most of a block is kept for other
  // allocations.
  const bool at_end = from.rest.end() == end_.at();
  if (at_end && extra > from.rest.bytes / 10) {
    const std::uint64_t grown = growth(pool, extra - std::min(extra, from.rest.bytes), extra);
    if (grown > end_.growth_limit()) return false;
    end_.grow(grown);
    from.rest.bytes += grown;
  }
  if (extra > from.rest.bytes) return false;
  cut(pool, 0, extra);
  return true;
}

void AggregatedSpace::finish() {
  // The later block first: the earlier one may be at the end afterwards.
  const bool raw_later = block(SpacePool::raw).rest.at > block(SpacePool::metadata).rest.at;
  const SpacePool later = raw_later ? SpacePool::raw : SpacePool::metadata;
  give_up(later);
  give_up(other(later));
  shrink();
}

void AggregatedSpace::adopt(std::size_t slot, SpaceRange range) {
  if (options_.reuses) {
    list(pool_of_slot(slot)).add(range);
  } else {
    lost_bytes_ += range.bytes;
  }
}

FreeSpaceSnapshot AggregatedSpace::snapshot(std::uint64_t least_bytes) const {
  FreeSpaceSnapshot all;
  all[static_cast<std::size_t>(SpaceKind::superblock)] = lists_[0].ranges(least_bytes);
  all[static_cast<std::size_t>(SpaceKind::raw)] = lists_[1].ranges(least_bytes);
  return all;
}

bool AggregatedSpace::touches_free(SpaceRange range) const {
  for (const FreeList& free : lists_) {
    if (free.overlaps(range)) return true;
  }
  return std::any_of(blocks_.begin(), blocks_.end(), [&](const Block& b) { return b.rest.overlaps(range); });
}

std::uint64_t AggregatedSpace::free_bytes() const {
  std::uint64_t sum = 0;
  for (const FreeList& free : lists_) sum += free.bytes();
  for (const Block& held : blocks_) sum += held.rest.bytes;
  return sum;
}

}  // namespace filigree::store
