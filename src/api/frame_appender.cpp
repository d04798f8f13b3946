// SPDX-License-Identifier: Apache-2.0
//
// How frames of several threads reach the dataset.
//
//  1. The values of a frame are checked, and sorted if necessary, by the thread that appends it. Nothing is
//     locked meanwhile. A frame that is refused here gets no number.
//  2. Under `mutex` the frame gets its number and enters the buffer. Both happen together, so the buffer has
//     no gaps, except those that append_at() leaves. Frames after a gap wait (FrameBuffer).
//  3. The thread that fills the buffer writes it. It locks `write_mutex` first, so that batches are written
//     in the order of their frames, and takes the batches that are ready. Other threads go on to append.
//  4. The batches are written by Dataset::extend(): new extent and values are one change under the exclusive
//     file lock. A flush of any thread comes before or after it, and never finds an extent without values.
//  5. If a write fails, the dataset keeps its former extent, and the batches return to the front of the
//     buffer. The error is reported to the thread that wrote; flush() tries again.
//  6. Variable-length values are in memory of the caller, and cannot be buffered. Such a frame is written at
//     once, after all frames before it, while both mutexes are held.
//
// Locks are taken in the order write_mutex, mutex, file lock.
#include <filigree/frame_appender.hpp>

#include <algorithm>
#include <cstring>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "api/frame_buffer.hpp"
#include "api/sort_offsets.hpp"
#include "base/checked.hpp"
#include "base/mutex.hpp"

namespace filigree {
namespace {

using api::FrameBatch;
using api::FrameBox;
using api::FrameValues;
using Numbers = std::vector<std::uint64_t>;

/// Boxes of at most so many pixels of a sparse frame are buffered as single pixels, because frames of single
/// pixels are written together. Larger boxes are faster by themselves.
constexpr std::uint64_t most_listed_pixels = 256;

std::uint64_t product(std::span<const std::uint64_t> dims) {
  std::uint64_t elements = 1;
  for (const std::uint64_t n : dims) elements = checked_multiply(elements, n, "a frame");
  return elements;
}

/// Returns the linear offsets of a box, row by row.
Numbers box_offsets(std::span<const std::uint64_t> dims, const FrameBox& box, std::uint64_t elements) {
  Numbers offsets;
  offsets.reserve(elements);
  Numbers at(dims.size(), 0);
  while (offsets.size() < elements) {
    std::uint64_t row = 0;
    for (std::size_t d = 0; d < dims.size(); ++d) row = row * dims[d] + box.start[d] + at[d];
    for (std::uint64_t i = 0; i < box.count.back(); ++i) offsets.push_back(row + i);
    for (std::size_t d = dims.size() - 1; d-- > 0;) {
      if (++at[d] < box.count[d]) break;
      at[d] = 0;
    }
  }
  return offsets;
}

Numbers after(std::uint64_t first, const Numbers& others) {
  Numbers all{first};
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

}  // namespace

struct FrameAppender::Impl {
  Impl(Dataset to, const FrameAppenderOptions& chosen, const Numbers& extent)
      : data(std::move(to)),
        options(chosen),
        frame_dims(extent.begin() + 1, extent.end()),
        frame_elements(product(frame_dims)),
        is_sparse(data.dataset_info().sparse),
        written(extent.front()),
        buffer(extent.front(), frame_elements, chosen) {}

  std::uint64_t append(std::uint64_t number, const FrameValues& frame) {
    std::uint64_t given = 0;
    {
      const MutexLock lock(mutex);
      require_open();
      given = buffer.add(number == next ? std::nullopt : std::optional(number), frame);
      if (buffer.ready_bytes() < options.buffer_bytes) return given;
    }
    write_ready(options.buffer_bytes);
    return given;
  }

  /// Step 6 of the protocol.
  std::uint64_t append_at_once(std::uint64_t number, const std::function<void(std::uint64_t)>& write) {
    const MutexLock writing(write_mutex);
    const MutexLock lock(mutex);
    require_open();
    const auto given = buffer.check_number(number == next ? std::nullopt : std::optional(number));
    if (given != buffer.complete_frames())
      throw Error(ErrorKind::unsupported,
                  fmt::format("frame {} has values of variable length, which cannot wait for frame {}", given,
                              buffer.complete_frames()));
    auto batches = buffer.take();
    if (const auto failure = write_all(batches)) {
      buffer.put_back(std::move(batches));
      std::rethrow_exception(failure);
    }
    extend(given + 1, [&] { write(given); });
    buffer.skip_written();
    return given;
  }

  /// Writes what is ready, if it is at least `least_bytes`. Other threads may append frames meanwhile.
  void write_ready(std::size_t least_bytes) {
    const MutexLock writing(write_mutex);
    MutexLock lock(mutex);
    if (buffer.ready_bytes() < least_bytes) return;  // another thread has written it
    auto batches = buffer.take();
    if (batches.empty()) return;
    lock.unlock();
    const auto failure = write_all(batches);
    lock.lock();
    if (!failure) return buffer.recycle(std::move(batches.back()));
    buffer.put_back(std::move(batches));
    std::rethrow_exception(failure);
  }

  /// Writes all batches as one change. Returns what failed; nothing is written then.
  std::exception_ptr write_all(const std::vector<FrameBatch>& batches) FILIGREE_REQUIRES(write_mutex) {
    if (batches.empty()) return nullptr;
    try {
      extend(batches.back().end, [&] {
        for (const FrameBatch& batch : batches) write(batch);
      });
      return nullptr;
    } catch (...) {
      return std::current_exception();
    }
  }

  /// Step 4 of the protocol.
  void extend(std::uint64_t end, const std::function<void()>& write_values) FILIGREE_REQUIRES(write_mutex) {
    if (const std::uint64_t now = data.space().dims().front(); now != written)
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("'{}' has {} frames instead of {}: something else resizes it while frames are "
                              "appended",
                              data.path(), now, written));
    data.extend(after(end, frame_dims), write_values);
    written = end;
  }

  void write(const FrameBatch& batch) {
    if (!batch.type) return;
    const std::uint64_t count = batch.end - batch.first;
    if (batch.box.empty()) {
      data.write_offsets(*batch.type, batch.values.data(), batch.offsets,
                         {batch.first * frame_elements, count * frame_elements});
      return;
    }
    data.write_elements(*batch.type, batch.values.data(), batch.values.size() / batch.type->size(),
                        Selection::box(after(batch.first, batch.box.start), after(count, batch.box.count)));
  }

  void require_open() const FILIGREE_REQUIRES(mutex) {
    if (closed) throw Error(ErrorKind::invalid_argument, "the appender of frames has been closed");
  }

  /// Throws: Error(invalid_argument) unless the box is in a frame and has `values` elements.
  std::uint64_t check_box(const FrameBox& box, std::size_t values) const {
    if (box.start.size() != frame_dims.size() || box.count.size() != frame_dims.size())
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("a box of {} and {} dimensions in a frame of {}", box.start.size(),
                              box.count.size(), frame_dims.size()));
    for (std::size_t d = 0; d < frame_dims.size(); ++d) {
      const auto end = try_add(box.start[d], box.count[d]);
      if (!end || *end > frame_dims[d])
        throw Error(ErrorKind::invalid_argument,
                    fmt::format("a box of {} elements from {} on in dimension {} of a frame, which has {}",
                                box.count[d], box.start[d], d, frame_dims[d]));
    }
    const std::uint64_t elements = product(box.count);
    if (elements == values) return elements;
    throw Error(ErrorKind::invalid_argument, fmt::format("{} values for a box of {}", values, elements));
  }

  Dataset data;
  const FrameAppenderOptions options;
  const Numbers frame_dims;
  const std::uint64_t frame_elements;
  const bool is_sparse;
  Mutex write_mutex;
  std::uint64_t written FILIGREE_GUARDED_BY(write_mutex);  ///< frames in the dataset
  mutable Mutex mutex;
  api::FrameBuffer buffer FILIGREE_GUARDED_BY(mutex);
  bool closed FILIGREE_GUARDED_BY(mutex) = false;
};

FrameAppender::FrameAppender(Dataset data, const FrameAppenderOptions& options) {
  const Dataspace space = data.space();
  if (space.dims().size() < 2 || space.max_dims().front() != unlimited)
    throw Error(ErrorKind::invalid_argument,
                fmt::format("'{}' is no stream of frames: its first dimension cannot grow without bound",
                            data.path()));
  impl_ = std::make_unique<Impl>(std::move(data), options, space.dims());
}

FrameAppender::~FrameAppender() {
  try {
    close();
  } catch (...) {
    // Callers that need the error call close().
  }
}

std::uint64_t FrameAppender::frames() const {
  const MutexLock lock(impl_->mutex);
  return impl_->buffer.frames();
}

std::uint64_t FrameAppender::complete_frames() const {
  const MutexLock lock(impl_->mutex);
  return impl_->buffer.complete_frames();
}

std::vector<std::uint64_t> FrameAppender::offsets_of(std::span<const std::uint64_t> coordinates) const {
  const Numbers& dims = impl_->frame_dims;
  if (coordinates.size() % dims.size() != 0)
    throw Error(ErrorKind::invalid_argument,
                fmt::format("{} coordinates are not those of pixels of {} dimensions", coordinates.size(),
                            dims.size()));
  Numbers offsets(coordinates.size() / dims.size());
  const std::uint64_t* at = coordinates.data();
  for (std::uint64_t& offset : offsets) {
    for (std::size_t d = 0; d < dims.size(); ++d, ++at) {
      if (*at >= dims[d])
        throw Error(ErrorKind::invalid_argument,
                    fmt::format("a pixel has coordinate {} in dimension {} of a frame, which has {}", *at, d,
                                dims[d]));
      offset = offset * dims[d] + *at;
    }
  }
  return offsets;
}

std::uint64_t FrameAppender::append_pixels(std::uint64_t number, const Datatype& type, const void* values,
                                           std::size_t count, std::span<const std::uint64_t> offsets) {
  if (count != offsets.size())
    throw Error(ErrorKind::invalid_argument, fmt::format("{} values for {} pixels", count, offsets.size()));
  if (count == 0) return append_without_values(number);
  const std::uint64_t size = impl_->frame_elements;
  bool ascending = true;  // accumulated without branches
  for (std::size_t i = 1; i < count; ++i) ascending &= offsets[i - 1] < offsets[i];
  if (const std::uint64_t last = ascending ? offsets.back() : std::ranges::max(offsets); last >= size)
    throw Error(ErrorKind::invalid_argument, fmt::format("pixel {} is beyond a frame of {}", last, size));
  const std::size_t bytes = type.size();
  std::span memory(static_cast<const std::byte*>(values), count * bytes);
  Numbers sorted_offsets;
  std::vector<std::byte> sorted_values;
  if (!ascending) {
    std::vector<std::size_t> order;
    sorted_offsets = api::sort_offsets(Numbers(offsets.begin(), offsets.end()), order);
    sorted_values.resize(order.size() * bytes);
    for (std::size_t i = 0; i < order.size(); ++i)
      std::memcpy(&sorted_values[i * bytes], &memory[order[i] * bytes], bytes);
    offsets = sorted_offsets;
    memory = sorted_values;
  }
  if (!type.has_variable_parts()) return impl_->append(number, {&type, offsets, 0, memory});
  return impl_->append_at_once(number, [&](std::uint64_t frame) {
    FrameBatch batch{frame, frame, {}, {}, {}, {}};
    batch.add({&type, offsets, frame * size, memory});
    impl_->write(batch);
  });
}

std::uint64_t FrameAppender::append_box(std::uint64_t number, const Datatype& type, const void* values,
                                        std::size_t count, const std::vector<std::uint64_t>& start,
                                        const std::vector<std::uint64_t>& size) {
  const FrameBox box{start, size};
  const std::uint64_t elements = impl_->check_box(box, count);
  if (elements == 0) return append_without_values(number);
  const std::span memory(static_cast<const std::byte*>(values), count * type.size());
  if (type.has_variable_parts()) {
    return impl_->append_at_once(number, [&](std::uint64_t frame) {
      impl_->data.write_elements(type, values, count, Selection::box(after(frame, start), after(1, size)));
    });
  }
  if (!impl_->is_sparse || elements > most_listed_pixels)
    return impl_->append(number, {&type, {}, 0, memory, &box});
  return impl_->append(number, {&type, box_offsets(impl_->frame_dims, box, elements), 0, memory});
}

std::uint64_t FrameAppender::append_without_values(std::uint64_t number) { return impl_->append(number, {}); }

void FrameAppender::flush() { impl_->write_ready(0); }

void FrameAppender::close() {
  {
    const MutexLock lock(impl_->mutex);
    if (std::exchange(impl_->closed, true)) return;
    impl_->buffer.fill_gaps();
  }
  try {
    impl_->write_ready(0);
  } catch (...) {
    const MutexLock lock(impl_->mutex);
    impl_->closed = false;
    throw;
  }
}

}  // namespace filigree
