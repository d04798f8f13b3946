// SPDX-License-Identifier: Apache-2.0
//
// Many small extents far apart in a file of the system. A system call for each costs much more than its
// bytes. Through a mapping of the file, two system calls transfer a thousand of them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "io/extent.hpp"

namespace filigree::io {

/// Extents that one mapping can serve.
struct ScatteredLimits {
  std::size_t extent_bytes = 1024;        ///< longer extents gain nothing
  std::size_t fewest = 64;                ///< extents that justify a mapping
  std::size_t most = 1024;                ///< extents of two system calls
  std::size_t bytes = 64u << 10;          ///< of all extents: the capacity of a pipe
  std::uint64_t window_bytes = 1u << 30;  ///< from the first to the last
  /// The largest average distance of mapped writes: a changed page may cause large parts of the file around
  /// it to be written to the device.
  std::uint64_t write_distance_bytes = 64u << 10;
};

/// How many of the first extents one mapping can serve; 0 if a mapping does not pay.
std::size_t scattered_prefix(std::span<const ReadExtent> extents, const ScatteredLimits& limits = {});
std::size_t scattered_prefix(std::span<const WriteExtent> extents, const ScatteredLimits& limits = {});

/// Transfers extents that scattered_prefix() accepted through a mapping of the open file. The kernel copies,
/// so a page that cannot be read causes a false result and no signal. After false, some extents may have been
/// transferred: the caller repeats all of them by system calls, which report what is wrong.
bool move_mapped(int descriptor, std::span<const ReadExtent> extents);
bool move_mapped(int descriptor, std::span<const WriteExtent> extents);

/// Which of the two ways is cheaper depends on the file system and the size of its pages, by factors of 3 to
/// 20 in both directions, so it is measured as requests pass. Thread-safe.
class ScatterCosts {
 public:
  enum class Way { calls, mapping };
  struct Step {
    Way way;
    std::size_t most;  ///< extents that it should move; few, when it only tries out a way
  };
  Step next(bool writing);
  void record(bool writing, Way way, std::size_t extents, std::uint64_t nanoseconds);

  /// One for each device, for as long as the process runs.
  static ScatterCosts& of_device(std::uint64_t device);

 private:
  struct Direction {
    std::atomic<std::uint64_t> cost[2] = {0, 0};  ///< of an extent, in picoseconds; 0 when not known
    std::atomic<std::uint32_t> steps{0};
  };
  Direction directions_[2];
};

}  // namespace filigree::io
