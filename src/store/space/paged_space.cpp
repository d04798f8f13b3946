// SPDX-License-Identifier: Apache-2.0
#include "store/space/paged_space.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"

namespace filigree::store {
namespace {

constexpr std::uint64_t least_page_bytes = 512;
constexpr std::uint64_t most_page_bytes = 1u << 30;

}  // namespace

PagedSpace::PagedSpace(std::uint64_t page_bytes, FileEnd& end) : page_bytes_(page_bytes), end_(end) {
  if (page_bytes < least_page_bytes || page_bytes > most_page_bytes) {
    throw Error(ErrorKind::limit, fmt::format("file space in pages of {} bytes: allowed are {} to {}",
                                              page_bytes, least_page_bytes, most_page_bytes));
  }
}

std::uint64_t PagedSpace::allocate(SpacePool pool, std::uint64_t bytes) {
  fill_last_page();
  return bytes < page_bytes_ ? allocate_small(pool, bytes) : allocate_large(bytes);
}

std::uint64_t PagedSpace::allocate_small(SpacePool pool, std::uint64_t bytes) {
  if (const auto at = small(pool).allocate(bytes)) return *at;
  const auto reused = large_.allocate(page_bytes_, {page_bytes_, 0});
  const std::uint64_t page = reused ? *reused : end_.append(page_bytes_, {page_bytes_, 0});
  small(pool).add({page + bytes, page_bytes_ - bytes}, page_of(page));
  return page;
}

std::uint64_t PagedSpace::allocate_large(std::uint64_t bytes) {
  if (const auto at = large_.allocate(bytes, {page_bytes_, 0})) return *at;
  const auto whole = in_pages(bytes);
  const std::uint64_t at = end_.append(whole.value_or(bytes), {page_bytes_, 0});
  if (whole && *whole > bytes) large_.add({at + bytes, *whole - bytes});
  return at;
}

std::optional<std::uint64_t> PagedSpace::in_pages(std::uint64_t bytes) const {
  return try_add(bytes, Alignment{page_bytes_, 0}.gap(bytes));
}

/// Extends a file that ends within a page to the end of that page.
void PagedSpace::fill_last_page() {
  const std::uint64_t gap = Alignment{page_bytes_, 0}.gap(end_.at());
  if (gap == 0) return;
  const std::uint64_t start = end_.grow(gap);
  // The first page holds the superblock; the pool of other pages is unknown.
  if (start < page_bytes_) {
    release_small(SpacePool::metadata, {start, gap});
  } else {
    lost_bytes_ += gap;
  }
}

void PagedSpace::release(SpacePool pool, SpaceRange range) {
  if (range.bytes < page_bytes_) return release_small(pool, range);
  large_.add(range);
  shrink();
}

void PagedSpace::release_small(SpacePool pool, SpaceRange range) {
  // In a file that did not follow the rules of pages, space may cross a boundary.
  while (range.bytes > 0) {
    const SpaceRange page = page_of(range.at);
    const SpaceRange piece{range.at, std::min(range.bytes, page.end() - range.at)};
    const SpaceRange joined = small(pool).add(piece, page);
    if (joined == page) {
      small(pool).remove(page.at);
      large_.add(page);
    }
    range = {piece.end(), range.bytes - piece.bytes};
  }
  shrink();
}

/// Removes free pages at the end of the file.
void PagedSpace::shrink() {
  const auto last = large_.find_ending_at(end_.at());
  if (!last) return;
  const std::uint64_t part = Alignment{page_bytes_, 0}.gap(last->at);
  if (part >= last->bytes) return;
  large_.remove(last->at);
  end_.set(last->at + part);
  if (part > 0) large_.add({last->at, part});
}

bool PagedSpace::try_extend(SpacePool pool, SpaceRange range, std::uint64_t extra) {
  if (range.bytes >= page_bytes_) return extend_large(range, extra);
  const SpaceRange page = page_of(range.at);
  if (range.end() > page.end() || extra > page.end() - range.end()) return false;
  return small(pool).allocate_front(range.end(), extra);
}

bool PagedSpace::extend_large(SpaceRange range, std::uint64_t extra) {
  if (large_.allocate_front(range.end(), extra)) return true;
  const SpaceRange tail = large_.find_at(range.end()).value_or(SpaceRange{range.end(), 0});
  if (tail.end() != end_.at() || end_.at() % page_bytes_ != 0) return false;
  const std::uint64_t missing = extra - tail.bytes;
  const auto whole = in_pages(missing);
  if (!whole || *whole > end_.growth_limit()) return false;
  if (tail.bytes > 0) large_.remove(tail.at);
  const std::uint64_t start = end_.grow(*whole);
  if (*whole > missing) large_.add({start + missing, *whole - missing});
  return true;
}

void PagedSpace::adopt(std::size_t slot, SpaceRange range) {
  if (slot >= first_large_slot) {
    large_.add(range);
  } else {
    release_small(pool_of(static_cast<SpaceKind>(slot)), range);
  }
}

FreeSpaceSnapshot PagedSpace::snapshot(std::uint64_t least_bytes) const {
  FreeSpaceSnapshot all;
  all[static_cast<std::size_t>(SpaceKind::superblock)] = small_[0].ranges(least_bytes);
  all[static_cast<std::size_t>(SpaceKind::raw)] = small_[1].ranges(least_bytes);
  all[first_large_slot] = large_.ranges(least_bytes);
  return all;
}

bool PagedSpace::touches_free(SpaceRange range) const {
  return large_.overlaps(range) || small_[0].overlaps(range) || small_[1].overlaps(range);
}

std::uint64_t PagedSpace::free_bytes() const {
  return large_.bytes() + small_[0].bytes() + small_[1].bytes();
}

}  // namespace filigree::store
