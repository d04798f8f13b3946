// SPDX-License-Identifier: Apache-2.0
//
// Pages of a file kept for the small reads that metadata needs.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/address_map.hpp"
#include "base/bytes.hpp"
#include "io/extent.hpp"

namespace filigree::io {
class VirtualFile;
}

namespace filigree::store {

/// Turns many small reads into few of a page each. Structures that belong together mostly stand
/// together, so listing a group costs reads in proportion to bytes, not to links. Thread-safe.
class ReadAhead {
 public:
  static constexpr std::size_t page_bytes = 16u << 10;

  /// Of the bytes that live with those of `type`, which begin at file position `first`.
  ReadAhead(const io::VirtualFile& file, io::MemoryType type, std::uint64_t first, std::size_t budget_bytes);

  /// Fills `into` from file position `offset`; the caller has checked the bounds.
  void read(std::uint64_t offset, MutableBytes into);
  /// The bytes of the file have changed there.
  void invalidate(std::uint64_t offset, std::uint64_t bytes);

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

  Page page(std::uint64_t number);
  std::optional<Page> find(std::uint64_t number);
  void keep(std::uint64_t number, const Page& page);
  void drop(std::size_t slot);  // with mutex_ held

  const io::VirtualFile& file_;
  const io::MemoryType type_;
  const std::uint64_t first_;
  const std::size_t most_pages_;
  std::mutex mutex_;
  // A clock, as in the metadata cache: a look-up costs no more than setting a flag.
  std::vector<Slot> slots_;
  AddressMap<std::size_t> by_number_;  ///< page numbers, which stand in for addresses, to slots
  std::size_t hand_ = 0;
};

}  // namespace filigree::store
