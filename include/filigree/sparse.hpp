// SPDX-License-Identifier: Apache-2.0
//
// Operations on sparse datasets: coordinates and offsets, defined elements with their values, sparse matrices
// (CSR, CSC, COO). All of them work on dense datasets too, where every element is defined.
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
#include <filigree/frame_appender.hpp>
#include <filigree/selection.hpp>

namespace filigree {

/// Builds the creation options of a sparse dataset in one expression:
///
///     root.create_dataset<float>("d", Dataspace::simple({n, m}),
///                                sparse_chunks({256, 256}).values(filters::shuffle(), filters::zstd(3)));
class SparseChunks {
 public:
  explicit SparseChunks(std::vector<std::uint64_t> chunk) {
    options_.chunk = std::move(chunk);
    options_.sparse = true;
  }
  SparseChunks(const ExpectedDensity& density, ChunkAccess access) {
    options_.density = density;
    options_.access = access;
    options_.sparse = true;
  }
  /// Sets the filters of the element section.
  SparseChunks& values(std::vector<FilterChoice> filters) {
    options_.filters = std::move(filters);
    return *this;
  }
  template <std::same_as<FilterChoice>... Filters>
  SparseChunks& values(const Filters&... filters) {
    return values(std::vector<FilterChoice>{filters...});
  }
  /// Sets the filters of the selection section, which encodes the defined elements.
  SparseChunks& selection(std::vector<FilterChoice> filters) {
    options_.selection_filters = std::move(filters);
    return *this;
  }
  template <std::same_as<FilterChoice>... Filters>
  SparseChunks& selection(const Filters&... filters) {
    return selection(std::vector<FilterChoice>{filters...});
  }
  /// Sets the filters of the heap section, which holds strings and sequences.
  SparseChunks& heap(std::vector<FilterChoice> filters) {
    options_.heap_filters = std::move(filters);
    return *this;
  }
  template <std::same_as<FilterChoice>... Filters>
  SparseChunks& heap(const Filters&... filters) {
    return heap(std::vector<FilterChoice>{filters...});
  }
  /// Stores strings and sequences so that prototypes can read them; see DatasetOptions::heap_sets.
  SparseChunks& heap_sets() {
    options_.heap_sets = true;
    return *this;
  }
  /// Chooses the form that HDF5 can read with a plug-in; see DatasetOptions::portable.
  SparseChunks& portable() {
    options_.portable = true;
    return *this;
  }
  /// Sets the fill value, as which undefined elements read.
  SparseChunks& fill(Fill fill) {
    options_.fill = std::move(fill);
    return *this;
  }
  operator DatasetOptions() const { return options_; }

 private:
  DatasetOptions options_;
};
/// Starts the creation options of a sparse dataset with these chunk dimensions.
inline SparseChunks sparse_chunks(std::vector<std::uint64_t> chunk) { return SparseChunks(std::move(chunk)); }
/// Does the same with the chunk dimensions that suggest_sparse_chunks() chooses.
inline SparseChunks sparse_chunks(const ExpectedDensity& density,
                                  ChunkAccess access = ChunkAccess::anything) {
  return SparseChunks(density, access);
}

/// Returns how many of the selected elements are defined.
inline std::uint64_t defined_count(const Dataset& data, const Selection& selection = {}) {
  return data.defined(selection).elements();
}

/// Defined elements and their values in the same order.
template <Element T>
struct DefinedValues {
  Selection elements;
  std::vector<T> values;
};

/// Reads the defined ones of the selected elements with their values in one pass.
template <Element T>
DefinedValues<T> read_defined(const Dataset& data, const Selection& selection = {}) {
  DefinedValues<T> defined;
  defined.elements = data.read_defined_elements(Datatype::memory<T>(), selection, [&](std::size_t count) {
    defined.values = ValueShape<std::vector<T>>::make(count);
    return const_cast<T*>(ValueShape<std::vector<T>>::data(defined.values));
  });
  return defined;
}

/// Linear offsets of defined elements (row-major, in the extent, ascending) and their values.
template <Element T>
struct DefinedOffsets {
  std::vector<std::uint64_t> offsets;
  std::vector<T> values;
};

/// Reads the linear offsets and values of the defined ones of the selected elements. This is the fastest way
/// to read all of a dataset whose elements are scattered.
template <Element T>
DefinedOffsets<T> read_defined_offsets(const Dataset& data, const Selection& selection = {}) {
  DefinedOffsets<T> defined;
  const auto allocate = [&](std::size_t count) {
    defined.offsets.resize(count);
    defined.values.resize(count);
    return Dataset::OffsetBuffer{defined.offsets.data(), defined.values.data()};
  };
  const std::size_t count = data.read_defined_offsets(Datatype::memory<T>(), selection, allocate);
  defined.offsets.resize(count);
  defined.values.resize(count);
  return defined;
}

/// Splits the selection into parts that are contiguous in row-major order. In a sparse dataset each part has
/// about `elements` defined elements, but at least those of one row of chunks. Other datasets are one part.
/// Throws: Error(invalid_argument) if `elements` is 0.
FILIGREE_EXPORT std::vector<Selection> partition_defined(const Dataset& data, const Selection& selection,
                                                         std::uint64_t elements);

/// Calls `visit(elements, values)` for parts of the defined elements, in row-major order. At most
/// `most_elements` values are in memory at a time. The set of defined elements takes 16 bytes per run; runs
/// of one part, or of one row of chunks if that is more, are held at a time.
template <Element T>
void for_each_defined(const Dataset& data,
                      const std::function<void(const Selection&, std::span<const T>)>& visit,
                      const Selection& selection = {}, std::uint64_t most_elements = std::uint64_t{1} << 20) {
  const std::vector<std::uint64_t> extent = data.space().dims();
  std::vector<Selection::Run> part;
  std::uint64_t part_elements = 0;
  const auto visit_part = [&] {
    const Selection elements = Selection::of_runs(extent, part);
    const auto values = data.read<std::vector<T>>(elements);
    visit(elements, values);
    part.clear();
    part_elements = 0;
  };
  for (const Selection& some : partition_defined(data, selection, most_elements)) {
    const Selection defined = data.defined(some);
    if (defined.elements() == 0) continue;
    for (Selection::Run run : defined.runs()) {
      while (run.length > 0) {
        const std::uint64_t length = std::min(run.length, most_elements - part_elements);
        part.push_back({run.start, length});
        part_elements += length;
        run = {run.start + length, run.length - length};
        if (part_elements == most_elements) visit_part();
      }
    }
  }
  if (part_elements > 0) visit_part();
}

// Elements by linear offset or by coordinates. Both take the same path: coordinates are converted to offsets.

/// Writes one value per linear offset (row-major, in the extent); see Dataset::write_offsets() for `covered`.
/// Requires: `offsets` ascend.
/// Throws: Error(invalid_argument) if they do not, if one is outside of the extent, or if the number of
/// values differs.
template <Element T>
void write_offsets(Dataset& data, std::span<const std::uint64_t> offsets, std::span<const T> values,
                   Selection::Run covered = {0, 0}) {
  if (offsets.size() != values.size())
    throw Error(ErrorKind::invalid_argument, "the numbers of offsets and values differ");
  data.write_offsets(Datatype::memory<T>(), values.data(), offsets, covered);
}

/// Returns `values[order[i]]` for every i. Requires: every item of `order` is less than the number of values.
template <Element T>
std::unique_ptr<T[]> in_order(std::span<const T> values, std::span<const std::size_t> order) {
  auto sorted = std::make_unique<T[]>(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) sorted[i] = values[order[i]];
  return sorted;
}

/// Writes `values[order[i]]` to `offsets[i]`; an empty `order` stands for the order of the values.
/// Requires: `offsets` ascend; every item of `order` is less than the number of values.
template <Element T>
void write_offsets_in_order(Dataset& data, std::span<const std::uint64_t> offsets, std::span<const T> values,
                            std::span<const std::size_t> order, Selection::Run covered = {0, 0}) {
  if (order.empty()) return write_offsets<T>(data, offsets, values, covered);
  const auto sorted = in_order<T>(values, order);
  write_offsets<T>(data, offsets, std::span<const T>(sorted.get(), order.size()), covered);
}

/// Converts coordinates of elements, as in Selection::of_coordinates(), to ascending linear offsets.
///
/// `order[i]` is the index of the item at offset i of the result. It stays empty if the items are in
/// ascending order already. If several items name one element, the last one is kept. Throws:
/// Error(invalid_argument) if there are not as many items as `values`, or for an item outside of the extent,
/// naming the item.
FILIGREE_EXPORT std::vector<std::uint64_t> coordinate_offsets(const std::vector<std::uint64_t>& extent,
                                                              std::span<const std::uint64_t> coordinates,
                                                              std::size_t values,
                                                              std::vector<std::size_t>& order);

/// Writes one value per element, given by its coordinates in any order; see Selection::of_coordinates(). If
/// several items name one element, the last one is written.
/// Throws: Error(invalid_argument) for coordinates outside of the extent, or if the number of values differs.
template <Element T>
void write_coordinates(Dataset& data, std::span<const std::uint64_t> coordinates, std::span<const T> values) {
  std::unique_ptr<T[]> sorted;
  const auto arrange = [&](std::span<const std::size_t> order) -> const void* {
    if (order.empty()) return values.data();
    sorted = in_order<T>(values, order);
    return sorted.get();
  };
  data.write_coordinates(Datatype::memory<T>(), coordinates, values.size(), arrange);
}

/// Writes those values of a dense array for which `chosen` returns true; all other elements are unchanged.
/// The array has the shape of the box at `start`. Returns the number of values written.
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
      const std::uint64_t offset = row.start + i;
      if (!runs.empty() && runs.back().start + runs.back().length == offset) {
        ++runs.back().length;
      } else {
        runs.push_back({offset, 1});
      }
      values.push_back(dense[at]);
    }
  }
  if (!values.empty()) data.write(values, Selection::of_runs(space.dims(), runs));
  return values.size();
}

/// Writes the chosen values of an array that has the shape of the whole dataset.
template <Element T, class Chosen>
std::uint64_t write_where(Dataset& data, std::span<const T> dense, Chosen chosen) {
  const Dataspace space = data.space();
  const std::vector<std::uint64_t> count = space.dims();
  return write_where(data, dense, chosen, std::vector<std::uint64_t>(count.size(), 0), count);
}

/// Returns a scalar dataset in memory whose element is the fill value of `data`.
FILIGREE_EXPORT Dataset fill_element(const Dataset& data);

/// Writes the values of a dense array that differ from the fill value.
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

/// A sparse matrix in compressed row storage (CSR). Row i has the values from row_starts[i] to
/// row_starts[i + 1], in ascending columns.
template <Element T>
struct Csr {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::vector<std::uint64_t> row_starts;
  std::vector<std::uint64_t> column_indices;
  std::vector<T> values;
};

/// A sparse matrix in compressed column storage (CSC).
template <Element T>
struct Csc {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::vector<std::uint64_t> column_starts;
  std::vector<std::uint64_t> row_indices;
  std::vector<T> values;
};

/// A sparse matrix as a list of coordinates and values (COO), in any order.
template <Element T>
struct Coo {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::vector<std::uint64_t> row_indices;
  std::vector<std::uint64_t> column_indices;
  std::vector<T> values;
};

/// Checks the index arrays of a compressed matrix: starts that ascend from 0 to the number of values, and
/// indices that ascend within each row and are less than `minor`. Returns the number of runs of adjacent
/// elements.
/// Throws: Error(invalid_argument), naming the row.
FILIGREE_EXPORT std::uint64_t compressed_runs(std::uint64_t major, std::uint64_t minor,
                                              std::span<const std::uint64_t> starts,
                                              std::span<const std::uint64_t> indices, std::size_t values);
/// Returns the elements of a compressed matrix as a selection. This is best for rows with many adjacent
/// elements.
FILIGREE_EXPORT Selection compressed_selection(std::uint64_t major, std::uint64_t minor,
                                               std::span<const std::uint64_t> starts,
                                               std::span<const std::uint64_t> indices);
/// Returns the linear offsets of the elements of a compressed matrix.
FILIGREE_EXPORT std::vector<std::uint64_t> compressed_offsets(std::uint64_t minor,
                                                              std::span<const std::uint64_t> starts,
                                                              std::span<const std::uint64_t> indices);
/// Converts ascending linear offsets to indices within rows, in place, and returns the row starts.
FILIGREE_EXPORT std::vector<std::uint64_t> compressed_starts(std::uint64_t major, std::uint64_t minor,
                                                             std::span<std::uint64_t> offsets);
/// Converts the row and column indices of a matrix, in any order, to ascending linear offsets; see
/// coordinate_offsets() for `order`.
/// Throws: Error(invalid_argument), naming the item that is outside of the matrix.
FILIGREE_EXPORT std::vector<std::uint64_t> coo_offsets(std::uint64_t rows, std::uint64_t columns,
                                                       std::span<const std::uint64_t> row_indices,
                                                       std::span<const std::uint64_t> column_indices,
                                                       std::vector<std::size_t>& order);
/// Transposes a compressed matrix. `order[i]` is the index in the source of value i of the result.
FILIGREE_EXPORT void transpose_compressed(std::uint64_t minor, std::span<const std::uint64_t> starts,
                                          std::span<const std::uint64_t> indices,
                                          std::vector<std::uint64_t>& other_starts,
                                          std::vector<std::uint64_t>& other_indices,
                                          std::vector<std::size_t>& order);
/// Returns the dimensions of a dataset of rank 2.
/// Throws: Error(invalid_argument) for another rank.
FILIGREE_EXPORT std::vector<std::uint64_t> matrix_dims(const Dataset& data);
/// Throws: Error(invalid_argument) unless the dataset has rank 2 and these dimensions.
FILIGREE_EXPORT void require_matrix(const Dataset& data, std::uint64_t rows, std::uint64_t columns);

/// Writes the elements of a matrix; all other elements are unchanged.
/// Requires: the matrix has the dimensions of the dataset.
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

/// Reads the defined elements of a dataset of rank 2.
template <Element T>
Csr<T> read_csr(const Dataset& data) {
  const std::vector<std::uint64_t> dims = matrix_dims(data);
  auto [offsets, values] = read_defined_offsets<T>(data);
  Csr<T> matrix{dims[0], dims[1], compressed_starts(dims[0], dims[1], offsets), {}, std::move(values)};
  matrix.column_indices = std::move(offsets);
  return matrix;
}

/// Writes the elements of a matrix, as write_csr(). If an element is listed more than once, the last value is
/// written.
template <Element T>
void write_coo(Dataset& data, const Coo<T>& matrix) {
  require_matrix(data, matrix.rows, matrix.columns);
  if (matrix.row_indices.size() != matrix.values.size() ||
      matrix.column_indices.size() != matrix.values.size())
    throw Error(ErrorKind::invalid_argument, "rows, columns and values differ in number");
  if (matrix.values.empty()) return;
  std::vector<std::size_t> order;
  const auto offsets =
      coo_offsets(matrix.rows, matrix.columns, matrix.row_indices, matrix.column_indices, order);
  const Selection::Run all{0, matrix.rows * matrix.columns};
  write_offsets_in_order<T>(data, offsets, matrix.values, order, all);
}

/// Reads the defined elements of a dataset of rank 2 in row-major order.
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

/// Writes the elements of a matrix, as write_csr().
template <Element T>
void write_csc(Dataset& data, const Csc<T>& matrix) {
  require_matrix(data, matrix.rows, matrix.columns);
  // The indices are checked before they are used.
  (void)compressed_runs(matrix.columns, matrix.rows, matrix.column_starts, matrix.row_indices,
                        matrix.values.size());
  if (matrix.rows / 16 >
      matrix.values.size()) {  // an array of all row starts would be larger than the elements
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

/// Reads the defined elements of a dataset of rank 2.
template <Element T>
Csc<T> read_csc(const Dataset& data) {
  const Coo<T> list = read_coo<T>(data);
  Csc<T> matrix{list.rows, list.columns, std::vector<std::uint64_t>(list.columns + 1), {}, {}};
  for (const std::uint64_t column : list.column_indices) ++matrix.column_starts[column + 1];
  for (std::uint64_t i = 0; i < list.columns; ++i) matrix.column_starts[i + 1] += matrix.column_starts[i];
  // Each start advances to the end of its column, which is the start of the next column.
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

}  // namespace filigree
