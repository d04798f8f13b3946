// SPDX-License-Identifier: Apache-2.0
//
// The extension module filigree._core.
#include "core.hpp"

namespace filigree::python {

py::tuple to_tuple(const Dims& dims) {
  py::tuple tuple(dims.size());
  for (std::size_t i = 0; i < dims.size(); ++i) tuple[i] = py::int_(dims[i]);
  return tuple;
}

Dims to_dims(const py::handle& numbers) {
  Dims dims;
  for (const py::handle item : numbers) {
    const auto index = py::reinterpret_steal<py::object>(PyNumber_Index(item.ptr()));
    if (!index) throw py::error_already_set();
    const std::uint64_t number = PyLong_AsUnsignedLongLong(index.ptr());
    if (number == ~std::uint64_t{0} && PyErr_Occurred()) {
      PyErr_Clear();
      throw py::value_error("a dimension or coordinate is negative or does not fit into 64 bits");
    }
    dims.push_back(number);
  }
  return dims;
}

namespace {

/// Releases of pybind11 before 2.12 take the dtypes of numpy 2 for those of numpy 1.
void check_numpy() {
#if PYBIND11_VERSION_HEX < 0x020C0000
  const auto version = py::cast<std::string>(py::module_::import("numpy").attr("__version__"));
  if (std::stoi(version) < 2) return;
  throw py::import_error("filigree was built with a pybind11 that does not know numpy 2, and numpy is " +
                         version);
#endif
}

}  // namespace

}  // namespace filigree::python

// The module does not declare that it does without the interpreter's lock, so that free-threaded Python turns
// the lock on when it is imported. Elements of object arrays are read and replaced in place
// (element_plan.cpp), where two threads that use one array at the same time would count references wrongly.
// No critical section helps: numpy itself does not take one for the elements of an array. Calls into files
// release the lock all the same.
PYBIND11_MODULE(_core, module) {
  module.doc() = "Handles, buffers, datatypes and selections of Filigree; use the package filigree.";
  using namespace filigree::python;
  check_numpy();
  bind_errors(module);
  bind_datatypes(module);
  bind_elements(module);
  bind_selections(module);
  bind_objects(module);
  bind_datasets(module);
  bind_chunks(module);
  bind_small_calls(module);
  bind_sparse(module);
  bind_matrices(module);
  bind_groups(module);
  bind_files(module);
  bind_appenders(module);
}
