// SPDX-License-Identifier: Apache-2.0
//
// filigree::Error as exceptions of the module filigree.errors.
#include <filigree/error.hpp>

#include <new>

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

void set_python_error() noexcept {
  try {
    throw;
  } catch (py::error_already_set& error) {
    error.restore();
  } catch (const py::builtin_exception& error) {
    error.set_error();
  } catch (const Error& error) {
    raise(error);
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
}

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
