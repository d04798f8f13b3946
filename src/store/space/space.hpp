// SPDX-License-Identifier: Apache-2.0
//
// The allocator of file space as the structures of a file see it.
#pragma once

#include <cstdint>

#include "base/address.hpp"

namespace filigree::store {

/// What space is used for. It decides from which free list and which aggregator block the space comes (HDF5
/// File Format Specification, section "Free-space Manager").
enum class SpaceKind : std::uint8_t { superblock, btree, raw, global_heap, local_heap, object_header };

/// Allocates and frees the space of one file. Addresses are relative to the base address.
///
/// *Thread safety*: none. The caller holds the exclusive lock of the file.
class Space {
 public:
  virtual ~Space() = default;

  /// Allocates `bytes`, at least 1. *Throws* Error(limit) when the offsets of the file are too narrow for the
  /// address.
  virtual Address allocate(SpaceKind kind, std::uint64_t bytes) = 0;
  /// Frees space. *Requires* that it was allocated with the same kind.
  virtual void release(SpaceKind kind, Address at, std::uint64_t bytes) = 0;
  /// Extends an allocation in place by `extra` bytes. Returns false when the bytes after it are in use.
  virtual bool try_extend(SpaceKind kind, Address at, std::uint64_t bytes, std::uint64_t extra) = 0;
  /// Shrinks an allocation to its first `kept` bytes, at least 1, and returns its address. Where freed space
  /// is reused, it may have moved: the caller writes its content again.
  virtual Address shrink(SpaceKind kind, Address at, std::uint64_t bytes, std::uint64_t kept) {
    if (kept < bytes) release(kind, at + kept, bytes - kept);
    return at;
  }
  /// One past the last allocated byte; with several parts, of the one that holds the superblock.
  virtual std::uint64_t end_of_allocation() const = 0;
  /// The same for the part of the file that holds `at`.
  virtual std::uint64_t allocated_until(Address) const { return end_of_allocation(); }
  /// The page size of the file: large allocations should be multiples of it. 1 when the file is not paged.
  virtual std::uint64_t page_bytes() const { return 1; }
};

}  // namespace filigree::store
