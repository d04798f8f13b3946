// SPDX-License-Identifier: Apache-2.0
//
// What the sources of filigree._core share: holders that release the interpreter's lock, names, and the
// functions that add the classes of each source to the module.
//
// Every call that may touch a file runs without the interpreter's lock. Callbacks of the library acquire it
// again. A thread that holds the interpreter's lock therefore never waits for a file lock.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace filigree {
class Object;
}

namespace filigree::python {

namespace py = pybind11;

/// Runs `work` without the interpreter's lock.
template <class Work>
decltype(auto) released(Work&& work) {
  const py::gil_scoped_release release;
  return std::forward<Work>(work)();
}

/// A guard for functions whose arguments and results are converted outside of the call.
using Released = py::call_guard<py::gil_scoped_release>;

/// Destroys an object without the interpreter's lock: the last handle of a file closes the file.
struct ReleasingDeleter {
  template <class T>
  void operator()(T* object) const {
    const py::gil_scoped_release release;
    delete object;
  }
};
template <class T>
using Handle = std::unique_ptr<T, ReleasingDeleter>;

/// A name or path. Bytes that are not UTF-8 become lone surrogates in Python, and the reverse.
struct Text {
  std::string value;
};

inline py::str to_python(const std::string& text) {
  return py::reinterpret_steal<py::str>(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape"));
}

using Dims = std::vector<std::uint64_t>;

/// The dimensions as a tuple of int.
py::tuple to_tuple(const Dims& dims);
/// The numbers of a sequence. *Throws*: ValueError for a negative one.
Dims to_dims(const py::handle& numbers);
/// A new array of one dimension that owns its memory.
template <class T>
py::array_t<T> new_array(std::size_t count) {
  return py::array_t<T>(static_cast<py::ssize_t>(count));
}

/// The object as a handle of its own class.
py::object opened(const Object& object);

/// Sets Python's exception for the C++ exception that is being handled.
void set_python_error() noexcept;

void bind_errors(py::module_& module);
void bind_datatypes(py::module_& module);
void bind_elements(py::module_& module);
void bind_selections(py::module_& module);
void bind_objects(py::module_& module);
void bind_groups(py::module_& module);
void bind_files(py::module_& module);
void bind_datasets(py::module_& module);
void bind_chunks(py::module_& module);
void bind_small_calls(py::module_& module);
void bind_sparse(py::module_& module);
void bind_matrices(py::module_& module);
void bind_appenders(py::module_& module);

}  // namespace filigree::python

namespace pybind11::detail {

template <>
struct type_caster<filigree::python::Text> {
  PYBIND11_TYPE_CASTER(filigree::python::Text, const_name("str"));

  bool load(handle source, bool) {
    if (PyBytes_Check(source.ptr())) {
      value.value.assign(PyBytes_AS_STRING(source.ptr()),
                         static_cast<std::size_t>(PyBytes_GET_SIZE(source.ptr())));
      return true;
    }
    if (!PyUnicode_Check(source.ptr())) return false;
    Py_ssize_t bytes = 0;
    if (const char* text = PyUnicode_AsUTF8AndSize(source.ptr(), &bytes)) {
      value.value.assign(text, static_cast<std::size_t>(bytes));
      return true;
    }
    PyErr_Clear();
    const auto encoded =
        reinterpret_steal<object>(PyUnicode_AsEncodedString(source.ptr(), "utf-8", "surrogateescape"));
    if (!encoded) throw error_already_set();
    return load(encoded, false);
  }
  static handle cast(const filigree::python::Text& text, return_value_policy, handle) {
    return filigree::python::to_python(text.value).release();
  }
};

}  // namespace pybind11::detail
