// SPDX-License-Identifier: Apache-2.0
#include <filigree/matrix.hpp>

#include <algorithm>

#include <fmt/format.h>

#include "api/selection_access.hpp"
#include "api/sort_offsets.hpp"
#include "space/frame.hpp"
#include "space/run_set.hpp"

namespace filigree {
namespace {

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorKind::invalid_argument, what); }

Selection selection_of(const std::vector<std::uint64_t>& dims, space::RunSetWriter& runs) {
  return api::SelectionAccess::make(space::Selection::of_runs(space::Frame(dims), runs.finish()));
}

}  // namespace

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

Selection select_rows(const std::vector<std::uint64_t>& dims, std::span<const std::uint64_t> rows) {
  const std::vector<std::uint64_t> sorted = matrix_detail::sorted_unique(rows);
  if (!sorted.empty() && sorted.back() >= dims[0])
    refuse(fmt::format("row {} of a matrix that has {}", sorted.back(), dims[0]));
  if (dims[1] == 0) return Selection::none();
  space::RunSetWriter runs(sorted.size());
  for (const std::uint64_t row : sorted) runs.add({row * dims[1], dims[1]});
  return selection_of(dims, runs);
}

Selection select_columns(const std::vector<std::uint64_t>& dims, std::span<const std::uint64_t> columns,
                         std::uint64_t first_row, std::uint64_t end_row) {
  const std::vector<std::uint64_t> sorted = matrix_detail::sorted_unique(columns);
  if (!sorted.empty() && sorted.back() >= dims[1])
    refuse(fmt::format("column {} of a matrix that has {}", sorted.back(), dims[1]));
  if (first_row > end_row || end_row > dims[0])
    refuse(fmt::format("rows {} to {} of a matrix that has {}", first_row, end_row, dims[0]));
  space::RunSetWriter runs((end_row - first_row) * sorted.size());
  for (std::uint64_t row = first_row; row < end_row; ++row)
    for (const std::uint64_t column : sorted) runs.add({row * dims[1] + column, 1});
  return selection_of(dims, runs);
}

namespace matrix_detail {

void refuse_arrays(std::uint64_t starts, std::uint64_t major, std::uint64_t indices, std::uint64_t values) {
  refuse(fmt::format(
      "a compressed matrix of {} rows needs {} starts, from 0 to the number of its indices, and as "
      "many values as indices; there are {} starts, {} indices, {} values",
      major, major + 1, starts, indices, values));
}

void refuse_starts(std::uint64_t row) {
  refuse(fmt::format("the starts of a compressed matrix descend after row {}", row));
}

void refuse_index(std::uint64_t index, std::uint64_t row, std::uint64_t minor) {
  refuse(fmt::format("index {} of row {} is beyond {} or does not ascend", index, row, minor));
}

void refuse_width(std::uint64_t needed, std::uint64_t most) {
  throw Error(
      ErrorKind::limit,
      fmt::format("the matrix needs indices up to {}; the index type holds at most {}", needed, most));
}

void refuse_memory(std::uint64_t needed, std::uint64_t given) {
  refuse(fmt::format("memory for {} items; {} are needed", given, needed));
}

std::uint64_t rows_per_read(const Dataset& data, std::size_t columns) {
  constexpr std::uint64_t selected = std::uint64_t{1} << 20;  // elements of a read
  const auto chunk = data.creation_options().chunk;
  const std::uint64_t rows = chunk.empty() ? 1 : chunk[0];
  return std::max<std::uint64_t>(1, selected / std::max<std::size_t>(1, columns) / rows) * rows;
}

SortedElements::SortedElements(const std::vector<std::uint64_t>& dims, std::uint64_t elements,
                               std::uint64_t runs)
    : dims_(dims), elements_(elements), as_runs_(runs < elements / 4) {
  if (as_runs_) {
    runs_.reserve(static_cast<std::size_t>(runs));
  } else {
    offsets_.reserve(static_cast<std::size_t>(elements));
  }
}

void SortedElements::write(Dataset& data, const Datatype& memory_type, const void* values) const {
  if (as_runs_) return data.write_elements(memory_type, values, elements_, Selection::of_runs(dims_, runs_));
  data.write_offsets(memory_type, values, offsets_, {0, dims_[0] * dims_[1]});
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
  return api::sort_offsets(std::move(offsets), order);
}

}  // namespace matrix_detail
}  // namespace filigree
