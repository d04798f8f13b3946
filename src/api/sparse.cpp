// SPDX-License-Identifier: Apache-2.0
#include <filigree/sparse.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <filigree/file.hpp>
#include <filigree/group.hpp>

#include "api/sort_offsets.hpp"
#include "space/bulk.hpp"
#include "space/frame.hpp"

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

std::vector<std::uint64_t> coordinate_offsets(const std::vector<std::uint64_t>& extent,
                                              std::span<const std::uint64_t> coordinates, std::size_t values,
                                              std::vector<std::size_t>& order) {
  auto offsets = space::to_offsets(space::points_at(space::Frame(extent), coordinates));
  if (offsets.size() != values) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("{} elements are selected in the dataset, {} in memory", offsets.size(), values));
  }
  return api::sort_offsets(std::move(offsets), order);
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

}  // namespace filigree
