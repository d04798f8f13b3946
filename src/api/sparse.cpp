// SPDX-License-Identifier: Apache-2.0
#include <filigree/sparse.hpp>

#include <mutex>

#include <fmt/format.h>

namespace filigree {

void require_matrix(const Dataset& data, std::uint64_t rows, std::uint64_t columns) {
  const Dataspace space = data.space();
  if (space.dims() == std::vector<std::uint64_t>{rows, columns}) return;
  if (space.dims().size() != 2)
    throw Error(ErrorKind::invalid_argument,
                fmt::format("'{}' has {} dimensions, a matrix has 2", data.path(), space.dims().size()));
  throw Error(ErrorKind::invalid_argument,
              fmt::format("a matrix of {} x {} for '{}', which has {} x {}", rows, columns, data.path(),
                          space.dims()[0], space.dims()[1]));
}

Selection compressed_selection(std::uint64_t major, std::uint64_t minor,
                               std::span<const std::uint64_t> starts, std::span<const std::uint64_t> indices,
                               std::size_t values) {
  const auto refuse = [](const std::string& what) { throw Error(ErrorKind::invalid_argument, what); };
  if (starts.size() != major + 1 || starts.front() != 0 || starts.back() != indices.size())
    refuse(fmt::format("a compressed matrix of {} rows needs {} starts, from 0 to its {} indices", major,
                       major + 1, indices.size()));
  if (values != indices.size()) refuse(fmt::format("{} values for {} indices", values, indices.size()));
  std::vector<Selection::Run> runs;
  for (std::uint64_t row = 0; row < major; ++row) {
    if (starts[row + 1] < starts[row] || starts[row + 1] > indices.size())
      refuse(fmt::format("the starts of a compressed matrix descend after row {}", row));
    for (std::uint64_t i = starts[row]; i < starts[row + 1]; ++i) {
      if (indices[i] >= minor || (i > starts[row] && indices[i] <= indices[i - 1]))
        refuse(fmt::format("index {} of row {} is beyond {} or does not ascend", indices[i], row, minor));
      const std::uint64_t place = row * minor + indices[i];
      if (!runs.empty() && runs.back().start + runs.back().length == place) {
        ++runs.back().length;
      } else {
        runs.push_back({place, 1});
      }
    }
  }
  return Selection::of_runs({major, minor}, runs);
}

void compressed_indices(const Selection& elements, std::vector<std::uint64_t>& starts,
                        std::vector<std::uint64_t>& indices) {
  const std::vector<std::uint64_t> extent = elements.extent().value();
  starts.assign(extent[0] + 1, 0);
  indices.clear();
  indices.reserve(elements.elements());
  for (const Selection::Run& run : elements.runs()) {
    for (std::uint64_t place = run.start; place < run.start + run.length; ++place) {
      indices.push_back(place % extent[1]);
      ++starts[place / extent[1] + 1];
    }
  }
  for (std::size_t row = 1; row < starts.size(); ++row) starts[row] += starts[row - 1];
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
      const std::uint64_t place = next[indices[i]]++;
      other_indices[place] = row;
      order[place] = i;
    }
  }
}

struct FrameAppender::Impl {
  Dataset data;
  std::vector<std::uint64_t> dims;  ///< of the dataset now
  std::uint64_t frames = 0;
  bool closed = false;
  mutable std::mutex mutex;
};

FrameAppender::FrameAppender(Dataset data) {
  const Dataspace space = data.space();
  if (space.dims().size() < 2 || space.max_dims().front() != unlimited)
    throw Error(ErrorKind::invalid_argument,
                fmt::format("'{}' is no stream of frames: its first dimension cannot grow without bound",
                            data.path()));
  impl_.reset(new Impl{std::move(data), space.dims(), space.dims().front(), false, {}});
}

FrameAppender::~FrameAppender() {
  try {
    close();
  } catch (...) {
    // Whoever wants to know calls close().
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

std::vector<std::uint64_t> FrameAppender::placed(std::uint64_t frame,
                                                 std::span<const std::uint64_t> coordinates) const {
  const std::size_t rank = impl_->dims.size() - 1;
  if (coordinates.size() % rank != 0)
    throw Error(
        ErrorKind::invalid_argument,
        fmt::format("{} coordinates are not those of pixels of {} dimensions", coordinates.size(), rank));
  std::vector<std::uint64_t> places;
  places.reserve(coordinates.size() / rank * (rank + 1));
  for (std::size_t i = 0; i < coordinates.size(); i += rank) {
    places.push_back(frame);
    places.insert(places.end(), coordinates.begin() + static_cast<std::ptrdiff_t>(i),
                  coordinates.begin() + static_cast<std::ptrdiff_t>(i + rank));
  }
  return places;
}

Selection FrameAppender::points(std::span<const std::uint64_t> places) const {
  std::vector<std::uint64_t> dims;
  {
    const std::lock_guard lock(impl_->mutex);
    dims = impl_->dims;
  }
  return Selection::points(dims, places);
}

Selection FrameAppender::pixels(std::uint64_t frame, std::span<const std::uint64_t> offsets) const {
  std::vector<std::uint64_t> dims;
  {
    const std::lock_guard lock(impl_->mutex);
    dims = impl_->dims;
  }
  std::uint64_t size = 1;
  for (std::size_t d = 1; d < dims.size(); ++d) size *= dims[d];
  std::vector<std::uint64_t> places(offsets.size());
  bool ascending = true;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    if (offsets[i] >= size)
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("pixel {} is beyond a frame of {}", offsets[i], size));
    ascending = ascending && (i == 0 || offsets[i - 1] < offsets[i]);
    places[i] = frame * size + offsets[i];
  }
  if (ascending) return Selection::of_offsets(dims, places);
  std::vector<std::uint64_t> coordinates;
  for (const std::uint64_t place : places) {
    const std::size_t first = coordinates.size();
    coordinates.resize(first + dims.size());
    std::uint64_t rest = place;
    for (std::size_t d = dims.size(); d-- > 0; rest /= dims[d]) coordinates[first + d] = rest % dims[d];
  }
  return Selection::points(dims, coordinates);
}

Selection FrameAppender::region(std::uint64_t frame, const std::vector<std::uint64_t>& start,
                                const std::vector<std::uint64_t>& count) const {
  std::vector<std::uint64_t> from{frame};
  std::vector<std::uint64_t> size{1};
  from.insert(from.end(), start.begin(), start.end());
  size.insert(size.end(), count.begin(), count.end());
  return Selection::box(from, size);
}

void FrameAppender::write(const Datatype& type, const void* values, std::size_t count,
                          const Selection& selection) {
  impl_->data.write_elements(type, values, count, selection);
}

void FrameAppender::close() {
  const std::lock_guard lock(impl_->mutex);
  if (impl_->closed) return;
  if (impl_->frames != impl_->dims[0]) {
    auto exact = impl_->dims;
    exact[0] = impl_->frames;
    impl_->data.resize(exact);
    impl_->dims = exact;
  }
  impl_->closed = true;
}

}  // namespace filigree
