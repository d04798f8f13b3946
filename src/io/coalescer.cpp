// SPDX-License-Identifier: Apache-2.0
#include "io/coalescer.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace filigree::io {
namespace {

template <class Extent>
std::uint64_t end_of(const Extent& e) {
  return e.offset + e.memory().size();
}

template <class Extent>
bool in_order(std::span<const Extent> extents) {
  for (std::size_t i = 0; i < extents.size(); ++i) {
    if (extents[i].memory().empty() || (i > 0 && extents[i].offset < extents[i - 1].offset)) return false;
  }
  return true;
}

template <class Extent>
bool overlap(std::span<const Extent> sorted) {
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i].offset < end_of(sorted[i - 1])) return true;
  }
  return false;
}

/// Most calls copy a few bytes: a constant size avoids the call of memcpy.
void copy_bytes(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes == 4) {
    std::memcpy(to, from, 4);
  } else if (bytes == 8) {
    std::memcpy(to, from, 8);
  } else {
    std::memcpy(to, from, bytes);
  }
}

}  // namespace

template <class Extent>
Coalescer<Extent>::Coalescer(std::span<const Extent> extents, const CoalescingLimits& limits,
                             std::uint64_t gap_bytes, bool copy)
    : limits_(limits), gap_bytes_(gap_bytes), extents_(extents) {
  const bool ready = in_order(extents);
  if (copy || !ready) {
    own_.reserve(extents.size());
    std::copy_if(extents.begin(), extents.end(), std::back_inserter(own_),
                 [](const Extent& e) { return !e.memory().empty(); });
    if (!ready) std::sort(own_.begin(), own_.end(), [](auto& a, auto& b) { return a.offset < b.offset; });
    extents_ = own_;
  }
  overlapping_ = overlap(extents_);
}

template <class Extent>
bool Coalescer<Extent>::next(CoalescedBatch& batch) {
  batch.requests.clear();
  batch.staging_bytes = 0;
  batch.has_gaps = false;
  while (at_ < extents_.size() && batch.requests.size() < std::max<std::size_t>(1, limits_.batch_requests)) {
    const std::size_t before = at_;
    const CoalescedBatch::Request request = next_request();
    const bool staged = request.extents > 1;
    if (staged && batch.staging_bytes > 0 && batch.staging_bytes + request.bytes > limits_.staging_bytes) {
      at_ = before;
      break;
    }
    append(batch, request);
  }
  return !batch.requests.empty();
}

template <class Extent>
CoalescedBatch::Request Coalescer<Extent>::next_request() {
  const Extent& first = extents_[at_];
  CoalescedBatch::Request single{first.offset, first.memory().size(), at_, 1};
  if (at_ < adjacent_end_ || first.memory().size() >= limits_.direct_bytes || limits_.merged_bytes == 0) {
    ++at_;
    return single;
  }
  CoalescedBatch::Request request = single;
  std::uint64_t end = end_of(first);
  std::size_t i = at_ + 1;
  for (; i < extents_.size(); ++i) {
    const Extent& e = extents_[i];
    const std::uint64_t gap = e.offset > end ? e.offset - end : 0;
    if (gap > gap_bytes_ || e.memory().size() >= limits_.direct_bytes) break;
    const std::uint64_t new_end = std::max(end, end_of(e));
    if (new_end - request.offset > limits_.merged_bytes) break;
    request.has_gaps = request.has_gaps || gap > 0;
    end = new_end;
  }
  request.extents = i - at_;
  request.bytes = end - request.offset;
  if (!request.has_gaps && request.extents > 1 && !overlapping_ &&
      request.bytes / request.extents >= limits_.adjacent_bytes) {
    adjacent_end_ = i;
    ++at_;
    return single;
  }
  at_ = i;
  return request;
}

template <class Extent>
void Coalescer<Extent>::append(CoalescedBatch& batch, CoalescedBatch::Request request) const {
  if (request.extents > 1) {
    request.staged = batch.staging_bytes;
    batch.staging_bytes += request.bytes;
    batch.has_gaps = batch.has_gaps || request.has_gaps;
  }
  batch.requests.push_back(request);
}

template <class Extent>
CoalescedBatch Coalescer<Extent>::without_gaps(const CoalescedBatch& batch) const {
  CoalescedBatch result;
  for (const CoalescedBatch::Request& r : batch.requests) {
    if (!r.has_gaps) {
      append(result, r);
      continue;
    }
    for (std::size_t i = r.first; i < r.first + r.extents; ++i)
      append(result, {extents_[i].offset, extents_[i].memory().size(), i, 1});
  }
  return result;
}

template <class Extent>
std::vector<Extent> Coalescer<Extent>::driver_extents(const CoalescedBatch& batch,
                                                      MutableBytes staging) const {
  std::vector<Extent> result;
  result.reserve(batch.requests.size());
  for (const CoalescedBatch::Request& r : batch.requests) {
    if (r.extents == 1) {
      result.push_back(extents_[r.first]);
    } else {
      result.push_back({r.offset, staging.subspan(r.staged, r.bytes), extents_[r.first].type});
    }
  }
  return result;
}

template <class Extent>
void Coalescer<Extent>::copy_staged(const CoalescedBatch& batch, MutableBytes staging) const {
  for (const CoalescedBatch::Request& r : batch.requests) {
    if (r.extents == 1) continue;
    for (const Extent& e : extents_.subspan(r.first, r.extents)) {
      std::byte* const staged = staging.data() + r.staged + (e.offset - r.offset);
      if constexpr (std::is_same_v<Extent, ReadExtent>) {
        copy_bytes(e.into.data(), staged, e.into.size());
      } else {
        copy_bytes(staged, e.from.data(), e.from.size());
      }
    }
  }
}

template class Coalescer<ReadExtent>;
template class Coalescer<WriteExtent>;

}  // namespace filigree::io
