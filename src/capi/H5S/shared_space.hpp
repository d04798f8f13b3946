// SPDX-License-Identifier: Apache-2.0
//
// The value of a dataspace id, to which programs add hyperslabs and points one by one.
//
// A program may unite thousands of hyperslabs, one call each. Merging each of them into the selection would
// cost time that grows with the square of their number. So small additions are collected:
//
// 1. collect() and collect_points() collect an addition if the selection is irregular already, lies in a
//    frame that contains the addition, and collects additions of the same kind or none.
// 2. The first call that needs the value merges what was collected, and publishes the new value.
// 3. Everything else, such as another operator, goes through change(), which merges first.
//
// Whether something is collected is an atomic flag, so that get() of a settled value takes one lock.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/mutex.hpp"
#include "capi/H5S/space_value.hpp"
#include "capi/core/guarded.hpp"
#include "space/selection_builder.hpp"

namespace filigree::capi {

/// A dataspace with copy-on-write and cheap additions.
/// *Thread safety*: all functions may be called concurrently.
class SharedSpace {
 public:
  explicit SharedSpace(SpaceValue value) : value_(std::move(value)) {}

  /// Returns the current value. It stays valid and unchanged while the pointer lives.
  std::shared_ptr<const SpaceValue> get() const {
    if (collects_.load(std::memory_order_acquire)) {
      const MutexLock lock(mutex_);
      settle();
    }
    return value_.get();
  }
  /// Returns the rank of the extent, without merging what was collected.
  std::size_t rank() const { return value_.get()->rank(); }
  /// Calls `work` with a copy of the value, which then replaces the value. When `work` throws, nothing
  /// changes. *Requires* that `work` does not change the same dataspace.
  template <class Work>
  decltype(auto) change(Work&& work) {
    const MutexLock lock(mutex_);
    settle();
    return value_.change(std::forward<Work>(work));
  }
  /// Collects a hyperslab of one run for a union, a difference or an exclusive or. Returns false, without an
  /// effect, if change() has to do it.
  bool collect(space::SetOperator op, std::span<const space::SlabDimension> slab);
  /// Appends points to the list. `coordinates` has all coordinates of the first point, then of the next one.
  /// Returns false, without an effect, if change() has to do it.
  bool collect_points(std::span<const std::uint64_t> coordinates);

 private:
  void settle() const FILIGREE_REQUIRES(mutex_);

  mutable Mutex mutex_;
  mutable Guarded<SpaceValue> value_;
  mutable std::atomic<bool> collects_ = false;
  /// The selection with the collected hyperslabs.
  mutable std::optional<space::SelectionBuilder> slabs_ FILIGREE_GUARDED_BY(mutex_);
  /// All points of the selection, the collected ones included.
  mutable std::vector<std::uint64_t> points_ FILIGREE_GUARDED_BY(mutex_);
  mutable space::Frame points_frame_ FILIGREE_GUARDED_BY(mutex_);
};

}  // namespace filigree::capi
