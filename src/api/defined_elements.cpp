// SPDX-License-Identifier: Apache-2.0
//
// Datasets: which elements are defined, and their values.
#include <algorithm>

#include <fmt/format.h>

#include <filigree/dataset.hpp>
#include <filigree/error.hpp>

#include "api/selection_access.hpp"
#include "api/transfer_selections.hpp"
#include "api/type_access.hpp"
#include "api/with_dataset.hpp"

namespace filigree {

using api::file_selection;
using api::with_dataset;

Selection Dataset::defined(const Selection& selection) const {
  return with_dataset(*impl_, "looking at",
                      [&](const model::Dataset& dataset) { return api::find_defined(dataset, selection); });
}

DefinedElements Dataset::defined_in_extent(const Selection& selection) const {
  return with_dataset(*impl_, "looking at", [&](const model::Dataset& dataset) {
    Selection elements = api::find_defined(dataset, selection);
    return DefinedElements{api::to_public(dataset.extent()), std::move(elements)};
  });
}

Selection Dataset::read_defined_elements(const Datatype& memory_type, const Selection& selection,
                                         const std::function<void*(std::size_t)>& allocate) const {
  return with_dataset(*impl_, "reading", [&](const model::Dataset& dataset) {
    const auto make = [&](std::uint64_t count) {
      return static_cast<std::byte*>(allocate(static_cast<std::size_t>(count)));
    };
    const auto& type = api::TypeAccess::impl(memory_type).message;
    if (!dataset.is_huge())
      return api::SelectionAccess::make(dataset.read_defined(file_selection(dataset, selection), type, make));
    Selection defined = api::find_defined(dataset, selection);
    const std::uint64_t count = defined.elements();
    dataset.require_data(count, type.size);
    read_elements(memory_type, make(count), count, defined);
    return defined;
  });
}

std::size_t Dataset::read_defined_offsets(const Datatype& memory_type, const Selection& selection,
                                          const std::function<OffsetBuffer(std::size_t)>& allocate) const {
  return with_dataset(*impl_, "reading", [&](const model::Dataset& dataset) {
    const auto make = [&](std::uint64_t count) {
      const OffsetBuffer buffer = allocate(static_cast<std::size_t>(count));
      return model::OffsetBuffers{buffer.offsets, static_cast<std::byte*>(buffer.values)};
    };
    return static_cast<std::size_t>(dataset.read_defined_offsets(
        file_selection(dataset, selection), api::TypeAccess::impl(memory_type).message, make));
  });
}

std::uint64_t Dataset::defined_count(const Selection& selection) const {
  return with_dataset(*impl_, "looking at", [&](const model::Dataset& dataset) {
    if (dataset.is_huge()) return api::find_defined(dataset, selection).elements();
    return dataset.defined_count(file_selection(dataset, selection));
  });
}

std::uint64_t Dataset::hdf5_chunk_count() const {
  return with_dataset(*impl_, "looking at",
                      [](const model::Dataset& dataset) { return dataset.count_chunks_from_hdf5(); });
}

namespace {

void check_columns(const std::vector<std::uint64_t>& dims, std::size_t column_bytes, std::size_t rows) {
  if (dims.size() != 2)
    throw Error(ErrorKind::invalid_argument,
                fmt::format("the dataset has {} dimensions, a matrix has 2", dims.size()));
  if (dims[0] != rows)
    throw Error(ErrorKind::invalid_argument, fmt::format("counts for {} rows; there are {}", rows, dims[0]));
  if ((column_bytes != 4 && column_bytes != 8) || (column_bytes == 4 && dims[1] >> 32 != 0))
    throw Error(ErrorKind::invalid_argument,
                fmt::format("numbers of {} bytes for {} columns", column_bytes, dims[1]));
}

/// Converts offsets to columns, and counts the elements of rows.
template <class Number>
void to_columns(std::span<const std::uint64_t> offsets, std::uint64_t columns,
                std::span<std::uint64_t> row_counts, Number* to) {
  std::uint64_t row = 0, row_start = 0;
  for (const std::uint64_t offset : offsets) {
    if (offset - row_start >= columns) {
      row = offset / columns;
      row_start = row * columns;
    }
    ++row_counts[row];
    *to++ = static_cast<Number>(offset - row_start);
  }
}

}  // namespace

std::size_t Dataset::read_defined_columns(const Datatype& memory_type, std::size_t column_bytes,
                                          std::span<std::uint64_t> row_counts,
                                          const std::function<ColumnBuffer(std::size_t)>& allocate) const {
  return with_dataset(*impl_, "reading", [&](const model::Dataset& dataset) -> std::size_t {
    const std::vector<std::uint64_t> dims = dataset.extent().dims;
    check_columns(dims, column_bytes, row_counts.size());
    std::ranges::fill(row_counts, std::uint64_t{0});
    const auto& type = api::TypeAccess::impl(memory_type).message;
    ColumnBuffer buffer;
    const auto make = [&](std::uint64_t count) {
      buffer = allocate(static_cast<std::size_t>(count));
      return model::OffsetBuffers{buffer.columns, static_cast<std::byte*>(buffer.values)};
    };
    if (row_counts.empty()) return make(0), 0;
    if (const auto found = dataset.read_defined_columns(type, {column_bytes, row_counts}, make))
      return static_cast<std::size_t>(*found);
    std::vector<std::uint64_t> offsets;
    const auto make_offsets = [&](std::uint64_t count) {
      buffer = allocate(static_cast<std::size_t>(count));
      offsets.resize(static_cast<std::size_t>(count));
      return model::OffsetBuffers{offsets.data(), static_cast<std::byte*>(buffer.values)};
    };
    offsets.resize(static_cast<std::size_t>(
        dataset.read_defined_offsets(file_selection(dataset, {}), type, make_offsets)));
    if (column_bytes == 4) {
      to_columns(offsets, dims[1], row_counts, static_cast<std::uint32_t*>(buffer.columns));
    } else {
      to_columns(offsets, dims[1], row_counts, static_cast<std::uint64_t*>(buffer.columns));
    }
    return offsets.size();
  });
}

}  // namespace filigree
