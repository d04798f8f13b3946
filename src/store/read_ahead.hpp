// SPDX-License-Identifier: Apache-2.0
//
// Pages of a file kept for the small reads that metadata needs.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "base/bytes.hpp"

namespace filigree::io {
class VirtualFile;
}

namespace filigree::store {

/// Turns many small reads into few of a page each. Structures that belong together mostly stand
/// together, so listing a group costs reads in proportion to bytes, not to links. Thread-safe.
class ReadAhead {
 public:
  static constexpr std::size_t page_bytes = 16u << 10;

  ReadAhead(const io::VirtualFile& file, std::size_t budget_bytes);

  /// Fills `into` from file position `offset`; the caller has checked the bounds.
  void read(std::uint64_t offset, MutableBytes into);
  /// The bytes of the file have changed there.
  void invalidate(std::uint64_t offset, std::uint64_t bytes);

 private:
  using Page = std::shared_ptr<const Buffer>;
  Page page(std::uint64_t number);

  const io::VirtualFile& file_;
  const std::size_t most_pages_;
  std::mutex mutex_;
  struct Slot {
    Page page;
    std::list<std::uint64_t>::iterator recency;
  };
  std::unordered_map<std::uint64_t, Slot> pages_;
  std::list<std::uint64_t> by_recency_;  ///< oldest first
};

}  // namespace filigree::store
