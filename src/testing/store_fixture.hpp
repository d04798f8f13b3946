// SPDX-License-Identifier: Apache-2.0
//
// A FileStore in memory, for tests of on-disk structures.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <utility>

#include "base/bytes.hpp"
#include "store/file_store.hpp"

namespace filigree::testing {

/// A first-fit allocator that checks kinds, double frees and leaks. A part of an allocation may be freed or
/// extended by itself. Space below the initial end may be freed, but is not allocated again.
class TestSpace : public store::Space {
 public:
  explicit TestSpace(std::uint64_t end = 512) : original_end_(end), end_(end) {}
  /// Allocates the first gap that is large enough, or else space at the end.
  Address allocate(store::SpaceKind kind, std::uint64_t bytes) override;
  /// Throws: Error(internal) for bytes that are not allocated with this kind and size.
  void release(store::SpaceKind kind, Address at, std::uint64_t bytes) override;
  bool try_extend(store::SpaceKind kind, Address at, std::uint64_t bytes, std::uint64_t extra) override;
  std::uint64_t end_of_allocation() const override { return end_; }
  /// Marks bytes below the end as allocated, for file images that already hold structures.
  void adopt(store::SpaceKind kind, Address at, std::uint64_t bytes);
  /// The number of allocated bytes.
  std::uint64_t in_use() const { return in_use_; }
  /// Stops the reuse of freed space.
  bool keeps_released = false;

 private:
  struct Block {
    std::uint64_t at, bytes;
    store::SpaceKind kind;
    bool operator<(const Block& o) const { return at < o.at; }
  };
  using Blocks = std::set<Block>;
  /// The allocation that contains all of these bytes, or the end iterator.
  Blocks::iterator holder(store::SpaceKind kind, Address at, std::uint64_t bytes);

  Blocks used_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> free_;  // at, bytes
  const std::uint64_t original_end_;
  std::uint64_t end_;
  std::uint64_t in_use_ = 0;
};

/// A FileStore over bytes in memory. `reopened()` flushes it and returns a second store over the same bytes
/// with an empty cache, so that everything is read from what was written.
struct MemoryStore {
  explicit MemoryStore(format::Widths widths = {}, Buffer image = Buffer(512),
                       std::size_t cache_bytes = 64u << 20);
  std::unique_ptr<store::FileStore> store;
  TestSpace* space = nullptr;  ///< owned by the store

  store::FileStore& operator*() { return *store; }
  store::FileStore* operator->() { return store.get(); }
  /// Flushes the store, and returns the bytes of the file.
  Buffer image();
  std::unique_ptr<store::FileStore> reopened();
};

}  // namespace filigree::testing
