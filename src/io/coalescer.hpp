// SPDX-License-Identifier: Apache-2.0
//
// Merges many small extents into few large requests. It works above all drivers, so that a strided selection
// does not cost one request per element.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "io/extent.hpp"

namespace filigree::io {

using filigree::CoalescingLimits;

/// A part of a plan; the driver receives it as one vector.
struct CoalescedBatch {
  struct Request {
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
    std::size_t first = 0;     ///< its first extent in the plan
    std::size_t extents = 0;   ///< if one, it is not copied
    std::uint64_t staged = 0;  ///< offset in the staging buffer, if there are several
    bool has_gaps = false;     ///< includes bytes that were not requested
  };
  std::vector<Request> requests;  ///< by offset
  std::uint64_t staging_bytes = 0;
  bool has_gaps = false;
};

/// Plans one request. `Extent` is ReadExtent or WriteExtent.
template <class Extent>
class Coalescer {
 public:
  /// *Requires*: `extents` lives as long as the plan, unless `copy` makes the plan keep its own copy.
  Coalescer(std::span<const Extent> extents, const CoalescingLimits& limits, std::uint64_t gap_bytes,
            bool copy = false);

  /// Whether two extents overlap. Overlapping writes must be done one by one, in their order.
  bool overlapping() const { return overlapping_; }

  /// Fills `batch` with the next requests; false when the plan is complete.
  bool next(CoalescedBatch& batch);

  /// The extents that the driver receives for a batch.
  std::vector<Extent> driver_extents(const CoalescedBatch& batch, MutableBytes staging) const;
  /// Copies between the staging buffer and the extents: after a read, or before a write.
  void copy_staged(const CoalescedBatch& batch, MutableBytes staging) const;
  /// The same batch with every request that has gaps divided into its extents.
  CoalescedBatch without_gaps(const CoalescedBatch& batch) const;

 private:
  /// Requires: at_ is before the end.
  CoalescedBatch::Request next_request();
  void append(CoalescedBatch& batch, CoalescedBatch::Request request) const;

  CoalescingLimits limits_;
  std::uint64_t gap_bytes_;
  std::vector<Extent> own_;
  std::span<const Extent> extents_;  ///< by offset, none empty
  std::size_t at_ = 0;
  /// The end of contiguous extents from at_ on that next_request() has decided not to merge.
  std::size_t adjacent_end_ = 0;
  bool overlapping_ = false;
};

extern template class Coalescer<ReadExtent>;
extern template class Coalescer<WriteExtent>;

}  // namespace filigree::io
