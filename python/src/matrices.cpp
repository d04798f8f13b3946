// SPDX-License-Identifier: Apache-2.0
//
// Matrices as CSR arrays in numpy's memory, with indices of the width asked for.
#include <filigree/matrix.hpp>

#include <limits>
#include <type_traits>

#include "core.hpp"
#include "elements.hpp"

namespace filigree::python {

namespace {

/// Starts of rows from their counts. *Throws*: ValueError if the last start does not fit.
template <class Index>
py::array_t<Index> starts_of(std::span<const std::uint64_t> counts) {
  auto starts = new_array<Index>(counts.size() + 1);
  Index* at = starts.mutable_data();
  std::uint64_t sum = 0;
  *at++ = 0;
  for (const std::uint64_t count : counts) *at++ = static_cast<Index>(sum += count);
  if (sum > static_cast<std::uint64_t>(std::numeric_limits<Index>::max()))
    throw py::value_error("the matrix has more elements than this type of index can count");
  return starts;
}

void shorten(py::array& array, std::size_t count) {
  if (static_cast<std::size_t>(array.shape(0)) != count)
    array.attr("resize")(py::int_(count), py::arg("refcheck") = false);
}

/// Reads all defined elements as (starts, columns, values).
template <class Index>
py::tuple read_csr_as(const Dataset& dataset, const Elements& elements, const py::object& dtype) {
  if (elements.has_objects()) throw py::type_error("matrices hold numbers");
  const Dims dims = released([&] { return matrix_dims(dataset); });
  std::vector<std::uint64_t> counts(dims[0]);
  py::array columns, values;
  const auto allocate = [&](std::size_t most) {
    const py::gil_scoped_acquire acquire;
    columns = new_array<Index>(most);
    values = py::array(py::module_::import("numpy").attr("empty")(py::int_(most), dtype));
    return Dataset::ColumnBuffer{columns.mutable_data(), values.mutable_data()};
  };
  const std::size_t count = released(
      [&] { return dataset.read_defined_columns(elements.memory_type(), sizeof(Index), counts, allocate); });
  if (!columns) {
    columns = new_array<Index>(0);
    values = py::array(py::module_::import("numpy").attr("empty")(0, dtype));
  }
  shorten(columns, count);
  shorten(values, count);
  return py::make_tuple(starts_of<Index>(counts), columns, values);
}

py::tuple read_csr(const Dataset& dataset, const Elements& elements, const py::object& dtype,
                   std::size_t index_bytes) {
  switch (index_bytes) {
    case 4:
      return read_csr_as<std::int32_t>(dataset, elements, dtype);
    case 8:
      return read_csr_as<std::int64_t>(dataset, elements, dtype);
    default:
      throw py::value_error("indices have 4 or 8 bytes");
  }
}

}  // namespace

void bind_matrices(py::module_& module) {
  const py::object dataset = module.attr("Dataset");
  dataset.attr("read_csr") = py::cpp_function(&read_csr, py::name("read_csr"), py::is_method(dataset));
}

}  // namespace filigree::python
