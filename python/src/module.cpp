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

}  // namespace filigree::python

// Nothing here relies on the interpreter's lock, so importing the module does not turn it on again in
// free-threaded Python.
#if PYBIND11_VERSION_HEX >= 0x020D0000
#define FILIGREE_MODULE(name, module) PYBIND11_MODULE(name, module, pybind11::mod_gil_not_used())
#else
#define FILIGREE_MODULE(name, module) PYBIND11_MODULE(name, module)
#endif

FILIGREE_MODULE(_core, module) {
  module.doc() = "Handles, buffers, datatypes and selections of Filigree; use the package filigree.";
  using namespace filigree::python;
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
