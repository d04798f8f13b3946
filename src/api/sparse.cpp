// SPDX-License-Identifier: Apache-2.0
#include <filigree/sparse.hpp>

#include <algorithm>
#include <functional>
#include <iterator>
#include <mutex>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <filigree/file.hpp>
#include <filigree/group.hpp>

#include "space/bulk.hpp"
#include "space/frame.hpp"
#include "space/radix_sort.hpp"

namespace filigree {

std::vector<Selection> partition_defined(const Dataset& data, const Selection& selection,
                                         std::uint64_t elements) {
  if (elements == 0) throw Error(ErrorKind::invalid_argument, "the part size must be at least one element");
  if (!data.dataset_info().sparse) return {selection};
  const std::vector<std::uint64_t> dims = data.space().dims();
  const std::uint64_t element_bytes = data.datatype().size();
  std::vector<std::uint64_t> ends;  // of parts, along the first dimension
  std::uint64_t held = 0, row = 0;
  data.for_each_chunk(
      [&](const ChunkInfo& chunk) {
        if (chunk.offset[0] != row && held >= elements) {
          ends.push_back(chunk.offset[0]);
          held = 0;
        }
        row = chunk.offset[0];
        for (const SectionInfo& section : chunk.sections)
          if (section.kind == SectionKind::elements) held += section.original_bytes / element_bytes;
        return true;
      },
      selection);
  if (ends.empty()) return {selection};
  ends.push_back(dims[0]);
  Selection wanted = selection.within(dims);
  if (wanted.kind() == Selection::Kind::points)
    wanted = Selection::of_coordinates(dims, wanted.coordinates());
  std::vector<Selection> bands;
  std::vector<std::uint64_t> start(dims.size()), count = dims;
  for (const std::uint64_t end : ends) {
    count[0] = end - start[0];
    bands.push_back(wanted & Selection::box(start, count).within(dims));
    start[0] = end;
  }
  return bands;
}

Dataset fill_element(const Dataset& data) {
  DatasetOptions options;
  options.fill = data.creation_options().fill;
  return File::create_in_memory().root().create_dataset("fill", data.datatype().stored(), Dataspace::scalar(),
                                                        options);
}

std::vector<std::uint64_t> matrix_dims(const Dataset& data) {
  std::vector<std::uint64_t> dims = data.space().dims();
  if (dims.size() == 2) return dims;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("'{}' has {} dimensions, a matrix has 2", data.path(), dims.size()));
}

void require_matrix(const Dataset& data, std::uint64_t rows, std::uint64_t columns) {
  const std::vector<std::uint64_t> dims = matrix_dims(data);
  if (dims[0] == rows && dims[1] == columns) return;
  throw Error(ErrorKind::invalid_argument, fmt::format("a matrix of {} x {} for '{}', which has {} x {}",
                                                       rows, columns, data.path(), dims[0], dims[1]));
}

namespace {

/// Brings offsets into ascending order. `order` lists the items in that order, or stays empty if the offsets
/// ascend already. Of items with one offset the last one is kept.
std::vector<std::uint64_t> sort_offsets(std::vector<std::uint64_t> offsets, std::vector<std::size_t>& order) {
  order.clear();
  if (std::ranges::adjacent_find(offsets, std::greater_equal()) == offsets.end()) return offsets;
  struct Item {
    std::uint64_t offset = 0;
    std::size_t index = 0;
  };
  std::vector<Item> items(offsets.size());
  for (std::size_t i = 0; i < items.size(); ++i) items[i] = {offsets[i], i};
  // The counters of a radix sort cost more than short lists do.
  constexpr std::size_t least_radix_items = 4096;
  if (items.size() < least_radix_items) {
    std::ranges::stable_sort(items, {}, &Item::offset);
  } else {
    space::radix_sort(items, [](const Item& item) { return item.offset; });
  }
  std::vector<std::uint64_t> sorted;
  sorted.reserve(items.size());
  order.reserve(items.size());
  for (const Item& item : items) {
    if (!sorted.empty() && sorted.back() == item.offset) {
      order.back() = item.index;
      continue;
    }
    sorted.push_back(item.offset);
    order.push_back(item.index);
  }
  return sorted;
}

}  // namespace

std::vector<std::uint64_t> coordinate_offsets(const std::vector<std::uint64_t>& extent,
                                              std::span<const std::uint64_t> coordinates, std::size_t values,
                                              std::vector<std::size_t>& order) {
  auto offsets = space::to_offsets(space::points_at(space::Frame(extent), coordinates));
  if (offsets.size() != values) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("{} elements are selected in the dataset, {} in memory", offsets.size(), values));
  }
  return sort_offsets(std::move(offsets), order);
}

std::vector<std::uint64_t> coo_offsets(std::uint64_t rows, std::uint64_t columns,
                                       std::span<const std::uint64_t> row_indices,
                                       std::span<const std::uint64_t> column_indices,
                                       std::vector<std::size_t>& order) {
  std::vector<std::uint64_t> offsets(std::min(row_indices.size(), column_indices.size()));
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    if (row_indices[i] >= rows || column_indices[i] >= columns) {
      throw Error(
          ErrorKind::invalid_argument,
          fmt::format("item {} of a list is the element ({}, {}), which a matrix of {} x {} does not have", i,
                      row_indices[i], column_indices[i], rows, columns));
    }
    offsets[i] = row_indices[i] * columns + column_indices[i];
  }
  return sort_offsets(std::move(offsets), order);
}

std::uint64_t compressed_runs(std::uint64_t major, std::uint64_t minor, std::span<const std::uint64_t> starts,
                              std::span<const std::uint64_t> indices, std::size_t values) {
  const auto refuse = [](const std::string& what) { throw Error(ErrorKind::invalid_argument, what); };
  if (starts.empty() || starts.size() - 1 != major || starts.front() != 0 || starts.back() != indices.size())
    refuse(fmt::format("a compressed matrix of {} rows needs {} starts, from 0 to its {} indices", major,
                       major + 1, indices.size()));
  if (values != indices.size()) refuse(fmt::format("{} values for {} indices", values, indices.size()));
  std::uint64_t runs = 0;
  for (std::uint64_t row = 0; row < major; ++row) {
    if (starts[row + 1] < starts[row] || starts[row + 1] > indices.size())
      refuse(fmt::format("the starts of a compressed matrix descend after row {}", row));
    for (std::uint64_t i = starts[row]; i < starts[row + 1]; ++i) {
      if (indices[i] >= minor || (i > starts[row] && indices[i] <= indices[i - 1]))
        refuse(fmt::format("index {} of row {} is beyond {} or does not ascend", indices[i], row, minor));
      runs += i == starts[row] || indices[i] != indices[i - 1] + 1;
    }
  }
  return runs;
}

Selection compressed_selection(std::uint64_t major, std::uint64_t minor,
                               std::span<const std::uint64_t> starts,
                               std::span<const std::uint64_t> indices) {
  std::vector<Selection::Run> runs;
  for (std::uint64_t row = 0; row < major; ++row) {
    for (std::uint64_t i = starts[row]; i < starts[row + 1]; ++i) {
      const std::uint64_t offset = row * minor + indices[i];
      if (!runs.empty() && runs.back().start + runs.back().length == offset) {
        ++runs.back().length;
      } else {
        runs.push_back({offset, 1});
      }
    }
  }
  return Selection::of_runs({major, minor}, runs);
}

std::vector<std::uint64_t> compressed_offsets(std::uint64_t minor, std::span<const std::uint64_t> starts,
                                              std::span<const std::uint64_t> indices) {
  std::vector<std::uint64_t> offsets(indices.size());
  for (std::size_t row = 0; row + 1 < starts.size(); ++row)
    for (std::uint64_t i = starts[row]; i < starts[row + 1]; ++i) offsets[i] = row * minor + indices[i];
  return offsets;
}

std::vector<std::uint64_t> compressed_starts(std::uint64_t major, std::uint64_t minor,
                                             std::span<std::uint64_t> offsets) {
  std::vector<std::uint64_t> starts(major + 1);
  std::uint64_t row = 0, row_start = 0;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    if (offsets[i] - row_start >= minor) {
      const std::uint64_t next = offsets[i] / minor;
      while (row < next) starts[++row] = i;
      row_start = row * minor;
    }
    offsets[i] -= row_start;
  }
  while (row < major) starts[++row] = offsets.size();
  return starts;
}

void transpose_compressed(std::uint64_t minor, std::span<const std::uint64_t> starts,
                          std::span<const std::uint64_t> indices, std::vector<std::uint64_t>& other_starts,
                          std::vector<std::uint64_t>& other_indices, std::vector<std::size_t>& order) {
  other_starts.assign(minor + 1, 0);
  for (const std::uint64_t index : indices) ++other_starts[index + 1];
  for (std::size_t i = 1; i < other_starts.size(); ++i) other_starts[i] += other_starts[i - 1];
  std::vector<std::uint64_t> next(other_starts.begin(), other_starts.end() - 1);
  other_indices.resize(indices.size());
  order.resize(indices.size());
  for (std::size_t row = 0; row + 1 < starts.size(); ++row) {
    for (std::uint64_t i = starts[row]; i < starts[row + 1]; ++i) {
      const std::uint64_t at = next[indices[i]]++;
      other_indices[at] = row;
      order[at] = i;
    }
  }
}

/// Buffered frames of one datatype, which are written together.
struct FrameAppender::PendingFrames {
  struct Frame {
    std::uint64_t number = 0;
    std::size_t first = 0, pixels = 0;
  };
  std::optional<Datatype> type;
  std::vector<Frame> frames;
  std::vector<std::uint64_t> offsets;  ///< in the dataset
  std::vector<std::byte> values;

  bool is_at_least(std::size_t bytes) const {
    return values.size() >= bytes || offsets.size() * sizeof(std::uint64_t) >= bytes;
  }
  void clear() {
    type.reset();
    frames.clear();
    offsets.clear();
    values.clear();
  }
  /// Sorts frames by number, because several threads may have added them in any order.
  void sort() {
    if (std::ranges::is_sorted(frames, {}, &Frame::number)) return;
    std::ranges::sort(frames, {}, &Frame::number);
    const std::size_t size = type->size();
    std::vector<std::uint64_t> sorted_offsets;
    std::vector<std::byte> sorted_values;
    sorted_offsets.reserve(offsets.size());
    sorted_values.reserve(values.size());
    for (Frame& frame : frames) {
      const auto some_offsets = std::span(offsets).subspan(frame.first, frame.pixels);
      const auto some_values = std::span(values).subspan(frame.first * size, frame.pixels * size);
      frame.first = sorted_offsets.size();
      sorted_offsets.insert(sorted_offsets.end(), some_offsets.begin(), some_offsets.end());
      sorted_values.insert(sorted_values.end(), some_values.begin(), some_values.end());
    }
    offsets = std::move(sorted_offsets);
    values = std::move(sorted_values);
  }
};

struct FrameAppender::Impl {
  Dataset data;
  FrameAppenderOptions options;
  std::vector<std::uint64_t> dims;  ///< of the dataset now
  std::uint64_t frame_elements = 1;
  std::uint64_t frames = 0;
  bool closed = false;
  PendingFrames held{};                  ///< what comes is added to it
  std::vector<PendingFrames> waiting{};  ///< other frames to be written, after an error perhaps
  PendingFrames spare{};                 ///< memory for the next ones
  mutable std::mutex mutex{};

  std::vector<std::uint64_t> dims_now() const {
    const std::lock_guard lock(mutex);
    return dims;
  }
};

FrameAppender::FrameAppender(Dataset data, const FrameAppenderOptions& options) {
  const Dataspace space = data.space();
  if (space.dims().size() < 2 || space.max_dims().front() != unlimited)
    throw Error(ErrorKind::invalid_argument,
                fmt::format("'{}' is no stream of frames: its first dimension cannot grow without bound",
                            data.path()));
  impl_.reset(new Impl{std::move(data), options, space.dims()});
  impl_->frames = space.dims().front();
  for (std::size_t d = 1; d < space.dims().size(); ++d) impl_->frame_elements *= space.dims()[d];
}

FrameAppender::~FrameAppender() {
  try {
    close();
  } catch (...) {
    // Callers that need the error call close().
  }
}

std::uint64_t FrameAppender::frames() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->frames;
}

std::uint64_t FrameAppender::next_frame() {
  const std::lock_guard lock(impl_->mutex);
  if (impl_->closed) throw Error(ErrorKind::invalid_argument, "the appender of frames has been closed");
  if (impl_->frames == impl_->dims[0]) {
    auto larger = impl_->dims;
    larger[0] += std::max<std::uint64_t>(64, larger[0] / 8);
    impl_->data.resize(larger);
    impl_->dims = larger;
  }
  return impl_->frames++;
}

std::vector<std::uint64_t> FrameAppender::offsets_of(std::span<const std::uint64_t> coordinates) const {
  const std::vector<std::uint64_t> dims = impl_->dims_now();
  const std::size_t rank = dims.size() - 1;
  if (coordinates.size() % rank != 0)
    throw Error(
        ErrorKind::invalid_argument,
        fmt::format("{} coordinates are not those of pixels of {} dimensions", coordinates.size(), rank));
  std::vector<std::uint64_t> offsets(coordinates.size() / rank);
  const std::uint64_t* at = coordinates.data();
  for (std::uint64_t& offset : offsets) {
    for (std::size_t d = 1; d <= rank; ++d, ++at) {
      if (*at >= dims[d])
        throw Error(ErrorKind::invalid_argument,
                    fmt::format("a pixel has coordinate {} in dimension {} of a frame, which has {}", *at,
                                d - 1, dims[d]));
      offset = offset * dims[d] + *at;
    }
  }
  return offsets;
}

std::uint64_t FrameAppender::append_pixels(const Datatype& type, const void* values, std::size_t count,
                                           std::span<const std::uint64_t> offsets) {
  if (count != offsets.size())
    throw Error(ErrorKind::invalid_argument, fmt::format("{} values for {} pixels", count, offsets.size()));
  if (count == 0) return next_frame();
  const std::uint64_t size = impl_->frame_elements;
  bool ascending = true;  // accumulated without branches
  for (std::size_t i = 1; i < count; ++i) ascending &= offsets[i - 1] < offsets[i];
  if (const std::uint64_t last = ascending ? offsets.back() : std::ranges::max(offsets); last >= size)
    throw Error(ErrorKind::invalid_argument, fmt::format("pixel {} is beyond a frame of {}", last, size));
  const std::uint64_t frame = next_frame(), base = frame * size;
  if (ascending && !type.has_variable_parts()) {
    buffer_frame(type, values, offsets, frame);
    return frame;
  }
  const std::vector<std::uint64_t> dims = impl_->dims_now();
  std::vector<std::uint64_t> coordinates(count * dims.size());
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t rest = base + offsets[i];
    for (std::size_t d = dims.size(); d-- > 0; rest /= dims[d])
      coordinates[i * dims.size() + d] = rest % dims[d];
  }
  impl_->data.write_elements(type, values, count, Selection::points(dims, coordinates));
  return frame;
}

std::uint64_t FrameAppender::append_box(const Datatype& type, const void* values, std::size_t count,
                                        const std::vector<std::uint64_t>& start,
                                        const std::vector<std::uint64_t>& size) {
  const std::uint64_t frame = next_frame();
  std::vector<std::uint64_t> from{frame};
  std::vector<std::uint64_t> box{1};
  from.insert(from.end(), start.begin(), start.end());
  box.insert(box.end(), size.begin(), size.end());
  impl_->data.write_elements(type, values, count, Selection::box(from, box));
  return frame;
}

void FrameAppender::buffer_frame(const Datatype& type, const void* values,
                                 std::span<const std::uint64_t> offsets, std::uint64_t frame) {
  const std::span bytes(static_cast<const std::byte*>(values), offsets.size() * type.size());
  {
    const std::lock_guard lock(impl_->mutex);
    if (impl_->held.type && !(*impl_->held.type == type))
      impl_->waiting.push_back(std::exchange(impl_->held, {}));
    PendingFrames& held = impl_->held;
    if (held.frames.empty()) {
      const std::size_t room = std::min(impl_->options.buffer_bytes, std::size_t{16} << 20);
      held.offsets.reserve(room / sizeof(std::uint64_t) + offsets.size());
      held.values.reserve(std::min(room, room / sizeof(std::uint64_t) * type.size()) + bytes.size());
    }
    held.type = type;
    const std::size_t first = held.offsets.size();
    held.frames.push_back({frame, first, offsets.size()});
    held.offsets.insert(held.offsets.end(), offsets.begin(), offsets.end());
    for (std::size_t i = first; i < held.offsets.size(); ++i)
      held.offsets[i] += frame * impl_->frame_elements;
    held.values.insert(held.values.end(), bytes.begin(), bytes.end());
    if (!held.is_at_least(impl_->options.buffer_bytes) && impl_->waiting.empty()) return;
  }
  write_pending();
}

void FrameAppender::write(PendingFrames& frames) {
  frames.sort();
  const std::uint64_t size = impl_->frame_elements, first = frames.frames.front().number;
  impl_->data.write_offsets(*frames.type, frames.values.data(), frames.offsets,
                            {first * size, (frames.frames.back().number + 1 - first) * size});
}

/// Other threads may add frames meanwhile.
void FrameAppender::write_pending() {
  std::vector<PendingFrames> all;
  {
    const std::lock_guard lock(impl_->mutex);
    all.swap(impl_->waiting);
    if (!impl_->held.frames.empty())
      all.push_back(std::exchange(impl_->held, std::exchange(impl_->spare, {})));
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    try {
      write(all[i]);
    } catch (...) {
      const std::lock_guard lock(impl_->mutex);
      std::move(all.begin() + static_cast<std::ptrdiff_t>(i), all.end(), std::back_inserter(impl_->waiting));
      throw;
    }
  }
  if (all.empty()) return;
  all.back().clear();
  const std::lock_guard lock(impl_->mutex);
  impl_->spare = std::move(all.back());
}

void FrameAppender::flush() {
  write_pending();
  const std::lock_guard lock(impl_->mutex);
  if (impl_->frames == impl_->dims[0]) return;
  auto exact = impl_->dims;
  exact[0] = impl_->frames;
  impl_->data.resize(exact);
  impl_->dims = exact;
}

void FrameAppender::close() {
  {
    const std::lock_guard lock(impl_->mutex);
    if (impl_->closed) return;
  }
  flush();
  const std::lock_guard lock(impl_->mutex);
  impl_->closed = true;
}

}  // namespace filigree
