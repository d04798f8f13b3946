// SPDX-License-Identifier: Apache-2.0
//
// Which bytes of the file are in use.
#pragma once

#include <cstdint>

#include "base/address.hpp"

namespace filigree::store {

/// What space is for; decides which free list and which block it comes from (hdf5-format.md §17).
enum class SpaceKind : std::uint8_t { superblock, btree, raw, global_heap, local_heap, object_header };

/// Hands out and takes back the space of one file. Addresses are relative to the base.
class Space {
 public:
  virtual ~Space() = default;

  /// `bytes` (at least 1) of fresh space. Throws Error(limit) when the file's offsets cannot reach it.
  virtual Address allocate(SpaceKind kind, std::uint64_t bytes) = 0;
  /// Gives back space; it must have been allocated with the same kind.
  virtual void release(SpaceKind kind, Address at, std::uint64_t bytes) = 0;
  /// Lengthens an allocation in place by `extra` bytes; false when what follows it is taken.
  virtual bool try_extend(SpaceKind kind, Address at, std::uint64_t bytes, std::uint64_t extra) = 0;
  /// One past the last allocated byte; of the part with the superblock, where the file has several.
  virtual std::uint64_t end_of_allocation() const = 0;
  /// The same of the part of the file that `at` lies in.
  virtual std::uint64_t allocated_until(Address) const { return end_of_allocation(); }
  /// Allocations of this many bytes and more should stay multiples of it; 1 when the file has no pages.
  virtual std::uint64_t page_bytes() const { return 1; }
};

}  // namespace filigree::store
