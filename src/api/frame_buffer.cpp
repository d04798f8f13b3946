// SPDX-License-Identifier: Apache-2.0
#include "api/frame_buffer.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"

namespace filigree::api {
namespace {

/// What a waiting frame needs besides its values, so that empty frames are limited as well.
constexpr std::size_t waiting_overhead_bytes = 256;

}  // namespace

bool FrameBatch::accepts(const FrameValues& frame) const {
  const bool is_box = type && !box.empty();
  if (frame.type == nullptr) return !is_box;
  if (!type) return frame.box == nullptr;
  if (!(*type == *frame.type)) return false;
  return frame.box == nullptr ? !is_box : box == *frame.box;
}

void FrameBatch::add(const FrameValues& frame) {
  ++end;
  if (frame.type == nullptr) return;
  if (!type) type = *frame.type;
  if (frame.box != nullptr) box = *frame.box;
  const std::size_t old = offsets.size();
  offsets.insert(offsets.end(), frame.offsets.begin(), frame.offsets.end());
  for (std::size_t i = old; i < offsets.size(); ++i) offsets[i] += frame.base;
  values.insert(values.end(), frame.bytes.begin(), frame.bytes.end());
}

std::size_t FrameBatch::bytes() const { return std::max(values.size(), offsets.size() * sizeof(offsets[0])); }

std::uint64_t FrameBuffer::check_number(std::optional<std::uint64_t> number) const {
  if (!number) return frames_;
  if (*number < complete_ || waiting_.contains(*number))
    throw Error(ErrorKind::invalid_argument, fmt::format("frame {} has been appended already", *number));
  if (!try_multiply(*number + 1, std::max<std::uint64_t>(1, frame_elements_)) || *number + 1 == 0)
    throw Error(ErrorKind::invalid_argument,
                fmt::format("no dataset has a frame {} of {} elements", *number, frame_elements_));
  return *number;
}

std::uint64_t FrameBuffer::add(std::optional<std::uint64_t> number, FrameValues frame) {
  const std::uint64_t checked = check_number(number);
  frame.base = checked * frame_elements_;
  if (checked == complete_) {
    add_ready(frame);
    release_waiting();
  } else {
    add_waiting(checked, frame);
  }
  frames_ = std::max(frames_, checked + 1);
  return checked;
}

void FrameBuffer::add_ready(const FrameValues& frame) {
  if (ready_.empty() || !ready_.back().accepts(frame)) {
    FrameBatch& batch = ready_.emplace_back(std::exchange(spare_, {}));
    batch.first = batch.end = complete_;
    if (frame.type != nullptr && frame.box == nullptr) {
      const std::size_t capacity = std::min(options_.buffer_bytes, std::size_t{16} << 20);
      batch.offsets.reserve(capacity / sizeof(std::uint64_t) + frame.offsets.size());
      batch.values.reserve(std::min(capacity, capacity / sizeof(std::uint64_t) * frame.type->size()) +
                           frame.bytes.size());
    }
  }
  const std::size_t before = ready_.back().bytes();
  ready_.back().add(frame);
  ready_bytes_ += ready_.back().bytes() - before;
  ++complete_;
}

void FrameBuffer::add_waiting(std::uint64_t number, const FrameValues& frame) {
  FrameBatch batch;
  batch.first = batch.end = number;
  batch.add(frame);
  const std::size_t bytes = waiting_bytes_ + batch.bytes() + waiting_overhead_bytes;
  if (bytes > options_.out_of_order_bytes) {
    throw Error(ErrorKind::limit,
                fmt::format("frame {} cannot wait for the missing frame {}: {} bytes of frames do already, "
                            "{} are allowed. Append the missing frame, as an empty one if it is lost",
                            number, complete_, waiting_bytes_, options_.out_of_order_bytes));
  }
  waiting_.emplace(number, std::move(batch));
  waiting_bytes_ = bytes;
}

void FrameBuffer::release_waiting() {
  while (!waiting_.empty() && waiting_.begin()->first == complete_) {
    const FrameBatch batch = std::move(waiting_.extract(waiting_.begin()).mapped());
    waiting_bytes_ -= batch.bytes() + waiting_overhead_bytes;
    FrameValues frame;
    if (batch.type) {
      frame.type = &*batch.type;
      frame.offsets = batch.offsets;  // those in the dataset: the base is 0
      frame.bytes = batch.values;
      if (!batch.box.empty()) frame.box = &batch.box;
    }
    add_ready(frame);
  }
}

void FrameBuffer::skip_written() {
  ++complete_;
  frames_ = std::max(frames_, complete_);
  release_waiting();
}

void FrameBuffer::fill_gaps() {
  while (!waiting_.empty()) {
    if (const std::uint64_t missing = waiting_.begin()->first - complete_; missing > 0) {
      add_ready({});
      ready_.back().end += missing - 1;
      complete_ += missing - 1;
    }
    release_waiting();
  }
}

std::vector<FrameBatch> FrameBuffer::take() {
  ready_bytes_ = 0;
  return std::exchange(ready_, {});
}

void FrameBuffer::put_back(std::vector<FrameBatch> batches) {
  for (const FrameBatch& batch : batches) ready_bytes_ += batch.bytes();
  std::ranges::move(ready_, std::back_inserter(batches));
  ready_ = std::move(batches);
}

void FrameBuffer::recycle(FrameBatch batch) {
  batch.type.reset();
  batch.box = {};
  batch.offsets.clear();
  batch.values.clear();
  spare_ = std::move(batch);
}

}  // namespace filigree::api
