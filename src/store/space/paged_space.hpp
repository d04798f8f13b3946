// SPDX-License-Identifier: Apache-2.0
//
// File space in pages (H5F_FSPACE_STRATEGY_PAGE). Allocations below the page size never cross a page
// boundary, and a page belongs to one pool. Larger allocations start at a page boundary; the unused end of
// their last page stays with them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "store/space/space_plan.hpp"

namespace filigree::store {

/// The paged strategy. The size of a range alone tells whether it is small or large. *Requires* therefore
/// that a large allocation is freed as a whole.
class PagedSpace : public SpacePlan {
 public:
  PagedSpace(std::uint64_t page_bytes, FileEnd& end);

  std::uint64_t allocate(SpacePool pool, std::uint64_t bytes) override;
  void release(SpacePool pool, SpaceRange range) override;
  bool try_extend(SpacePool pool, SpaceRange range, std::uint64_t extra) override;
  void finish() override { shrink(); }
  void adopt(std::size_t slot, SpaceRange range) override;
  FreeSpaceSnapshot snapshot(std::uint64_t least_bytes) const override;
  bool touches_free(SpaceRange range) const override;
  std::uint64_t free_bytes() const override;
  std::uint64_t lost_bytes() const override { return lost_bytes_; }

 private:
  FreeList& small(SpacePool pool) { return small_[static_cast<std::size_t>(pool)]; }
  SpaceRange page_of(std::uint64_t at) const { return {at - at % page_bytes_, page_bytes_}; }
  /// Allocates less than a page, without crossing a page boundary.
  std::uint64_t allocate_small(SpacePool pool, std::uint64_t bytes);
  /// Allocates a page or more, from a page boundary on.
  std::uint64_t allocate_large(std::uint64_t bytes);
  bool extend_large(SpaceRange range, std::uint64_t extra);
  void fill_last_page();
  /// `bytes` rounded up to whole pages; nothing on overflow.
  std::optional<std::uint64_t> in_pages(std::uint64_t bytes) const;
  void release_small(SpacePool pool, SpaceRange range);
  void shrink();

  std::uint64_t page_bytes_;
  FileEnd& end_;
  std::array<FreeList, space_pools> small_;
  FreeList large_;  ///< whole pages, and the unused ends of large allocations
  std::uint64_t lost_bytes_ = 0;
};

}  // namespace filigree::store
