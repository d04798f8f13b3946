// SPDX-License-Identifier: Apache-2.0
//
// filigree::Error as exceptions of the module filigree.errors.
#include <filigree/error.hpp>

#include "core.hpp"

namespace filigree::python {

namespace {

/// Sets the exception that filigree.errors has for this kind, with the complete text.
void raise(const Error& error) {
  try {
    const py::object make = py::module_::import("filigree.errors").attr("make");
    const std::string_view kind = to_string(error.kind());
    const py::object exception =
        make(py::str(kind.data(), kind.size()), to_python(error.what()), to_python(error.message()));
    PyErr_SetObject(py::type::of(exception).ptr(), exception.ptr());
  } catch (py::error_already_set& failure) {
    failure.restore();
  }
}

}  // namespace

void bind_errors(py::module_&) {
  py::register_local_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const Error& error) {
      raise(error);
    }
  });
}

}  // namespace filigree::python
