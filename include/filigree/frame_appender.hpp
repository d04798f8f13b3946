// SPDX-License-Identifier: Apache-2.0
//
// Streams of frames: appending from several threads, in order or by number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <filigree/dataset.hpp>
#include <filigree/export.hpp>

namespace filigree {

/// Options of a frame appender.
struct FrameAppenderOptions {
  /// The approximate capacity of the buffer, from which many frames are written at once and in parallel. 0
  /// writes every frame immediately.
  std::size_t buffer_bytes = 4u << 20;
  /// The capacity for frames that wait for a missing one; see FrameAppender::append_at().
  std::size_t out_of_order_bytes = 64u << 20;
};

/// Appends frames to a dataset whose first dimension is unlimited, such as (time, y, x).
///
/// Each call that appends returns the number of its frame. A frame that is refused with
/// Error(invalid_argument) gets no number. Frames are buffered; flush() and close() write them.
///
/// The extent of the dataset never includes a frame that is not complete, nor one after a missing frame, and
/// it never shrinks. A flush of the file by another thread, and SWMR readers, therefore see whole frames.
///
/// Requires: nothing else resizes the dataset meanwhile, and no callback of a call on the same file appends:
/// it holds the file lock that another thread may wait for.
/// Thread safety: any number of threads may append frames and flush.
class FILIGREE_EXPORT FrameAppender {
 public:
  /// Appends after the existing frames.
  /// Throws: Error(invalid_argument) for a dataset whose first dimension is not unlimited.
  explicit FrameAppender(Dataset data, const FrameAppenderOptions& options = {});
  /// Closes the appender and ignores failures; call close() to see them.
  ~FrameAppender();
  FrameAppender(const FrameAppender&) = delete;
  FrameAppender& operator=(const FrameAppender&) = delete;

  /// Appends a frame of single pixels, given by their coordinates within the frame, one pixel after the
  /// other. If a pixel is listed more than once, the last value is written. Row-major order is fastest.
  template <Element T>
  std::uint64_t append_coordinates(std::span<const std::uint64_t> coordinates, std::span<const T> values) {
    return append_offsets<T>(offsets_of(coordinates), values);
  }
  /// Appends a frame of single pixels, given by their linear offsets (row-major) in the frame.
  template <Element T>
  std::uint64_t append_offsets(std::span<const std::uint64_t> offsets, std::span<const T> values) {
    return append_pixels(next, Datatype::memory<T>(), values.data(), values.size(), offsets);
  }
  /// Appends a frame that has values in one box.
  template <Element T>
  std::uint64_t append_region(const std::vector<std::uint64_t>& start,
                              const std::vector<std::uint64_t>& count, std::span<const T> values) {
    return append_box(next, Datatype::memory<T>(), values.data(), values.size(), start, count);
  }
  /// Appends a frame without values.
  std::uint64_t append_empty() { return append_without_values(next); }

  // Frames with numbers of their own, which may arrive in any order. A frame is written when all frames
  // before it have been appended; until then it is buffered. close() stores frames that are still missing as
  // empty ones.

  /// Appends frame `number`: single pixels, given by their linear offsets in the frame. See offsets_of().
  /// Throws: Error(invalid_argument) if the frame has been appended already; Error(limit) if too many frames
  /// would wait for a missing one, which is then frame complete_frames().
  template <Element T>
  void append_at(std::uint64_t number, std::span<const std::uint64_t> offsets, std::span<const T> values) {
    append_pixels(number, Datatype::memory<T>(), values.data(), values.size(), offsets);
  }
  /// Appends frame `number`, which has values in one box.
  template <Element T>
  void append_at(std::uint64_t number, const std::vector<std::uint64_t>& start,
                 const std::vector<std::uint64_t>& count, std::span<const T> values) {
    append_box(number, Datatype::memory<T>(), values.data(), values.size(), start, count);
  }
  /// Appends frame `number` without values.
  void append_at(std::uint64_t number) { append_without_values(number); }

  /// Returns the linear offsets (row-major) of pixels in a frame.
  /// Throws: Error(invalid_argument) for coordinates outside of a frame.
  std::vector<std::uint64_t> offsets_of(std::span<const std::uint64_t> coordinates) const;
  /// Returns the number after the last frame that was appended, buffered ones included.
  std::uint64_t frames() const;
  /// Returns how many frames precede the first missing one. It equals frames() unless numbers were left out.
  std::uint64_t complete_frames() const;
  /// Writes the buffered frames, except those after a missing one.
  /// Throws: Error if writing fails. Nothing is lost then; flush() may be called again.
  void flush();
  /// Writes all frames. Nothing can be appended afterwards.
  /// Throws: Error if writing fails; the appender stays open then.
  void close();

 private:
  struct Impl;
  static constexpr std::uint64_t next = unlimited;  ///< the number of a frame that has none of its own
  std::uint64_t append_pixels(std::uint64_t number, const Datatype& type, const void* values,
                              std::size_t count, std::span<const std::uint64_t> offsets);
  std::uint64_t append_box(std::uint64_t number, const Datatype& type, const void* values, std::size_t count,
                           const std::vector<std::uint64_t>& start, const std::vector<std::uint64_t>& size);
  std::uint64_t append_without_values(std::uint64_t number);
  std::unique_ptr<Impl> impl_;
};

}  // namespace filigree
