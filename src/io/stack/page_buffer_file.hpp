// SPDX-License-Identifier: Apache-2.0
//
// The page buffer: whole pages of a paged file in memory, in front of its driver.
#pragma once

#include <array>
#include <cstdint>
#include <list>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/mutex.hpp"
#include "io/stack/pass_through_file.hpp"

namespace filigree::io {

struct PageBufferOptions {
  std::uint64_t page_bytes = 4096;
  std::uint64_t base = 0;                          ///< file offset of the first page
  std::uint64_t bytes = 0;                         ///< of all pages in the buffer
  unsigned metadata_percent = 0, raw_percent = 0;  ///< of the pages: reserved, the other kind cannot use them
};

struct PageBufferCounters {
  struct Kind {
    std::uint64_t hits = 0, misses = 0;  ///< pages
    std::uint64_t evictions = 0;
    std::uint64_t bypasses = 0;  ///< requests that touch more pages than fit
  };
  Kind metadata, raw;
};

/// A request that touches no more pages than its kind may use is served from pages, which are read and
/// written whole. A larger request bypasses the buffer, after overlapping dirty pages are written. Dirty
/// pages are written at eviction, at ctl_op::write_back and at sync(). Bytes of the superblock, and ranges
/// before `base`, are written through.
///
/// *Thread safety*: reads run concurrently; writes, and reads that evict a dirty page, are serialised.
class PageBufferFile : public PassThroughFile {
 public:
  PageBufferFile(std::unique_ptr<VirtualFile> file, const PageBufferOptions& options);

  PageBufferCounters counters() const;
  std::uint64_t size() const override;
  std::uint64_t end_of_file(MemoryType) const override { return size(); }
  std::uint64_t allocation_end(MemoryType) const override;
  void set_allocation_end(MemoryType, std::uint64_t end) override;
  const DriverCapabilities& capabilities() const override { return capabilities_; }

 private:
  enum class Kind : std::uint8_t { metadata, raw };
  struct Page {
    Buffer bytes;
    bool dirty = false;
    Kind kind = Kind::metadata;
    std::list<std::uint64_t>::iterator order;  ///< its node in order_
  };
  using Pages = std::unordered_map<std::uint64_t, Page>;
  using Fetched = std::unordered_map<std::uint64_t, Buffer>;

  bool reaches(std::uint64_t bytes) const override { return bytes <= size(); }
  void do_read(std::span<const ReadExtent> extents) const override;
  void do_write(std::span<const WriteExtent> extents) override;
  /// Declined: independent requests pass through the pages.
  bool do_read_collective(std::span<const ReadExtent>) const override { return false; }
  bool do_write_collective(std::span<const WriteExtent>) override { return false; }
  void do_truncate(std::uint64_t bytes) override;
  void do_truncate_to_allocation() override { do_truncate(allocation_end(MemoryType::unspecified)); }
  void do_sync() override;
  bool do_ctl(const CtlCall& call) override;

  std::size_t most_pages(Kind kind) const;
  PageBufferCounters::Kind& counters_of(Kind kind) const;
  /// The numbers of the pages that the extents touch, ascending.
  template <class Extent>
  std::vector<std::uint64_t> touched(std::span<const Extent> extents) const;
  std::uint64_t position(std::uint64_t number) const { return options_.base + number * options_.page_bytes; }
  /// Reads pages of the wrapped file; bytes beyond its end are zero.
  Fetched fetch(const std::vector<std::uint64_t>& numbers, MemoryType type) const;
  /// Calls `use(extent, page number, page offset, extent offset, bytes)`.
  template <class Use>
  void for_each_piece(std::span<const WriteExtent> extents, Use use) const;
  bool bypasses_pages(bool inside, std::size_t pages, Kind kind) const;

  // *Requires*: mutex_ is held.
  Page* find(std::uint64_t number) const FILIGREE_REQUIRES(mutex_);
  std::vector<std::uint64_t> not_held(const std::vector<std::uint64_t>& numbers) const
      FILIGREE_REQUIRES(mutex_);
  template <class Use>
  void for_each_held(std::uint64_t offset, std::uint64_t bytes, Use use) const FILIGREE_REQUIRES(mutex_);
  Page& insert(std::uint64_t number, Buffer bytes, Kind kind) const FILIGREE_REQUIRES(mutex_);
  void evict_for(Kind kind) const FILIGREE_REQUIRES(mutex_);
  void drop(std::uint64_t number) const FILIGREE_REQUIRES(mutex_);
  void copy_out(const ReadExtent& extent, const Fetched& fetched) const FILIGREE_REQUIRES(mutex_);
  void write_pages(std::vector<std::uint64_t> numbers) const FILIGREE_REQUIRES(mutex_);
  void write_through(std::span<const WriteExtent> extents) FILIGREE_REQUIRES(mutex_);
  void write_to_pages(std::span<const WriteExtent> extents, const std::vector<std::uint64_t>& numbers,
                      Kind kind, MemoryType type) FILIGREE_REQUIRES(mutex_);

  void write_all();

  const PageBufferOptions options_;
  DriverCapabilities capabilities_;
  std::size_t most_pages_, least_metadata_, least_raw_;
  mutable Mutex mutex_;
  mutable Pages pages_ FILIGREE_GUARDED_BY(mutex_);
  mutable std::list<std::uint64_t> order_ FILIGREE_GUARDED_BY(mutex_);  ///< most recently used first
  mutable std::array<std::size_t, 2> held_{};                           ///< pages of each kind
  /// The number of changes, so that a page that was read meanwhile is not kept if it may be outdated.
  mutable std::uint64_t changes_ FILIGREE_GUARDED_BY(mutex_) = 0;
  mutable PageBufferCounters counters_ FILIGREE_GUARDED_BY(mutex_);
  std::optional<std::uint64_t> allocation_end_ FILIGREE_GUARDED_BY(mutex_);
  /// The end of the file, including pages that are not written yet.
  std::uint64_t end_ FILIGREE_GUARDED_BY(mutex_) = 0;
};

}  // namespace filigree::io
