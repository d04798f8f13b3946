// SPDX-License-Identifier: Apache-2.0
//
// What the strategies of file space share: the end of the file, and the interface that FileSpace calls.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "store/space/driver_allocator.hpp"
#include "store/space/free_list.hpp"
#include "store/space/space.hpp"

namespace filigree::store {

/// The pools of free space. Metadata never reuses space of raw data and global heaps, or the other way round.
enum class SpacePool : std::uint8_t { metadata, raw };
inline constexpr std::size_t space_pools = 2;

constexpr SpacePool pool_of(SpaceKind kind) {
  return kind == SpaceKind::raw || kind == SpaceKind::global_heap ? SpacePool::raw : SpacePool::metadata;
}

/// The slots of the file space info message: the six kinds of space, and then the same six for large
/// sections.
inline constexpr std::size_t free_space_slots = 12;
inline constexpr std::size_t first_large_slot = 6;

/// The free ranges that persist after a session, by slot.
using FreeSpaceSnapshot = std::array<std::vector<SpaceRange>, free_space_slots>;

/// The end of the allocated space, and the limit that the width of the file's offsets sets.
class FileEnd {
 public:
  FileEnd(std::uint64_t end, std::uint64_t base, std::uint8_t offset_bytes);
  /// The end of one part of a file, which may grow up to `limit`.
  FileEnd(std::uint64_t end, std::uint64_t limit) : end_(end), limit_(limit), offset_bytes_(8) {}
  std::uint64_t at() const { return end_; }
  /// The number of bytes by which the file may grow.
  std::uint64_t growth_limit() const { return end_ < limit_ ? limit_ - end_ : 0; }
  /// Extends the last allocation by `bytes`, and returns where they start. *Throws* Error(limit), changing
  /// nothing.
  std::uint64_t grow(std::uint64_t bytes);
  /// Allocates new space at the end, or where the driver allocates it; returns its start. *Throws*
  /// Error(limit).
  std::uint64_t append(std::uint64_t bytes);
  /// The same with an alignment, for which bytes may be skipped. *Throws* Error(unsupported) when a driver
  /// allocates unaligned space.
  std::uint64_t append(std::uint64_t bytes, const Alignment& alignment);
  /// Frees everything from `end` on. *Requires* that `end` is not beyond the end.
  void set(std::uint64_t end);

  /// Allocates by a driver from now on. set_kind() says what the next allocation is for.
  void use_allocator(DriverAllocator* allocator) { allocator_ = allocator; }
  bool has_allocator() const { return allocator_ != nullptr; }
  void set_kind(SpaceKind kind) { kind_ = kind; }

 private:
  DriverAllocator* allocator_ = nullptr;
  SpaceKind kind_ = SpaceKind::superblock;
  std::uint64_t end_;
  std::uint64_t limit_;
  std::uint8_t offset_bytes_;
};

/// One strategy of allocation. *Requires* of a range that is released that it is in the file and not free
/// already.
class SpacePlan {
 public:
  virtual ~SpacePlan() = default;
  virtual std::uint64_t allocate(SpacePool pool, std::uint64_t bytes) = 0;
  /// The same for space that moves away from the end of the file: the lowest address, if it is known.
  virtual std::uint64_t allocate_low(SpacePool pool, std::uint64_t bytes) { return allocate(pool, bytes); }
  virtual void release(SpacePool pool, SpaceRange range) = 0;
  virtual bool try_extend(SpacePool pool, SpaceRange range, std::uint64_t extra) = 0;
  /// Frees space that is held in advance, and drops free space at the end of the file.
  virtual void finish() = 0;
  /// Adds a free range that an earlier session recorded in `slot`.
  virtual void adopt(std::size_t slot, SpaceRange range) = 0;
  virtual FreeSpaceSnapshot snapshot(std::uint64_t least_bytes) const = 0;
  virtual bool touches_free(SpaceRange range) const = 0;
  virtual std::uint64_t free_bytes() const = 0;
  virtual std::uint64_t lost_bytes() const = 0;
};

}  // namespace filigree::store
