// SPDX-License-Identifier: Apache-2.0
//
// Frames that were appended and are not in the dataset yet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include <filigree/datatype.hpp>
#include <filigree/frame_appender.hpp>

namespace filigree::api {

/// A box within a frame; empty if the values are single pixels.
struct FrameBox {
  std::vector<std::uint64_t> start, count;
  bool empty() const { return count.empty(); }
  friend bool operator==(const FrameBox&, const FrameBox&) = default;
};

/// The values of a frame, in memory of the caller.
struct FrameValues {
  const Datatype* type = nullptr;          ///< null: the frame has no values
  std::span<const std::uint64_t> offsets;  ///< ascending; empty for a box
  std::uint64_t base = 0;                  ///< what is added to the offsets; that of the frame in the dataset
  std::span<const std::byte> bytes;
  const FrameBox* box = nullptr;  ///< null for single pixels
};

/// Consecutive frames that are written together: pixels of one datatype, or one box in every frame.
struct FrameBatch {
  std::uint64_t first = 0, end = 0;  ///< frame numbers
  std::optional<Datatype> type;      ///< unset: no frame has values
  std::vector<std::uint64_t> offsets;
  std::vector<std::byte> values;
  FrameBox box;

  /// Returns whether the next frame may have these values.
  bool accepts(const FrameValues& frame) const;
  void add(const FrameValues& frame);
  std::size_t bytes() const;
};

/// The buffer of a frame appender. Frames that follow the last written one without a gap are ready; others
/// wait for the missing ones.
/// Thread safety: one thread at a time.
class FrameBuffer {
 public:
  FrameBuffer(std::uint64_t first, std::uint64_t frame_elements, const FrameAppenderOptions& options)
      : options_(options), frame_elements_(frame_elements), frames_(first), complete_(first) {}

  std::uint64_t frames() const { return frames_; }
  std::uint64_t complete_frames() const { return complete_; }
  /// Returns the size of the frames that take() returns.
  std::size_t ready_bytes() const { return ready_bytes_; }
  /// Returns `number`, or the next one if it is unset.
  /// Throws: Error(invalid_argument) if the frame was added before, or cannot be in a dataset.
  std::uint64_t check_number(std::optional<std::uint64_t> number) const;
  /// Adds a frame and returns its number. FrameValues::base is ignored.
  /// Throws: as check_number(); Error(limit) if too many frames wait for a missing one.
  std::uint64_t add(std::optional<std::uint64_t> number, FrameValues frame);
  /// Counts frame complete_frames() as one that its caller has written.
  void skip_written();
  /// Makes the missing frames empty, so that all frames are ready.
  void fill_gaps();
  /// Removes the frames that are ready.
  std::vector<FrameBatch> take();
  /// Undoes take() for batches that could not be written.
  void put_back(std::vector<FrameBatch> batches);
  /// Accepts the memory of a written batch for the next one.
  void recycle(FrameBatch batch);

 private:
  void add_ready(const FrameValues& frame);
  void add_waiting(std::uint64_t number, const FrameValues& frame);
  void release_waiting();

  const FrameAppenderOptions options_;
  const std::uint64_t frame_elements_;
  std::uint64_t frames_;
  std::uint64_t complete_;
  std::vector<FrameBatch> ready_;
  std::size_t ready_bytes_ = 0;
  std::map<std::uint64_t, FrameBatch> waiting_;  ///< by number, one frame each
  std::size_t waiting_bytes_ = 0;
  FrameBatch spare_;
};

}  // namespace filigree::api
