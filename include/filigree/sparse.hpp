// SPDX-License-Identifier: Apache-2.0
//
// Operations on sparse datasets: coordinates and offsets, defined elements with their values. Sparse matrices
// are in matrix.hpp. All of them work on dense datasets too, where every element is defined.
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
  /// Sets the filters of the element section. Sections without filters are then unfiltered. Without any
  /// filters, the library chooses those of all sections: see DatasetOptions::choose_section_filters.
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
  /// Leaves sections unfiltered unless they are given filters.
  SparseChunks& unfiltered() {
    options_.choose_section_filters = false;
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

/// Returns the filter of portable sparse chunks for a dataset of this type, with all its parameters:
///
///     portable_filter(Datatype::of<std::uint16_t>(),
///                     sparse_chunks({1, 256, 256}).values(filters::shuffle(), filters::zstd(3)));
///
/// Programs that use HDF5 create the dataset with `id` and `parameters`, by H5Pset_filter or as compression
/// and compression_opts of h5py. Their chunk dimensions and fill value have to be the same. In
/// DatasetOptions::filters it does what DatasetOptions::portable does.
/// Throws: Error(invalid_argument) without chunk dimensions, and as Group::create_dataset() for datasets that
/// have no portable form.
FILIGREE_EXPORT FilterChoice portable_filter(const Datatype& type, const DatasetOptions& options);

/// Returns how many of the selected elements are defined; see Dataset::defined_count().
inline std::uint64_t defined_count(const Dataset& data, const Selection& selection = {}) {
  return data.defined_count(selection);
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

/// Calls `visit(part)` for parts of the selection in row-major order, until it returns false. Returns whether
/// all parts were visited.
///
/// In a sparse dataset each part has about `elements` defined elements, but at least those of one row of
/// chunks; in others it has `elements` elements. In memory are one part, and 16 bytes for each row of chunks.
/// Throws: Error(invalid_argument) if `elements` is 0.
FILIGREE_EXPORT bool for_each_defined_part(const Dataset& data, const Selection& selection,
                                           std::uint64_t elements,
                                           const std::function<bool(const Selection&)>& visit);

/// Returns the parts that for_each_defined_part() visits. A selection of very many elements has very many.
FILIGREE_EXPORT std::vector<Selection> partition_defined(const Dataset& data, const Selection& selection,
                                                         std::uint64_t elements);

/// Calls `visit(offsets, values)` for parts of the defined elements: their linear offsets (row-major, in the
/// extent, ascending) and values. A part has at most `most_elements` elements. Each chunk is read and decoded
/// once. The elements of two parts are in memory, or those of one row of chunks if that is more.
template <Element T, class Visit>
void for_each_defined_offsets(const Dataset& data, const Visit& visit, const Selection& selection = {},
                              std::uint64_t most_elements = std::uint64_t{1} << 20) {
  DefinedOffsets<T> rest;  // elements that do not fill a part yet
  const auto visit_rest = [&] {
    if (rest.offsets.empty()) return;
    visit(std::span<const std::uint64_t>(rest.offsets), std::span<const T>(rest.values));
    rest.offsets.clear();
    rest.values.clear();
  };
  for_each_defined_part(data, selection, most_elements, [&](const Selection& part) {
    const auto [offsets, values] = read_defined_offsets<T>(data, part);
    const std::span<const std::uint64_t> all_offsets(offsets);
    const std::span<const T> all_values(values);
    for (std::size_t first = 0; first < offsets.size();) {
      const std::uint64_t wanted = most_elements - rest.offsets.size();
      const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(wanted, offsets.size() - first));
      const auto some_offsets = all_offsets.subspan(first, count);
      const auto some_values = all_values.subspan(first, count);
      first += count;
      if (count == most_elements) {
        visit(some_offsets, some_values);
        continue;
      }
      rest.offsets.insert(rest.offsets.end(), some_offsets.begin(), some_offsets.end());
      rest.values.insert(rest.values.end(), some_values.begin(), some_values.end());
      if (rest.offsets.size() == most_elements) visit_rest();
    }
    return true;
  });
  visit_rest();
}

/// Returns the selection of ascending linear offsets.
/// Throws: Error(invalid_argument) if one is outside of the extent.
FILIGREE_EXPORT Selection selection_of_ascending(const std::vector<std::uint64_t>& extent,
                                                 std::span<const std::uint64_t> offsets);

/// As for_each_defined_offsets(), with the elements as a selection, which takes 16 bytes per run of adjacent
/// elements.
template <Element T>
void for_each_defined(const Dataset& data,
                      const std::function<void(const Selection&, std::span<const T>)>& visit,
                      const Selection& selection = {}, std::uint64_t most_elements = std::uint64_t{1} << 20) {
  const std::vector<std::uint64_t> extent = data.space().dims();
  for_each_defined_offsets<T>(
      data,
      [&](std::span<const std::uint64_t> offsets, std::span<const T> values) {
        visit(selection_of_ascending(extent, offsets), values);
      },
      selection, most_elements);
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

}  // namespace filigree

#include <filigree/matrix.hpp>  // IWYU pragma: export
