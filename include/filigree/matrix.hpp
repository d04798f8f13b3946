// SPDX-License-Identifier: Apache-2.0
//
// Sparse matrices: datasets of rank 2 as CSR, CSC or COO arrays with indices of any integer type.
//
//     const auto counts = read_csr<float, std::int32_t>(data);              // all of it
//     const auto some = read_csr<float, std::int32_t>(data, rows);          // some rows, in this order
//     const auto genes = read_csc<float, std::int32_t>(data, columns);      // some columns
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <filigree/dataset.hpp>
#include <filigree/error.hpp>
#include <filigree/export.hpp>
#include <filigree/sparse.hpp>

namespace filigree {

/// A type for the indices of matrices.
template <class Index>
concept MatrixIndex = std::integral<Index> && !std::same_as<Index, bool>;

/// A sparse matrix in compressed row storage (CSR). Row i has the values from row_starts[i] to
/// row_starts[i + 1], in ascending columns.
template <Element T, MatrixIndex Index = std::uint64_t>
struct Csr {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::vector<Index> row_starts;
  std::vector<Index> column_indices;
  std::vector<T> values;
};

/// A sparse matrix in compressed column storage (CSC).
template <Element T, MatrixIndex Index = std::uint64_t>
struct Csc {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::vector<Index> column_starts;
  std::vector<Index> row_indices;
  std::vector<T> values;
};

/// A sparse matrix as a list of coordinates and values (COO), in any order.
template <Element T, MatrixIndex Index = std::uint64_t>
struct Coo {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::vector<Index> row_indices;
  std::vector<Index> column_indices;
  std::vector<T> values;
};

/// The arrays of a matrix in memory of the caller. `starts` has an item more than there are rows (CSR) or
/// columns (CSC).
template <class T, class Index>
struct CompressedSpans {
  std::span<Index> starts;
  std::span<Index> indices;
  std::span<T> values;
};

/// Returns the dimensions of a dataset of rank 2.
/// Throws: Error(invalid_argument) for another rank.
FILIGREE_EXPORT std::vector<std::uint64_t> matrix_dims(const Dataset& data);
/// Throws: Error(invalid_argument) unless the dataset has rank 2 and these dimensions.
FILIGREE_EXPORT void require_matrix(const Dataset& data, std::uint64_t rows, std::uint64_t columns);
/// Returns the selection of rows of a matrix, in any order.
/// Throws: Error(invalid_argument), naming a row that does not exist.
FILIGREE_EXPORT Selection select_rows(const std::vector<std::uint64_t>& dims,
                                      std::span<const std::uint64_t> rows);
/// Returns the selection of columns in the rows from `first_row` up to `end_row`.
/// Throws: Error(invalid_argument), naming a column that does not exist.
FILIGREE_EXPORT Selection select_columns(const std::vector<std::uint64_t>& dims,
                                         std::span<const std::uint64_t> columns, std::uint64_t first_row,
                                         std::uint64_t end_row);

namespace matrix_detail {

// Parts of the functions below. Numbers are unsigned: a negative index is very large, and thus out of range.

/// Throws: Error(invalid_argument) for arrays that do not make a compressed matrix; `row` is the row, or the
/// column, that is wrong.
[[noreturn]] FILIGREE_EXPORT void refuse_arrays(std::uint64_t starts, std::uint64_t major,
                                                std::uint64_t indices, std::uint64_t values);
[[noreturn]] FILIGREE_EXPORT void refuse_starts(std::uint64_t row);
[[noreturn]] FILIGREE_EXPORT void refuse_index(std::uint64_t index, std::uint64_t row, std::uint64_t minor);
/// Throws: Error(limit): an index type holds at most `most`.
[[noreturn]] FILIGREE_EXPORT void refuse_width(std::uint64_t needed, std::uint64_t most);
/// Throws: Error(invalid_argument): memory of the caller is too small.
[[noreturn]] FILIGREE_EXPORT void refuse_memory(std::uint64_t needed, std::uint64_t given);
/// Returns how many rows of a dataset are read at a time, for so many columns: a multiple of the rows of a
/// chunk.
FILIGREE_EXPORT std::uint64_t rows_per_read(const Dataset& data, std::size_t columns);
/// Ascending elements of a matrix, collected as runs if so many runs are few, and else as offsets.
class FILIGREE_EXPORT SortedElements {
 public:
  SortedElements(const std::vector<std::uint64_t>& dims, std::uint64_t elements, std::uint64_t runs);
  void add(std::uint64_t offset) {
    if (!as_runs_) {
      offsets_.push_back(offset);
    } else if (!runs_.empty() && runs_.back().start + runs_.back().length == offset) {
      ++runs_.back().length;
    } else {
      runs_.push_back({offset, 1});
    }
  }
  /// Writes the values of all elements.
  void write(Dataset& data, const Datatype& memory_type, const void* values) const;

 private:
  std::vector<std::uint64_t> dims_;
  std::uint64_t elements_;
  bool as_runs_;
  std::vector<Selection::Run> runs_;
  std::vector<std::uint64_t> offsets_;
};
/// Converts the row and column indices of a matrix, in any order, to ascending linear offsets; see
/// coordinate_offsets() for `order`.
/// Throws: Error(invalid_argument), naming the item that is outside of the matrix.
FILIGREE_EXPORT std::vector<std::uint64_t> coo_offsets(std::uint64_t rows, std::uint64_t columns,
                                                       std::span<const std::uint64_t> row_indices,
                                                       std::span<const std::uint64_t> column_indices,
                                                       std::vector<std::size_t>& order);

template <class Index>
std::uint64_t number(Index index) {
  return static_cast<std::uint64_t>(index);
}

template <class Index>
void require_fits(std::uint64_t largest) {
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<Index>::max());
  if (largest > most) refuse_width(largest, most);
}

/// Checks a compressed matrix of `major` rows, and calls `visit(row, index, i)` for each element.
template <class Index, class Visit>
void for_each(std::uint64_t major, std::uint64_t minor, std::span<const Index> starts,
              std::span<const Index> indices, std::size_t values, const Visit& visit) {
  if (starts.empty() || starts.size() - 1 != major || number(starts.front()) != 0 ||
      number(starts.back()) != indices.size() || values != indices.size())
    refuse_arrays(starts.size(), major, indices.size(), values);
  for (std::uint64_t row = 0; row < major; ++row) {
    const std::uint64_t begin = number(starts[row]), end = number(starts[row + 1]);
    if (end < begin || end > indices.size()) refuse_starts(row);
    for (std::uint64_t i = begin; i < end; ++i) {
      const std::uint64_t index = number(indices[i]);
      if (index >= minor || (i > begin && index <= number(indices[i - 1]))) refuse_index(index, row, minor);
      visit(row, index, i);
    }
  }
}

/// Converts counts to starts. Throws: Error(limit) if the index type cannot hold them.
template <class Index>
void starts_of(std::span<const std::uint64_t> counts, std::span<Index> starts) {
  std::uint64_t sum = 0;
  starts[0] = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    sum += counts[i];
    starts[i + 1] = static_cast<Index>(sum);
  }
  require_fits<Index>(sum);
}

/// Reads columns and values of all elements; `allocate(count)` returns spans for them.
template <Element T, class Index, class Allocate>
std::size_t read_columns(const Dataset& data, std::span<std::uint64_t> counts, const Allocate& allocate) {
  constexpr bool is_direct = sizeof(Index) == 4 || sizeof(Index) == 8;
  using Column = std::conditional_t<is_direct, Index, std::uint32_t>;
  std::vector<std::uint32_t> wide;
  std::span<Index> columns;
  const auto make = [&](std::size_t count) {
    const auto [indices, values] = allocate(count);
    columns = indices;
    if constexpr (is_direct) return Dataset::ColumnBuffer{indices.data(), values.data()};
    wide.resize(count);
    return Dataset::ColumnBuffer{wide.data(), values.data()};
  };
  const std::size_t count = data.read_defined_columns(Datatype::memory<T>(), sizeof(Column), counts, make);
  if constexpr (!is_direct)
    for (std::size_t i = 0; i < count; ++i) columns[i] = static_cast<Index>(wide[i]);
  return count;
}

/// Elements of some rows or columns, with their number for each.
template <class T, class Index>
struct Groups {
  std::vector<std::uint64_t> counts;
  std::vector<Index> indices;
  std::vector<T> values;
};

/// Arranges groups in the order of a list that may repeat them. `sorted` has each once.
template <class T, class Index>
void arrange(const Groups<T, Index>& groups, std::span<const std::uint64_t> sorted,
             std::span<const std::uint64_t> wanted, std::vector<Index>& starts, std::vector<Index>& indices,
             std::vector<T>& values) {
  std::vector<std::uint64_t> firsts(sorted.size() + 1), counts;
  for (std::size_t i = 0; i < sorted.size(); ++i) firsts[i + 1] = firsts[i] + groups.counts[i];
  for (const std::uint64_t one : wanted) {
    const auto at = static_cast<std::size_t>(std::ranges::lower_bound(sorted, one) - sorted.begin());
    counts.push_back(groups.counts[at]);
    const auto first = static_cast<std::ptrdiff_t>(firsts[at]),
               end = static_cast<std::ptrdiff_t>(firsts[at + 1]);
    indices.insert(indices.end(), groups.indices.begin() + first, groups.indices.begin() + end);
    values.insert(values.end(), groups.values.begin() + first, groups.values.begin() + end);
  }
  starts.resize(wanted.size() + 1);
  starts_of<Index>(counts, starts);
}

inline std::vector<std::uint64_t> sorted_unique(std::span<const std::uint64_t> numbers) {
  std::vector<std::uint64_t> sorted(numbers.begin(), numbers.end());
  std::ranges::sort(sorted);
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  return sorted;
}

/// Sorts elements by group. `group(i)` is the group of element i, `index(i)` its index in the result.
template <class T, class Index, class Group, class IndexOf>
Groups<T, Index> by_group(std::size_t groups, std::vector<T> values, const Group& group,
                          const IndexOf& index) {
  Groups<T, Index> sorted{std::vector<std::uint64_t>(groups), std::vector<Index>(values.size()),
                          std::vector<T>(values.size())};
  for (std::size_t i = 0; i < values.size(); ++i) ++sorted.counts[group(i)];
  std::vector<std::uint64_t> next(groups + 1);
  for (std::size_t i = 0; i < groups; ++i) next[i + 1] = next[i] + sorted.counts[i];
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint64_t at = next[group(i)]++;
    sorted.indices[at] = static_cast<Index>(index(i));
    sorted.values[at] = std::move(values[i]);
  }
  return sorted;
}

}  // namespace matrix_detail

// CSR.

/// Writes the elements of a matrix in memory of the caller; all other elements are unchanged.
/// Throws: Error(invalid_argument) for arrays that are not a matrix with the dimensions of the dataset,
/// naming the row.
template <Element T, MatrixIndex Index>
void write_csr(Dataset& data, const CompressedSpans<const T, const Index>& arrays) {
  const std::vector<std::uint64_t> dims = matrix_dims(data);
  const auto visit = [&](const auto& each) {
    matrix_detail::for_each<Index>(dims[0], dims[1], arrays.starts, arrays.indices, arrays.values.size(),
                                   each);
  };
  std::uint64_t runs = 0, next = ~std::uint64_t{0};
  visit([&](std::uint64_t row, std::uint64_t column, std::uint64_t) {
    const std::uint64_t offset = row * dims[1] + column;
    runs += std::exchange(next, offset + 1) != offset;
  });
  matrix_detail::SortedElements elements(dims, arrays.values.size(), runs);
  visit(
      [&](std::uint64_t row, std::uint64_t column, std::uint64_t) { elements.add(row * dims[1] + column); });
  elements.write(data, Datatype::memory<T>(), arrays.values.data());
}

/// Writes the elements of a matrix; all other elements are unchanged.
/// Requires: the matrix has the dimensions of the dataset.
template <Element T, MatrixIndex Index>
void write_csr(Dataset& data, const Csr<T, Index>& matrix) {
  require_matrix(data, matrix.rows, matrix.columns);
  write_csr<T, Index>(
      data, CompressedSpans<const T, const Index>{matrix.row_starts, matrix.column_indices, matrix.values});
}

/// Reads the defined elements of a dataset of rank 2.
/// Throws: Error(limit) if the index type cannot hold the columns, or the number of elements.
template <Element T, MatrixIndex Index = std::uint64_t>
Csr<T, Index> read_csr(const Dataset& data) {
  const std::vector<std::uint64_t> dims = matrix_dims(data);
  matrix_detail::require_fits<Index>(dims[1]);
  Csr<T, Index> found{dims[0], dims[1], std::vector<Index>(dims[0] + 1), {}, {}};
  std::vector<std::uint64_t> counts(dims[0]);
  const std::size_t count = matrix_detail::read_columns<T, Index>(data, counts, [&](std::size_t most) {
    found.column_indices.resize(most);
    found.values.resize(most);
    return std::pair(std::span(found.column_indices), std::span(found.values));
  });
  found.column_indices.resize(count);
  found.values.resize(count);
  matrix_detail::starts_of<Index>(counts, found.row_starts);
  return found;
}

/// Reads the defined elements into memory of the caller, which needs space for defined_count() elements.
/// Returns the number of elements.
/// Throws: as read_csr(); Error(invalid_argument) if the memory is too small.
template <Element T, MatrixIndex Index>
std::size_t read_csr_into(const Dataset& data, const CompressedSpans<T, Index>& arrays) {
  const std::vector<std::uint64_t> dims = matrix_dims(data);
  matrix_detail::require_fits<Index>(dims[1]);
  if (arrays.starts.size() != dims[0] + 1) matrix_detail::refuse_memory(dims[0] + 1, arrays.starts.size());
  std::vector<std::uint64_t> counts(dims[0]);
  const std::size_t count = matrix_detail::read_columns<T, Index>(data, counts, [&](std::size_t most) {
    const std::size_t given = std::min(arrays.indices.size(), arrays.values.size());
    if (most > given) matrix_detail::refuse_memory(most, given);
    return std::pair(arrays.indices, arrays.values);
  });
  matrix_detail::starts_of<Index>(counts, arrays.starts);
  return count;
}

/// Reads the defined elements of some rows, in any order; row i of the result is `rows[i]`. Each chunk that
/// the rows touch is decoded once. Throws: Error(invalid_argument) for a row that does not exist; as
/// read_csr().
template <Element T, MatrixIndex Index = std::uint64_t>
Csr<T, Index> read_csr(const Dataset& data, std::span<const std::uint64_t> rows) {
  const std::vector<std::uint64_t> dims = matrix_dims(data);
  matrix_detail::require_fits<Index>(dims[1]);
  const std::vector<std::uint64_t> sorted = matrix_detail::sorted_unique(rows);
  auto [offsets, values] = read_defined_offsets<T>(data, select_rows(dims, sorted));
  matrix_detail::Groups<T, Index> groups{std::vector<std::uint64_t>(sorted.size()),
                                         std::vector<Index>(offsets.size()), std::move(values)};
  std::size_t at = 0;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    while (offsets[i] - sorted[at] * dims[1] >= dims[1]) ++at;
    ++groups.counts[at];
    groups.indices[i] = static_cast<Index>(offsets[i] - sorted[at] * dims[1]);
  }
  Csr<T, Index> found{rows.size(), dims[1], {}, {}, {}};
  if (std::ranges::equal(sorted, rows)) {
    found.row_starts.resize(rows.size() + 1);
    matrix_detail::starts_of<Index>(groups.counts, found.row_starts);
    found.column_indices = std::move(groups.indices);
    found.values = std::move(groups.values);
    return found;
  }
  matrix_detail::arrange<T, Index>(groups, sorted, rows, found.row_starts, found.column_indices,
                                   found.values);
  return found;
}

// COO.

/// Writes the elements of a matrix, as write_csr(). If an element is listed more than once, the last value is
/// written.
template <Element T, MatrixIndex Index>
void write_coo(Dataset& data, const Coo<T, Index>& list) {
  require_matrix(data, list.rows, list.columns);
  if (list.row_indices.size() != list.values.size() || list.column_indices.size() != list.values.size())
    throw Error(ErrorKind::invalid_argument, "rows, columns and values differ in number");
  if (list.values.empty()) return;
  std::vector<std::size_t> order;
  std::vector<std::uint64_t> offsets;
  if constexpr (std::same_as<Index, std::uint64_t>) {
    offsets =
        matrix_detail::coo_offsets(list.rows, list.columns, list.row_indices, list.column_indices, order);
  } else {
    const std::vector<std::uint64_t> rows(list.row_indices.begin(), list.row_indices.end());
    const std::vector<std::uint64_t> columns(list.column_indices.begin(), list.column_indices.end());
    offsets = matrix_detail::coo_offsets(list.rows, list.columns, rows, columns, order);
  }
  const Selection::Run all{0, list.rows * list.columns};
  write_offsets_in_order<T>(data, offsets, list.values, order, all);
}

/// Reads the defined ones of the selected elements of a dataset of rank 2, in row-major order.
/// Throws: Error(limit) if the index type cannot hold the dimensions.
template <Element T, MatrixIndex Index = std::uint64_t>
Coo<T, Index> read_coo(const Dataset& data, const Selection& selection = {}) {
  const std::vector<std::uint64_t> dims = matrix_dims(data);
  matrix_detail::require_fits<Index>(std::max(dims[0], dims[1]));
  auto [offsets, values] = read_defined_offsets<T>(data, selection);
  Coo<T, Index> found{dims[0], dims[1], std::vector<Index>(offsets.size()),
                      std::vector<Index>(offsets.size()), std::move(values)};
  std::uint64_t row = 0, row_start = 0;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    if (offsets[i] - row_start >= dims[1]) {
      row = offsets[i] / dims[1];
      row_start = row * dims[1];
    }
    found.row_indices[i] = static_cast<Index>(row);
    found.column_indices[i] = static_cast<Index>(offsets[i] - row_start);
  }
  return found;
}

// CSC.

/// Writes the elements of a matrix, as write_csr().
template <Element T, MatrixIndex Index>
void write_csc(Dataset& data, const Csc<T, Index>& columns) {
  require_matrix(data, columns.rows, columns.columns);
  const std::span<const Index> starts = columns.column_starts, indices = columns.row_indices;
  const auto visit = [&](const auto& each) {
    matrix_detail::for_each<Index>(columns.columns, columns.rows, starts, indices, columns.values.size(),
                                   each);
  };
  if (columns.rows / 16 > columns.values.size()) {  // counts of all rows would be larger than the elements
    Coo<T> list{columns.rows, columns.columns, {}, {}, columns.values};
    visit([&](std::uint64_t column, std::uint64_t row, std::uint64_t) {
      list.row_indices.push_back(row);
      list.column_indices.push_back(column);
    });
    return write_coo(data, list);
  }
  std::vector<std::uint64_t> next(columns.rows + 1);
  visit([&](std::uint64_t, std::uint64_t row, std::uint64_t) { ++next[row + 1]; });
  for (std::uint64_t row = 0; row < columns.rows; ++row) next[row + 1] += next[row];
  std::vector<std::uint64_t> offsets(columns.values.size());
  std::vector<T> values(columns.values.size());
  visit([&](std::uint64_t column, std::uint64_t row, std::uint64_t i) {
    const std::uint64_t at = next[row]++;
    offsets[at] = row * columns.columns + column;
    values[at] = columns.values[i];
  });
  write_offsets<T>(data, offsets, values, {0, columns.rows * columns.columns});
}

/// Reads the defined elements of a dataset of rank 2.
/// Throws: Error(limit) if the index type cannot hold the dimensions, or the number of elements.
template <Element T, MatrixIndex Index = std::uint64_t>
Csc<T, Index> read_csc(const Dataset& data) {
  Coo<T, Index> list = read_coo<T, Index>(data);
  auto sorted = matrix_detail::by_group<T, Index>(
      static_cast<std::size_t>(list.columns), std::move(list.values),
      [&](std::size_t i) { return static_cast<std::size_t>(list.column_indices[i]); },
      [&](std::size_t i) { return list.row_indices[i]; });
  Csc<T, Index> found{list.rows, list.columns, std::vector<Index>(list.columns + 1),
                      std::move(sorted.indices), std::move(sorted.values)};
  matrix_detail::starts_of<Index>(sorted.counts, found.column_starts);
  return found;
}

/// Reads the defined elements of some columns, in any order; column i of the result is `columns[i]`. Each
/// chunk that the columns touch is decoded once. Throws: Error(invalid_argument) for a column that does not
/// exist; as read_csc().
template <Element T, MatrixIndex Index = std::uint64_t>
Csc<T, Index> read_csc(const Dataset& data, std::span<const std::uint64_t> columns) {
  const std::vector<std::uint64_t> dims = matrix_dims(data);
  matrix_detail::require_fits<Index>(dims[0]);
  const std::vector<std::uint64_t> sorted = matrix_detail::sorted_unique(columns);
  DefinedOffsets<T> all;
  const std::uint64_t step = matrix_detail::rows_per_read(data, sorted.size());
  for (std::uint64_t first = 0; first < dims[0]; first += step) {
    const std::uint64_t end = first + std::min(step, dims[0] - first);
    auto [offsets, values] = read_defined_offsets<T>(data, select_columns(dims, sorted, first, end));
    all.offsets.insert(all.offsets.end(), offsets.begin(), offsets.end());
    all.values.insert(all.values.end(), std::make_move_iterator(values.begin()),
                      std::make_move_iterator(values.end()));
  }
  const auto groups = matrix_detail::by_group<T, Index>(
      sorted.size(), std::move(all.values),
      [&](std::size_t i) {
        return static_cast<std::size_t>(std::ranges::lower_bound(sorted, all.offsets[i] % dims[1]) -
                                        sorted.begin());
      },
      [&](std::size_t i) { return all.offsets[i] / dims[1]; });
  Csc<T, Index> found{dims[0], columns.size(), {}, {}, {}};
  matrix_detail::arrange<T, Index>(groups, sorted, columns, found.column_starts, found.row_indices,
                                   found.values);
  return found;
}

}  // namespace filigree
