// SPDX-License-Identifier: Apache-2.0
//
// A FileStore in memory, for tests of structures that live in one.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <utility>

#include "base/bytes.hpp"
#include "store/file_store.hpp"

namespace filigree::testing {

/// Plain space: first fit, kinds checked, double frees and leaks visible to tests. A part of an
/// allocation may be released or extended by itself. What stands before the initial end is unknown: it may
/// be released, but is not used again.
class TestSpace : public store::Space {
 public:
  explicit TestSpace(std::uint64_t end = 512) : original_end_(end), end_(end) {}
  Address allocate(store::SpaceKind kind, std::uint64_t bytes) override;
  void release(store::SpaceKind kind, Address at, std::uint64_t bytes) override;
  bool try_extend(store::SpaceKind kind, Address at, std::uint64_t bytes, std::uint64_t extra) override;
  std::uint64_t end_of_allocation() const override { return end_; }
  /// Counts bytes below the end as allocated; for images that already hold structures.
  void adopt(store::SpaceKind kind, Address at, std::uint64_t bytes);
  /// Bytes handed out and not given back.
  std::uint64_t in_use() const { return in_use_; }
  /// What is released is not handed out again.
  bool keeps_released = false;

 private:
  struct Block {
    std::uint64_t at, bytes;
    store::SpaceKind kind;
    bool operator<(const Block& o) const { return at < o.at; }
  };
  using Blocks = std::set<Block>;
  /// The allocation that holds all of these bytes, or the end.
  Blocks::iterator holder(store::SpaceKind kind, Address at, std::uint64_t bytes);

  Blocks used_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> free_;  // at, bytes
  const std::uint64_t original_end_;
  std::uint64_t end_;
  std::uint64_t in_use_ = 0;
};

/// A store over bytes in memory. `reopened()` flushes it and gives a second store over the same bytes
/// with an empty cache, so that what was written is what is read.
struct MemoryStore {
  explicit MemoryStore(format::Widths widths = {}, Buffer image = Buffer(512),
                       std::size_t cache_bytes = 64u << 20);
  std::unique_ptr<store::FileStore> store;
  TestSpace* space = nullptr;  ///< owned by the store

  store::FileStore& operator*() { return *store; }
  store::FileStore* operator->() { return store.get(); }
  /// The file's bytes after a flush.
  Buffer image();
  std::unique_ptr<store::FileStore> reopened();
};

}  // namespace filigree::testing
