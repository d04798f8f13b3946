// SPDX-License-Identifier: Apache-2.0
//
// Defined elements: their coordinates and values, read into numpy's memory.
#include <pybind11/stl.h>
#include <filigree/sparse.hpp>

#include <algorithm>
#include <limits>

#include "core.hpp"
#include "elements.hpp"
#include "options.hpp"

namespace filigree::python {

namespace {

using Offsets = py::array_t<std::uint64_t, py::array::c_style>;

/// About as many elements are read at a time when their coordinates are derived from offsets.
constexpr std::uint64_t part_elements = std::uint64_t{1} << 20;
/// Up to so many elements are read at once, with memory for their offsets.
constexpr std::uint64_t most_at_once = 4 * part_elements;

/// Shortens an array of one dimension in place.
void shorten(py::array& array, std::size_t count) {
  if (static_cast<std::size_t>(array.shape(0)) != count)
    array.attr("resize")(py::int_(count), py::arg("refcheck") = false);
}

py::array empty_like(const py::object& dtype, std::size_t count) {
  return py::array(py::module_::import("numpy").attr("zeros")(py::int_(count), dtype));
}

/// Reads linear offsets and values of the defined ones of the selected elements, straight into numpy's
/// memory.
py::tuple read_offsets(const Dataset& dataset, const Elements& elements, const py::object& dtype,
                       const Selection& selection) {
  py::array offsets, values;
  std::unique_ptr<ReadBuffer> buffer;
  const auto allocate = [&](std::size_t most) {
    const py::gil_scoped_acquire acquire;
    offsets = new_array<std::uint64_t>(most);
    values = empty_like(dtype, most);
    auto* const at = static_cast<std::uint64_t*>(offsets.mutable_data());
    if (!elements.has_objects()) return Dataset::OffsetBuffer{at, values.mutable_data()};
    buffer = std::make_unique<ReadBuffer>(elements, most);
    return Dataset::OffsetBuffer{at, buffer->data()};
  };
  const std::size_t count =
      released([&] { return dataset.read_defined_offsets(elements.memory_type(), selection, allocate); });
  if (!offsets) offsets = new_array<std::uint64_t>(0), values = empty_like(dtype, 0);
  if (buffer) buffer->convert(values.mutable_data(), count);
  shorten(offsets, count);
  shorten(values, count);
  return py::make_tuple(offsets, values);
}

/// Writes the coordinates of ascending offsets, minus `origin`, to `columns`: one column for each dimension.
template <class Index>
void split_offsets(std::span<const std::uint64_t> offsets, const Dims& dims, const Dims& origin,
                   const std::vector<Index*>& columns, std::size_t first) {
  const std::size_t last = dims.size() - 1;
  std::vector<std::uint64_t> upper(dims.size());
  std::uint64_t line = 0;
  bool has_line = false;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const std::uint64_t offset = offsets[i];
    if (!has_line || offset < line || offset - line >= dims[last]) {
      std::uint64_t rest = offset / dims[last];
      line = rest * dims[last];
      has_line = true;
      for (std::size_t d = last; d-- > 0; rest /= dims[d]) upper[d] = rest % dims[d];
    }
    for (std::size_t d = 0; d < last; ++d) columns[d][first + i] = static_cast<Index>(upper[d] - origin[d]);
    columns[last][first + i] = static_cast<Index>(offset - line - origin[last]);
  }
}

/// Reads coordinates and values in parts, whose elements are counted before. For selections that may have
/// more elements than should be held twice.
template <class Index>
py::tuple read_coordinates_in_parts(const Dataset& dataset, const Elements& elements, const py::object& dtype,
                                    const Selection& selection, const Dims& dims, const Dims& origin) {
  const auto [parts, total] = released([&] {
    return std::pair(partition_defined(dataset, selection, part_elements), dataset.defined_count(selection));
  });
  py::array_t<Index> coordinates({dims.size(), static_cast<std::size_t>(total)});
  py::array values = empty_like(dtype, total);
  std::vector<Index*> columns;
  for (std::size_t d = 0; d < dims.size(); ++d) columns.push_back(coordinates.mutable_data() + d * total);
  auto* const bytes = static_cast<std::byte*>(values.mutable_data());
  std::size_t done = 0;
  for (const Selection& part : parts) {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    std::vector<std::uint64_t> offsets;
    std::unique_ptr<ReadBuffer> buffer;
    const auto allocate = [&](std::size_t most) {
      offsets.resize(most);
      const bool is_direct = !elements.has_objects() && most <= total - done;
      if (is_direct) return Dataset::OffsetBuffer{offsets.data(), bytes + done * elements.bytes()};
      buffer = std::make_unique<ReadBuffer>(elements, most);
      return Dataset::OffsetBuffer{offsets.data(), buffer->data()};
    };
    const std::size_t count =
        released([&] { return dataset.read_defined_offsets(elements.memory_type(), part, allocate); });
    if (count > total - done) throw std::runtime_error("another thread is writing what is being read");
    if (buffer) buffer->convert(bytes + done * elements.bytes(), count);
    released([&] { split_offsets<Index>({offsets.data(), count}, dims, origin, columns, done); });
    done += count;
  }
  if (done != total) throw std::runtime_error("another thread is writing what is being read");
  return py::make_tuple(coordinates, values);
}

/// Reads coordinates and values in one pass.
template <class Index>
py::tuple read_coordinates_at_once(const Dataset& dataset, const Elements& elements, const py::object& dtype,
                                   const Selection& selection, const Dims& dims, const Dims& origin) {
  const py::tuple found = read_offsets(dataset, elements, dtype, selection);
  const auto offsets = py::cast<Offsets>(found[0]);
  const auto count = static_cast<std::size_t>(offsets.size());
  py::array_t<Index> coordinates({dims.size(), count});
  std::vector<Index*> columns;
  for (std::size_t d = 0; d < dims.size(); ++d) columns.push_back(coordinates.mutable_data() + d * count);
  const std::span<const std::uint64_t> at(offsets.data(), count);
  released([&] { split_offsets<Index>(at, dims, origin, columns, 0); });
  return py::make_tuple(coordinates, found[1]);
}

/// Reads coordinates and values of the defined ones of the selected elements: coordinates as (rank, n) of
/// `Index`.
template <class Index>
py::tuple read_coordinates_as(const Dataset& dataset, const Elements& elements, const py::object& dtype,
                              const Selection& selection, const Dims& origin) {
  const Dims dims = released([&] { return dataset.space().dims(); });
  if (dims.empty()) throw py::value_error("a scalar dataset has no coordinates");
  if (origin.size() != dims.size()) throw py::value_error("the origin has another number of dimensions");
  for (const std::uint64_t dim : dims)
    if (dim != 0 && dim - 1 > static_cast<std::uint64_t>(std::numeric_limits<Index>::max()))
      throw py::value_error("a dimension is too long for this type of index");
  const std::uint64_t most = released([&] {
    const std::uint64_t selected = selection.elements(dims);
    return selected <= most_at_once ? selected : std::min(selected, dataset.defined_count(Selection::all()));
  });
  return most <= most_at_once
             ? read_coordinates_at_once<Index>(dataset, elements, dtype, selection, dims, origin)
             : read_coordinates_in_parts<Index>(dataset, elements, dtype, selection, dims, origin);
}

py::tuple read_coordinates(const Dataset& dataset, const Elements& elements, const py::object& dtype,
                           const Selection& selection, const py::handle& origin, std::size_t index_bytes) {
  const Dims from = to_dims(origin);
  switch (index_bytes) {
    case 4:
      return read_coordinates_as<std::int32_t>(dataset, elements, dtype, selection, from);
    case 8:
      return read_coordinates_as<std::int64_t>(dataset, elements, dtype, selection, from);
    default:
      throw py::value_error("indices have 4 or 8 bytes");
  }
}

/// Writes values to ascending linear offsets.
void write_offsets(Dataset& dataset, const Elements& elements, const Offsets& offsets,
                   const py::array& values) {
  const std::size_t count = elements.count_in(values);
  if (count != static_cast<std::size_t>(offsets.size()))
    throw py::value_error("the numbers of offsets and values differ");
  const std::span<const std::uint64_t> at(offsets.data(), count);
  elements.write(values.data(), count,
                 [&](const void* memory) { dataset.write_offsets(elements.memory_type(), memory, at); });
}

/// The parts of a selection that have about `elements` defined elements each.
py::list parts_of(const Dataset& dataset, const Selection& selection, std::uint64_t elements) {
  const auto parts = released([&] { return partition_defined(dataset, selection, elements); });
  py::list list;
  for (const Selection& part : parts) list.append(part);
  return list;
}

/// (number, parameters) of the filter of portable sparse chunks.
py::tuple portable_filter_of(const Datatype& type, const py::dict& options) {
  const FilterChoice filter = filigree::portable_filter(type, dataset_options(options));
  return py::make_tuple(filter.id, py::tuple(py::cast(filter.parameters)));
}

}  // namespace

void bind_sparse(py::module_& module) {
  const py::object dataset = module.attr("Dataset");
  const auto add = [&](const char* name, auto function, auto... guard) {
    dataset.attr(name) = py::cpp_function(function, py::name(name), py::is_method(dataset), guard...);
  };
  add("read_defined_offsets", &read_offsets);
  add("read_defined_coordinates", &read_coordinates);
  add("write_offsets", &write_offsets);
  add("partition_defined", &parts_of);
  add(
      "defined", [](const Dataset& self, const Selection& selection) { return self.defined(selection); },
      Released());
  add(
      "defined_count",
      [](const Dataset& self, const Selection& selection) { return self.defined_count(selection); },
      Released());
  add(
      "erase", [](Dataset& self, const Selection& selection) { self.erase(selection); }, Released());
  module.def("portable_filter", &portable_filter_of);
}

}  // namespace filigree::python
