// SPDX-License-Identifier: Apache-2.0
//
// Many small extents as few large requests. It stands above all drivers, so that a strided selection costs no
// driver a request per element.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "io/extent.hpp"

namespace filigree::io {

/// How far merging goes. The defaults suit a local file in the system's cache: there a system call costs
/// about as much as reading 2 to 4 KiB, or for a small write as reading and writing back 4 KiB. A driver that
/// is far away declares larger gaps.
struct CoalescingLimits {
  /// The largest hole between two extents that is read with them and thrown away.
  std::uint64_t read_gap_bytes = 4u << 10;
  /// The largest hole that is read first and written back with its own bytes. Only one write of a file at a
  /// time does that, and no other write runs meanwhile.
  std::uint64_t write_gap_bytes = 4u << 10;
  /// The largest request made of several extents; 0 turns all merging off.
  std::uint64_t merged_bytes = 256u << 10;
  /// Extents at least this long are not copied: they are requests of their own.
  std::uint64_t direct_bytes = 64u << 10;
  /// Extents that follow one another without a hole are not copied either when they are this long on average:
  /// the driver gets them side by side, and may move them with one system call.
  std::uint64_t adjacent_bytes = 16u << 10;
  /// Memory that requests of one batch pass through; a single merged request may take more.
  std::uint64_t staging_bytes = 256u << 10;
  /// Requests that a driver is given at once.
  std::size_t batch_requests = 4096;

  /// Every extent goes to the driver as it is.
  static constexpr CoalescingLimits none() { return {.merged_bytes = 0}; }
};

/// A part of a plan, which is handed to the driver as one vector.
struct CoalescedBatch {
  struct Request {
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
    std::size_t first = 0;     ///< of the plan's extents
    std::size_t extents = 0;   ///< one: it is not copied
    std::uint64_t staged = 0;  ///< where in staging memory, when there are several
    bool has_gaps = false;     ///< bytes that nobody asked for
  };
  std::vector<Request> requests;  ///< by offset
  std::uint64_t staging_bytes = 0;
  bool has_gaps = false;
};

/// Plans one request. `Extent` is ReadExtent or WriteExtent.
template <class Extent>
class Coalescer {
 public:
  /// The extents stay where they are until the plan is done, unless `copy` makes the plan keep its own.
  Coalescer(std::span<const Extent> extents, const CoalescingLimits& limits, std::uint64_t gap_bytes,
            bool copy = false);

  /// Whether two extents share bytes. Writes that do must be done one by one, in their order.
  bool overlapping() const { return overlapping_; }

  /// Fills `batch` with what comes next; false when nothing is left.
  bool next(CoalescedBatch& batch);

  /// The batch as the driver gets it.
  std::vector<Extent> driver_extents(const CoalescedBatch& batch, MutableBytes staging) const;
  /// Between staging memory and the extents: after a read, or before a write.
  void copy_staged(const CoalescedBatch& batch, MutableBytes staging) const;
  /// Takes requests with gaps apart again.
  CoalescedBatch without_gaps(const CoalescedBatch& batch) const;

 private:
  CoalescedBatch::Request next_request();
  void append(CoalescedBatch& batch, CoalescedBatch::Request request) const;

  CoalescingLimits limits_;
  std::uint64_t gap_bytes_;
  std::vector<Extent> own_;
  std::span<const Extent> extents_;  ///< by offset, none empty
  std::size_t at_ = 0;
  /// Extents from at_ on that go side by side and have been measured already.
  std::size_t adjacent_end_ = 0;
  bool overlapping_ = false;
};

extern template class Coalescer<ReadExtent>;
extern template class Coalescer<WriteExtent>;

}  // namespace filigree::io
