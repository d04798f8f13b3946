// SPDX-License-Identifier: Apache-2.0
//
// Read-ahead for metadata: whole pages of a file are cached, because structures are small and adjacent.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/address_map.hpp"
#include "base/bytes.hpp"
#include "base/mutex.hpp"
#include "io/extent.hpp"

namespace filigree::io {
class VirtualFile;
}

namespace filigree::store {

/// Turns many small reads into few reads of a page each. Structures that belong together are mostly adjacent,
/// so listing a group costs reads in proportion to its bytes, not to its links. High-latency drivers,
/// recognised by the gaps that they prefer to read over, are asked for several pages at a time.
///
/// *Thread safety*: all functions may be called from any number of threads.
class ReadAhead {
 public:
  static constexpr std::size_t page_bytes = 16u << 10;

  /// Serves the part of the file that holds bytes of `type`; it begins at file offset `first`.
  ReadAhead(const io::VirtualFile& file, io::MemoryType type, std::uint64_t first, std::size_t budget_bytes);

  /// Fills `into` from file offset `offset`. *Requires* that the file holds these bytes.
  void read(std::uint64_t offset, MutableBytes into);
  /// Drops the pages of a range whose bytes have changed in the file.
  void invalidate(std::uint64_t offset, std::uint64_t bytes);
  /// Reads the pages at these file offsets with one request, if the driver runs the extents of a request
  /// concurrently. An error is ignored: the read that needs the page reports it.
  void prefetch(std::span<const std::uint64_t> offsets);

 private:
  /// Not a Buffer, whose bytes would be set to zero only to be overwritten.
  struct Page {
    std::shared_ptr<const std::byte[]> bytes;
    std::size_t size = 0;
  };
  struct Slot {
    Page page;
    std::uint64_t number = 0;
    bool used = false;  ///< since the clock hand last passed
  };

  /// Adjacent pages that are read together.
  struct Run {
    std::uint64_t first = 0;
    std::uint64_t pages = 0;
    std::shared_ptr<std::byte[]> bytes = nullptr;
    std::size_t size = 0;
  };

  Page page(std::uint64_t number);
  bool held(std::uint64_t number);
  /// A run with a buffer for its bytes; it ends at the end of the file.
  Run allocate_run(std::uint64_t first, std::uint64_t pages) const;
  void keep(const Run& run);
  std::optional<Page> find(std::uint64_t number);
  void keep(std::uint64_t number, const Page& page);
  void drop(std::size_t slot) FILIGREE_REQUIRES(mutex_);

  const io::VirtualFile& file_;
  const io::MemoryType type_;
  const std::uint64_t first_;
  const std::size_t most_pages_;
  const std::uint64_t run_pages_;  ///< that a read of a missing page fetches
  Mutex mutex_;
  // The clock algorithm, as in the metadata cache: a look-up only sets a flag.
  std::vector<Slot> slots_ FILIGREE_GUARDED_BY(mutex_);
  AddressMap<std::size_t> by_number_
      FILIGREE_GUARDED_BY(mutex_);  ///< page number, used as an address, to slot
  std::size_t hand_ FILIGREE_GUARDED_BY(mutex_) = 0;
};

}  // namespace filigree::store
