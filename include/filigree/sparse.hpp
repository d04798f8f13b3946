// SPDX-License-Identifier: Apache-2.0
//
// What people do with sparse datasets: points, the defined elements with their values, sparse matrices,
// streams of frames. All of it works on dense datasets too, where every element is defined.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include <filigree/dataset.hpp>
#include <filigree/error.hpp>
#include <filigree/export.hpp>
#include <filigree/selection.hpp>

namespace filigree {

/// Options of a sparse dataset, to be put together in one expression:
///
///     root.create_dataset<float>("d", Dataspace::simple({n, m}),
///                                sparse_chunks({256, 256}).values(filters::shuffle(), filters::zstd(3)));
class SparseChunks {
 public:
  explicit SparseChunks(std::vector<std::uint64_t> chunk) {
    options_.chunk = std::move(chunk);
    options_.sparse = true;
  }
  /// Filters of the values.
  SparseChunks& values(std::vector<FilterChoice> filters) {
    options_.filters = std::move(filters);
    return *this;
  }
  template <std::same_as<FilterChoice>... Filters>
  SparseChunks& values(const Filters&... filters) {
    return values(std::vector<FilterChoice>{filters...});
  }
  /// Filters of the part that says which elements are defined.
  SparseChunks& selection(std::vector<FilterChoice> filters) {
    options_.selection_filters = std::move(filters);
    return *this;
  }
  template <std::same_as<FilterChoice>... Filters>
  SparseChunks& selection(const Filters&... filters) {
    return selection(std::vector<FilterChoice>{filters...});
  }
  /// Filters of strings and sequences.
  SparseChunks& heap(std::vector<FilterChoice> filters) {
    options_.heap_filters = std::move(filters);
    return *this;
  }
  template <std::same_as<FilterChoice>... Filters>
  SparseChunks& heap(const Filters&... filters) {
    return heap(std::vector<FilterChoice>{filters...});
  }
  /// What undefined elements read as.
  SparseChunks& fill(Fill fill) {
    options_.fill = std::move(fill);
    return *this;
  }
  operator DatasetOptions() const { return options_; }

 private:
  DatasetOptions options_;
};
/// Begins the options of a sparse dataset.
inline SparseChunks sparse_chunks(std::vector<std::uint64_t> chunk) { return SparseChunks(std::move(chunk)); }

/// How many of the selected elements are defined.
inline std::uint64_t defined_count(const Dataset& data, const Selection& selection = {}) {
  return data.defined(selection).elements();
}

/// Defined elements and, in the same order, their values.
template <Element T>
struct DefinedValues {
  Selection elements;
  std::vector<T> values;
};

/// The defined ones of the selected elements, in one pass.
template <Element T>
DefinedValues<T> read_defined(const Dataset& data, const Selection& selection = {}) {
  DefinedValues<T> found;
  found.elements = data.read_defined_elements(Datatype::memory<T>(), selection, [&](std::size_t count) {
    found.values = ValueShape<std::vector<T>>::make(count);
    return const_cast<T*>(ValueShape<std::vector<T>>::data(found.values));
  });
  return found;
}

/// Numbers of elements in row-major order of the extent, ascending, and their values.
template <Element T>
struct DefinedOffsets {
  std::vector<std::uint64_t> offsets;
  std::vector<T> values;
};

/// As read_defined(), with numbers instead of a selection. Takes the least time of all where elements are
/// scattered and everything is wanted.
template <Element T>
DefinedOffsets<T> read_defined_offsets(const Dataset& data, const Selection& selection = {}) {
  DefinedOffsets<T> found;
  const auto room = [&](std::size_t count) {
    found.offsets.resize(count);
    found.values.resize(count);
    return Dataset::OffsetRoom{found.offsets.data(), found.values.data()};
  };
  const std::size_t count = data.read_defined_offsets(Datatype::memory<T>(), selection, room);
  found.offsets.resize(count);
  found.values.resize(count);
  return found;
}

/// The selected elements in parts that come one behind the other in row-major order. Of a sparse dataset each
/// part defines about `elements` of them, or what one row of chunks defines where that is more; others are
/// one part. Throws Error(invalid_argument) for parts of nothing.
FILIGREE_EXPORT std::vector<Selection> bands_of_defined(const Dataset& data, const Selection& selection,
                                                        std::uint64_t elements);

/// Calls `see(elements, values)` for parts of the defined elements, in row-major order, with at most
/// `most_elements` values in memory at a time. So many runs of the set of defined elements are held too, or
/// those of one row of chunks where that is more, 16 bytes a run.
template <Element T>
void for_each_defined(const Dataset& data,
                      const std::function<void(const Selection&, std::span<const T>)>& see,
                      const Selection& selection = {}, std::uint64_t most_elements = std::uint64_t{1} << 20) {
  const std::vector<std::uint64_t> extent = data.space().dims();
  std::vector<Selection::Run> part;
  std::uint64_t held = 0;
  const auto give = [&] {
    const Selection elements = Selection::of_runs(extent, part);
    const auto values = data.read<std::vector<T>>(elements);
    see(elements, values);
    part.clear();
    held = 0;
  };
  for (const Selection& band : bands_of_defined(data, selection, most_elements)) {
    const Selection defined = data.defined(band);
    if (defined.elements() == 0) continue;
    for (Selection::Run run : defined.runs()) {
      while (run.length > 0) {
        const std::uint64_t taken = std::min(run.length, most_elements - held);
        part.push_back({run.start, taken});
        held += taken;
        run = {run.start + taken, run.length - taken};
        if (held == most_elements) give();
      }
    }
  }
  if (held > 0) give();
}

/// One value for each point; coordinates as in Selection::points(). Of points that are named twice the last
/// one counts.
template <Element T>
void write_points(Dataset& data, std::span<const std::uint64_t> coordinates, std::span<const T> values) {
  const Dataspace space = data.space();
  data.write(values, Selection::points(space.dims(), coordinates));
}

/// One value for each element, by ascending numbers in row-major order of the extent; `covered` as in
/// Dataset::write_offsets().
template <Element T>
void write_offsets(Dataset& data, std::span<const std::uint64_t> offsets, std::span<const T> values,
                   Selection::Run covered = {0, 0}) {
  if (offsets.size() != values.size())
    throw Error(ErrorKind::invalid_argument, "numbers of elements and values differ in number");
  data.write_offsets(Datatype::memory<T>(), values.data(), offsets, covered);
}

/// Writes those values of a dense array, which has the shape of the box at `start`, that `chosen` accepts.
/// What it does not accept stays as it is. Returns how many were written.
template <Element T, class Chosen>
std::uint64_t write_where(Dataset& data, std::span<const T> dense, Chosen chosen,
                          const std::vector<std::uint64_t>& start, const std::vector<std::uint64_t>& count) {
  const Dataspace space = data.space();
  const Selection box = Selection::box(start, count).within(space.dims());
  if (box.elements() != dense.size())
    throw Error(ErrorKind::invalid_argument, "the array has another number of elements than the box");
  std::vector<Selection::Run> runs;
  std::vector<T> values;
  std::size_t at = 0;
  for (const Selection::Run& row : box.runs()) {
    for (std::uint64_t i = 0; i < row.length; ++i, ++at) {
      if (!chosen(dense[at])) continue;
      const std::uint64_t place = row.start + i;
      if (!runs.empty() && runs.back().start + runs.back().length == place) {
        ++runs.back().length;
      } else {
        runs.push_back({place, 1});
      }
      values.push_back(dense[at]);
    }
  }
  if (!values.empty()) data.write(values, Selection::of_runs(space.dims(), runs));
  return values.size();
}

/// The same for an array of the shape of the whole dataset.
template <Element T, class Chosen>
std::uint64_t write_where(Dataset& data, std::span<const T> dense, Chosen chosen) {
  const Dataspace space = data.space();
  const std::vector<std::uint64_t> count = space.dims();
  return write_where(data, dense, chosen, std::vector<std::uint64_t>(count.size(), 0), count);
}

/// A dataset of one element, in memory only, which is what unwritten elements of `data` read as.
FILIGREE_EXPORT Dataset fill_element(const Dataset& data);

/// As above, of the values that unwritten elements do not read as anyway.
template <Element T>
std::uint64_t write_where(Dataset& data, std::span<const T> dense, const std::vector<std::uint64_t>& start,
                          const std::vector<std::uint64_t>& count) {
  const T fill = fill_element(data).template read<T>();
  const auto is_fill = [&](const T& value) {
    if constexpr (std::is_floating_point_v<T>) {
      if (value != value) return fill != fill;
    }
    return value == fill;
  };
  return write_where(
      data, dense, [&](const T& value) { return !is_fill(value); }, start, count);
}
template <Element T>
std::uint64_t write_where(Dataset& data, std::span<const T> dense) {
  const Dataspace space = data.space();
  const std::vector<std::uint64_t> count = space.dims();
  return write_where(data, dense, std::vector<std::uint64_t>(count.size(), 0), count);
}

/// A sparse matrix by rows: row i has the values from row_starts[i] to row_starts[i + 1], in ascending
/// columns.
template <Element T>
struct Csr {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::vector<std::uint64_t> row_starts;
  std::vector<std::uint64_t> column_indices;
  std::vector<T> values;
};

/// The same by columns.
template <Element T>
struct Csc {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::vector<std::uint64_t> column_starts;
  std::vector<std::uint64_t> row_indices;
  std::vector<T> values;
};

/// Coordinates and values in any order.
template <Element T>
struct Coo {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::vector<std::uint64_t> row_indices;
  std::vector<std::uint64_t> column_indices;
  std::vector<T> values;
};

/// Checks the index arrays of a compressed matrix: starts that ascend from 0 to the number of values, indices
/// that ascend within each row and lie below `minor`. Throws Error(invalid_argument), naming the row. Returns
/// how many runs of neighbours there are.
FILIGREE_EXPORT std::uint64_t compressed_runs(std::uint64_t major, std::uint64_t minor,
                                              std::span<const std::uint64_t> starts,
                                              std::span<const std::uint64_t> indices, std::size_t values);
/// Elements of such a matrix as runs of positions, for rows that have many neighbours.
FILIGREE_EXPORT Selection compressed_selection(std::uint64_t major, std::uint64_t minor,
                                               std::span<const std::uint64_t> starts,
                                               std::span<const std::uint64_t> indices);
/// The same as numbers in row-major order, for others.
FILIGREE_EXPORT std::vector<std::uint64_t> compressed_offsets(std::uint64_t minor,
                                                              std::span<const std::uint64_t> starts,
                                                              std::span<const std::uint64_t> indices);
/// The way back: makes indices within rows of the numbers, and where rows start.
FILIGREE_EXPORT std::vector<std::uint64_t> compressed_starts(std::uint64_t major, std::uint64_t minor,
                                                             std::span<std::uint64_t> offsets);
/// Rows and columns of the elements of a matrix, in any order, as numbers that ascend. Where they were in
/// another order, or an element is named more than once, `order[i]` says which item is element i, the last
/// one of several; else `order` is left empty. Throws Error(invalid_argument), naming the item that lies
/// outside.
FILIGREE_EXPORT std::vector<std::uint64_t> listed_offsets(std::uint64_t rows, std::uint64_t columns,
                                                          std::span<const std::uint64_t> row_indices,
                                                          std::span<const std::uint64_t> column_indices,
                                                          std::vector<std::size_t>& order);
/// Changes between rows and columns: `order[i]` says where value i of the result was.
FILIGREE_EXPORT void transpose_compressed(std::uint64_t minor, std::span<const std::uint64_t> starts,
                                          std::span<const std::uint64_t> indices,
                                          std::vector<std::uint64_t>& other_starts,
                                          std::vector<std::uint64_t>& other_indices,
                                          std::vector<std::size_t>& order);
/// The dimensions of a dataset of rank 2. Throws Error(invalid_argument) for others.
FILIGREE_EXPORT std::vector<std::uint64_t> matrix_dims(const Dataset& data);
/// Throws Error(invalid_argument) unless the dataset has rank 2 and these dimensions.
FILIGREE_EXPORT void require_matrix(const Dataset& data, std::uint64_t rows, std::uint64_t columns);

/// The matrix has the dimensions of the dataset. Elements that it does not name stay as they are.
template <Element T>
void write_csr(Dataset& data, const Csr<T>& matrix) {
  require_matrix(data, matrix.rows, matrix.columns);
  const std::uint64_t runs = compressed_runs(matrix.rows, matrix.columns, matrix.row_starts,
                                             matrix.column_indices, matrix.values.size());
  if (runs < matrix.values.size() / 4) {
    return data.write(matrix.values, compressed_selection(matrix.rows, matrix.columns, matrix.row_starts,
                                                          matrix.column_indices));
  }
  const auto offsets = compressed_offsets(matrix.columns, matrix.row_starts, matrix.column_indices);
  write_offsets<T>(data, offsets, matrix.values, {0, matrix.rows * matrix.columns});
}

/// The defined elements of a dataset of rank 2.
template <Element T>
Csr<T> read_csr(const Dataset& data) {
  const std::vector<std::uint64_t> dims = matrix_dims(data);
  auto [offsets, values] = read_defined_offsets<T>(data);
  Csr<T> matrix{dims[0], dims[1], compressed_starts(dims[0], dims[1], offsets), {}, std::move(values)};
  matrix.column_indices = std::move(offsets);
  return matrix;
}

/// As write_csr(); of elements that are named twice the last one counts.
template <Element T>
void write_coo(Dataset& data, const Coo<T>& matrix) {
  require_matrix(data, matrix.rows, matrix.columns);
  if (matrix.row_indices.size() != matrix.values.size() ||
      matrix.column_indices.size() != matrix.values.size())
    throw Error(ErrorKind::invalid_argument, "rows, columns and values differ in number");
  if (matrix.values.empty()) return;
  std::vector<std::size_t> order;
  const auto offsets =
      listed_offsets(matrix.rows, matrix.columns, matrix.row_indices, matrix.column_indices, order);
  const Selection::Run all{0, matrix.rows * matrix.columns};
  if (order.empty()) return write_offsets<T>(data, offsets, matrix.values, all);
  std::vector<T> sorted;
  sorted.reserve(order.size());
  for (const std::size_t i : order) sorted.push_back(matrix.values[i]);
  write_offsets<T>(data, offsets, sorted, all);
}

/// The defined elements of a dataset of rank 2, in row-major order.
template <Element T>
Coo<T> read_coo(const Dataset& data) {
  const std::vector<std::uint64_t> dims = matrix_dims(data);
  auto [offsets, values] = read_defined_offsets<T>(data);
  Coo<T> matrix{dims[0], dims[1], {}, std::move(offsets), std::move(values)};
  matrix.row_indices.reserve(matrix.values.size());
  std::uint64_t row = 0, row_start = 0;
  for (std::uint64_t& index : matrix.column_indices) {
    if (index - row_start >= dims[1]) {
      row = index / dims[1];
      row_start = row * dims[1];
    }
    matrix.row_indices.push_back(row);
    index -= row_start;
  }
  return matrix;
}

/// As write_csr().
template <Element T>
void write_csc(Dataset& data, const Csc<T>& matrix) {
  require_matrix(data, matrix.rows, matrix.columns);
  // Checks before the indices are used.
  (void)compressed_runs(matrix.columns, matrix.rows, matrix.column_starts, matrix.row_indices,
                        matrix.values.size());
  if (matrix.rows / 16 > matrix.values.size()) {  // a list of all rows would cost more than the elements
    Coo<T> list{matrix.rows, matrix.columns, matrix.row_indices, {}, matrix.values};
    list.column_indices.reserve(matrix.values.size());
    for (std::uint64_t column = 0; column < matrix.columns; ++column)
      list.column_indices.insert(list.column_indices.end(),
                                 matrix.column_starts[column + 1] - matrix.column_starts[column], column);
    return write_coo(data, list);
  }
  Csr<T> rows{matrix.rows, matrix.columns, {}, {}, {}};
  std::vector<std::size_t> order;
  transpose_compressed(matrix.rows, matrix.column_starts, matrix.row_indices, rows.row_starts,
                       rows.column_indices, order);
  rows.values.reserve(order.size());
  for (const std::size_t i : order) rows.values.push_back(matrix.values[i]);
  write_csr(data, rows);
}

/// The defined elements of a dataset of rank 2.
template <Element T>
Csc<T> read_csc(const Dataset& data) {
  const Coo<T> list = read_coo<T>(data);
  Csc<T> matrix{list.rows, list.columns, std::vector<std::uint64_t>(list.columns + 1), {}, {}};
  for (const std::uint64_t column : list.column_indices) ++matrix.column_starts[column + 1];
  for (std::uint64_t i = 0; i < list.columns; ++i) matrix.column_starts[i + 1] += matrix.column_starts[i];
  // Starts move to the ends of their columns, and are those of the next ones then.
  std::vector<std::size_t> order(list.values.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[matrix.column_starts[list.column_indices[i]]++] = i;
  std::shift_right(matrix.column_starts.begin(), matrix.column_starts.end(), 1);
  matrix.column_starts.front() = 0;
  matrix.row_indices.reserve(order.size());
  matrix.values.reserve(order.size());
  for (const std::size_t i : order) {
    matrix.row_indices.push_back(list.row_indices[i]);
    matrix.values.push_back(list.values[i]);
  }
  return matrix;
}

/// How an appender of frames works.
struct FrameAppenderOptions {
  /// Held back at most, about, so that many frames are written at once and on all cores; 0: every frame is
  /// written when it comes.
  std::size_t buffer_bytes = 4u << 20;
};

/// Puts frames one behind the other into a dataset whose first dimension is unlimited, such as (time, y, x).
/// Frames may come from several threads; each call gives the number that its frame got. A frame that is
/// refused, with Error(invalid_argument), gets none. What was appended is in the dataset, and its extent
/// exact, after flush() and close(); before that the extent grows in steps.
class FILIGREE_EXPORT FrameAppender {
 public:
  /// Goes on behind the frames that there are. Throws Error(invalid_argument) for a dataset that cannot grow.
  explicit FrameAppender(Dataset data, const FrameAppenderOptions& options = {});
  /// As close(), but what goes wrong is lost.
  ~FrameAppender();
  FrameAppender(const FrameAppender&) = delete;
  FrameAppender& operator=(const FrameAppender&) = delete;

  /// A frame of single pixels: their coordinates within the frame, one pixel after the other. Of pixels that
  /// are named twice the last one counts. Pixels in row-major order take the least time.
  template <Element T>
  std::uint64_t append_points(std::span<const std::uint64_t> coordinates, std::span<const T> values) {
    return append_pixels(Datatype::memory<T>(), values.data(), values.size(), numbers_of(coordinates));
  }
  /// The same with numbers of pixels in row-major order of the frame.
  template <Element T>
  std::uint64_t append_offsets(std::span<const std::uint64_t> offsets, std::span<const T> values) {
    return append_pixels(Datatype::memory<T>(), values.data(), values.size(), offsets);
  }
  /// A frame of which a box is known.
  template <Element T>
  std::uint64_t append_region(const std::vector<std::uint64_t>& start,
                              const std::vector<std::uint64_t>& count, std::span<const T> values) {
    return append_box(Datatype::memory<T>(), values.data(), values.size(), start, count);
  }
  /// A frame without anything in it.
  std::uint64_t append_empty() { return next_frame(); }

  /// Frames of the dataset, those that are being written included.
  std::uint64_t frames() const;
  /// Writes what is held back and makes the extent exact. After an Error nothing is lost: it may be called
  /// again.
  void flush();
  /// Flushes; nothing can be appended afterwards. Throws what went wrong.
  void close();

 private:
  struct Impl;
  struct Held;
  std::uint64_t next_frame();
  std::vector<std::uint64_t> numbers_of(std::span<const std::uint64_t> coordinates) const;
  std::uint64_t append_pixels(const Datatype& type, const void* values, std::size_t count,
                              std::span<const std::uint64_t> offsets);
  std::uint64_t append_box(const Datatype& type, const void* values, std::size_t count,
                           const std::vector<std::uint64_t>& start, const std::vector<std::uint64_t>& size);
  void hold(const Datatype& type, const void* values, std::span<const std::uint64_t> offsets,
            std::uint64_t frame);
  void write(Held& frames);
  void write_held();
  std::unique_ptr<Impl> impl_;
};

}  // namespace filigree
