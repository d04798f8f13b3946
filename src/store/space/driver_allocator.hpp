// SPDX-License-Identifier: Apache-2.0
//
// Drivers that allocate file space themselves.
#pragma once

#include <cstdint>

#include "store/space/space.hpp"

namespace filigree::store {

/// The allocator of a driver. FileEnd calls it instead of extending the file. Offsets are relative to the
/// base address.
class DriverAllocator {
 public:
  virtual ~DriverAllocator() = default;
  /// The offset of `bytes` of new space, at any offset. *Throws* Error(no_space).
  virtual std::uint64_t allocate(SpaceKind kind, std::uint64_t bytes) = 0;
  /// The last allocation was extended in place: the space in use now ends at `end`.
  virtual void extend(SpaceKind kind, std::uint64_t end) = 0;
  /// Frees the last `bytes` of the space in use, which ends at `at` afterwards.
  virtual void free(std::uint64_t at, std::uint64_t bytes) = 0;
};

}  // namespace filigree::store
