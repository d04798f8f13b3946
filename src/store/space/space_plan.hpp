// SPDX-License-Identifier: Apache-2.0
//
// What the strategies of file space have in common: the end of the file, and the interface through which
// FileSpace uses them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "store/space/driver_allocator.hpp"
#include "store/space/free_list.hpp"
#include "store/space/space.hpp"

namespace filigree::store {

/// Space of the two pools never mixes: metadata, and raw data with global heaps.
enum class SpacePool : std::uint8_t { metadata, raw };
inline constexpr std::size_t space_pools = 2;

constexpr SpacePool pool_of(SpaceKind kind) {
  return kind == SpaceKind::raw || kind == SpaceKind::global_heap ? SpacePool::raw : SpacePool::metadata;
}

/// Slots of the file space info message: the six kinds of space, then the same for large sections.
inline constexpr std::size_t free_space_slots = 12;
inline constexpr std::size_t first_large_slot = 6;

/// The free ranges that outlive a session, by slot.
using FreeSpaceSnapshot = std::array<std::vector<SpaceRange>, free_space_slots>;

/// The end of allocation, and how far offsets of the file's width let it go.
class FileEnd {
 public:
  FileEnd(std::uint64_t end, std::uint64_t base, std::uint8_t offset_bytes);
  /// In a part of a file that may grow up to `limit`.
  FileEnd(std::uint64_t end, std::uint64_t limit) : end_(end), limit_(limit), offset_bytes_(8) {}
  std::uint64_t at() const { return end_; }
  /// Bytes by which the file may grow.
  std::uint64_t room() const { return end_ < limit_ ? limit_ - end_ : 0; }
  /// Lengthens what stands at the end by `bytes`, and returns where they start. Throws Error(limit), changing
  /// nothing.
  std::uint64_t grow(std::uint64_t bytes);
  /// New space, and where it starts: at the end, unless a driver puts it elsewhere. Throws Error(limit).
  std::uint64_t append(std::uint64_t bytes);
  /// The same at a multiple, for which bytes may be skipped. Throws Error(unsupported) when a driver does not
  /// let that be.
  std::uint64_t append(std::uint64_t bytes, const Alignment& alignment);
  /// Gives up what follows; `end` is not beyond the end.
  void set(std::uint64_t end);

  /// From now on a driver is asked, about space of the kind that is told before.
  void use_allocator(DriverAllocator* allocator) { allocator_ = allocator; }
  bool has_allocator() const { return allocator_ != nullptr; }
  void tell(SpaceKind kind) { kind_ = kind; }

 private:
  DriverAllocator* allocator_ = nullptr;
  SpaceKind kind_ = SpaceKind::superblock;
  std::uint64_t end_;
  std::uint64_t limit_;
  std::uint8_t offset_bytes_;
};

/// One strategy's way to hand out space. Callers have checked that what comes back is in the file and
/// not free already.
class SpacePlan {
 public:
  virtual ~SpacePlan() = default;
  virtual std::uint64_t allocate(SpacePool pool, std::uint64_t bytes) = 0;
  virtual void release(SpacePool pool, SpaceRange range) = 0;
  virtual bool try_extend(SpacePool pool, SpaceRange range, std::uint64_t extra) = 0;
  /// Gives up space held in advance and cuts free space off the end.
  virtual void finish() = 0;
  /// Takes over a range that an earlier session left in `slot`.
  virtual void adopt(std::size_t slot, SpaceRange range) = 0;
  virtual FreeSpaceSnapshot snapshot(std::uint64_t least_bytes) const = 0;
  virtual bool touches_free(SpaceRange range) const = 0;
  virtual std::uint64_t free_bytes() const = 0;
  virtual std::uint64_t lost_bytes() const = 0;
};

}  // namespace filigree::store
