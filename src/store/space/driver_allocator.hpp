// SPDX-License-Identifier: Apache-2.0
//
// Drivers that say themselves where new space goes.
#pragma once

#include <cstdint>

#include "store/space/space.hpp"

namespace filigree::store {

/// Positions are relative to the base of the file.
class DriverAllocator {
 public:
  virtual ~DriverAllocator() = default;
  /// Where `bytes` of new space begin, wherever that is. Throws Error(no_space).
  virtual std::uint64_t allocate(SpaceKind kind, std::uint64_t bytes) = 0;
  /// What stood last is longer: the space in use ends at `end` now.
  virtual void extend(SpaceKind kind, std::uint64_t end) = 0;
  /// Space at the end that is given up; it ends at `at` then.
  virtual void free(std::uint64_t at, std::uint64_t bytes) = 0;
};

}  // namespace filigree::store
