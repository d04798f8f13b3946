// SPDX-License-Identifier: Apache-2.0
//
// Pages of a file kept for the small reads that metadata needs.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "base/address_map.hpp"
#include "base/bytes.hpp"
#include "io/extent.hpp"

namespace filigree::io {
class VirtualFile;
}

namespace filigree::store {

/// Turns many small reads into few of a page each. Structures that belong together mostly stand
/// together, so listing a group costs reads in proportion to bytes, not to links. A driver that is far away,
/// by the gaps it would rather read than skip, is asked for several pages at a time. Thread-safe.
class ReadAhead {
 public:
  static constexpr std::size_t page_bytes = 16u << 10;

  /// Of the bytes that live with those of `type`, which begin at file position `first`.
  ReadAhead(const io::VirtualFile& file, io::MemoryType type, std::uint64_t first, std::size_t budget_bytes);

  /// Fills `into` from file position `offset`; the caller has checked the bounds.
  void read(std::uint64_t offset, MutableBytes into);
  /// The bytes of the file have changed there.
  void invalidate(std::uint64_t offset, std::uint64_t bytes);
  /// Reads the pages that hold those file positions with one request, when the driver has its parts run at
  /// once; others gain nothing. Positions that cannot be read are left to whoever needs them.
  void prefetch(std::span<const std::uint64_t> offsets);

 private:
  /// Not a Buffer: its bytes would be set to zero only to be overwritten.
  struct Page {
    std::shared_ptr<const std::byte[]> bytes;
    std::size_t size = 0;
  };
  struct Slot {
    Page page;
    std::uint64_t number = 0;
    bool used = false;  ///< since the hand last passed by
  };

  /// Pages that stand side by side.
  struct Run {
    std::uint64_t first = 0;
    std::uint64_t pages = 0;
    std::shared_ptr<std::byte[]> bytes = nullptr;
    std::size_t size = 0;
  };

  Page page(std::uint64_t number);
  bool held(std::uint64_t number);
  /// Makes room for the run up to the end of the file.
  Run make_room(std::uint64_t first, std::uint64_t pages) const;
  void keep(const Run& run);
  std::optional<Page> find(std::uint64_t number);
  void keep(std::uint64_t number, const Page& page);
  void drop(std::size_t slot);  // with mutex_ held

  const io::VirtualFile& file_;
  const io::MemoryType type_;
  const std::uint64_t first_;
  const std::size_t most_pages_;
  const std::uint64_t pages_at_once_;
  std::mutex mutex_;
  // A clock, as in the metadata cache: a look-up costs no more than setting a flag.
  std::vector<Slot> slots_;
  AddressMap<std::size_t> by_number_;  ///< page numbers, which stand in for addresses, to slots
  std::size_t hand_ = 0;
};

}  // namespace filigree::store
