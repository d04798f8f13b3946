// SPDX-License-Identifier: Apache-2.0
//
// Small calls without a detour through Python: boxes of a dataset, and attributes with one number or string.
// What a function does not serve it leaves to Python by returning NotImplemented, which also reports wrong
// arguments.
#include <filigree/dataset.hpp>
#include <filigree/error.hpp>
#include <filigree/object.hpp>

#include <array>
#include <cstring>

#include "core.hpp"
#include "elements.hpp"

namespace filigree::python {

namespace {

py::object not_served() { return py::reinterpret_borrow<py::object>(Py_NotImplemented); }

/// The dtype of a number that the file stores as this machine does; nothing for other types.
std::optional<py::dtype> dtype_of_number(const Datatype& type) {
  const std::uint32_t bytes = type.size();
  if (type.type_class() == TypeClass::integer && (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8)) {
    const bool is_signed = type.is_signed();
    if (!(type == Datatype::integer(bytes, is_signed))) return std::nullopt;
    switch (bytes) {
      case 1:
        return is_signed ? py::dtype::of<std::int8_t>() : py::dtype::of<std::uint8_t>();
      case 2:
        return is_signed ? py::dtype::of<std::int16_t>() : py::dtype::of<std::uint16_t>();
      case 4:
        return is_signed ? py::dtype::of<std::int32_t>() : py::dtype::of<std::uint32_t>();
      default:
        return is_signed ? py::dtype::of<std::int64_t>() : py::dtype::of<std::uint64_t>();
    }
  }
  if (type.type_class() == TypeClass::floating_point && (bytes == 4 || bytes == 8) &&
      type == Datatype::floating(bytes))
    return bytes == 4 ? py::dtype::of<float>() : py::dtype::of<double>();
  return std::nullopt;
}

/// A box that integers and slices of step 1 select.
struct Box {
  Dims start, count;
  std::vector<py::ssize_t> shape;  ///< without the dimensions that an integer selects
  std::uint64_t elements = 1;
};

/// One argument; false if it is neither an integer within the dimension nor a slice of step 1 that is not
/// empty.
bool add_dimension(Box& box, PyObject* arg, std::uint64_t length) {
  const auto limit = static_cast<Py_ssize_t>(length);
  if (limit <= 0) return false;
  Py_ssize_t first = 0, end = limit, step = 1;
  const bool is_index = arg != nullptr && PyLong_CheckExact(arg);
  if (is_index) {
    first = PyLong_AsSsize_t(arg);
    if (first == -1 && PyErr_Occurred()) return PyErr_Clear(), false;
    if (first < 0) first += limit;
    if (first < 0 || first >= limit) return false;
    end = first + 1;
  } else if (arg != nullptr) {
    if (!PySlice_Check(arg)) return false;
    if (PySlice_Unpack(arg, &first, &end, &step) != 0) return PyErr_Clear(), false;
    PySlice_AdjustIndices(limit, &first, &end, step);
    if (step != 1 || end <= first) return false;
  }
  box.start.push_back(static_cast<std::uint64_t>(first));
  box.count.push_back(static_cast<std::uint64_t>(end - first));
  if (!is_index) box.shape.push_back(end - first);
  return !__builtin_mul_overflow(box.elements, box.count.back(), &box.elements);
}

/// The box of an index, which is a tuple, a slice, an integer or an ellipsis; false for others.
bool find_box(Box& box, PyObject* args, const Dims& dims) {
  const bool is_tuple = PyTuple_Check(args);
  std::size_t given = is_tuple ? static_cast<std::size_t>(PyTuple_GET_SIZE(args)) : 1;
  if (!is_tuple && args == Py_Ellipsis) given = 0;
  if (given > dims.size()) return false;
  box.start.reserve(dims.size());
  box.count.reserve(dims.size());
  box.shape.reserve(dims.size());
  for (std::size_t i = 0; i < dims.size(); ++i) {
    PyObject* arg = nullptr;
    if (i < given) arg = is_tuple ? PyTuple_GET_ITEM(args, static_cast<Py_ssize_t>(i)) : args;
    if (!add_dimension(box, arg, dims[i])) return false;
  }
  return true;
}

/// Reads boxes of a dataset of numbers that the file stores as this machine does.
class NumberReader {
 public:
  NumberReader(const Dataset& dataset, Datatype type, py::dtype dtype)
      : dataset_(new Dataset(dataset)),
        type_(std::move(type)),
        dtype_(std::move(dtype)),
        bytes_(static_cast<std::size_t>(dtype_.itemsize())) {}

  /// `dataset[args]`. Larger boxes are read elsewhere, in steps.
  py::object read(PyObject* args) const {
    Dataspace space = released([&] { return dataset_->space(); });
    Box box;
    if (space.kind() == Dataspace::Kind::null || !find_box(box, args, space.dims()) ||
        box.elements > most_bytes / bytes_)
      return not_served();
    py::array array(dtype_, box.shape);
    void* const memory = array.mutable_data();
    released([&] {
      if (dataset_->read_small(type_, box.start, box.count, memory)) return;
      const Selection selection =
          box.start.empty() ? Selection::all() : Selection::box(std::move(box.start), std::move(box.count));
      dataset_->read_elements(type_, memory, box.elements, selection);
    });
    if (!box.shape.empty() || args == Py_Ellipsis) return array;
    return array[py::tuple()];
  }

 private:
  static constexpr std::uint64_t most_bytes = 1u << 20;

  Handle<Dataset> dataset_;
  Datatype type_;
  py::dtype dtype_;
  std::size_t bytes_;
};

/// Called by the interpreter: pybind11's dispatch would take as long as the read.
PyObject* read_numbers(PyObject* reader, PyObject* args) {
  try {
    return static_cast<NumberReader*>(PyCapsule_GetPointer(reader, nullptr))->read(args).release().ptr();
  } catch (...) {
    set_python_error();
    return nullptr;
  }
}

/// (dtype, elements, datatype, reader) of a dataset of numbers that the file stores as this machine does. The
/// reader is a function of an index, which returns NotImplemented for others than boxes.
py::object number_reader(const Dataset& dataset) {
  static PyMethodDef method = {"read", &read_numbers, METH_O, nullptr};
  const Datatype type = released([&] { return dataset.datatype(); });
  const auto dtype = dtype_of_number(type);
  if (!dtype) return not_served();
  const py::capsule reader(new NumberReader(dataset, type, *dtype),
                           [](void* made) { delete static_cast<NumberReader*>(made); });
  const auto function = py::reinterpret_steal<py::object>(PyCFunction_New(&method, reader.ptr()));
  if (!function) throw py::error_already_set();
  return py::make_tuple(*dtype, std::make_unique<Elements>(type, *dtype), type, function);
}

/// An attribute with one element, as far as it can be read without the interpreter's lock.
struct SmallAttribute {
  Datatype type;
  bool is_text = false, is_number = false;
  std::string text;
  alignas(8) std::array<std::byte, 8> number{};
};

SmallAttribute read_small_attribute(const Object& object, const std::string& name) {
  const Attribute attribute = object.attribute(name);
  SmallAttribute read{attribute.datatype(), false, false, {}, {}};
  if (attribute.space().kind() != Dataspace::Kind::scalar) return read;
  const TypeClass type_class = read.type.type_class();
  if (type_class == TypeClass::string && read.type.is_variable_string()) {
    static const Datatype memory = Datatype::memory<std::string>();
    try {
      attribute.read_elements(memory, &read.text, 1);
      read.is_text = true;
    } catch (const Error&) {  // Python reports it, or reads what another thread has replaced the attribute by
    }
  } else if (type_class == TypeClass::integer || type_class == TypeClass::floating_point) {
    read.is_number =
        read.type.size() <= read.number.size() && attribute.read_small(read.type, read.number.data(), 1);
  }
  return read;
}

/// The value of an attribute with one number of this machine, or one string of variable length.
py::object attribute_value(const Object& object, const Text& name) {
  const SmallAttribute read = released([&] { return read_small_attribute(object, name.value); });
  if (read.is_text) return to_python(read.text);
  if (!read.is_number) return not_served();
  const auto dtype = dtype_of_number(read.type);
  if (!dtype) return not_served();
  py::array array(*dtype, std::vector<py::ssize_t>{});
  std::memcpy(array.mutable_data(), read.number.data(), read.type.size());
  return array[py::tuple()];
}

/// Creates or replaces an attribute with an int, a float or a str; false for other values.
bool put_small_attribute(Object& object, const Text& name, const py::object& value) {
  if (PyLong_CheckExact(value.ptr())) {
    const std::int64_t number = PyLong_AsLongLong(value.ptr());
    if (number == -1 && PyErr_Occurred()) return PyErr_Clear(), false;
    released([&] { object.set_attribute(name.value, number); });
  } else if (PyFloat_CheckExact(value.ptr())) {
    const double number = PyFloat_AS_DOUBLE(value.ptr());
    released([&] { object.set_attribute(name.value, number); });
  } else if (PyUnicode_CheckExact(value.ptr())) {
    const auto text = py::cast<Text>(value);
    if (text.value.find('\0') != std::string::npos) return false;
    released([&] { object.set_attribute(name.value, std::string_view(text.value)); });
  } else {
    return false;
  }
  return true;
}

}  // namespace

void bind_small_calls(py::module_& module) {
  const auto add = [&](const char* type, const char* name, auto function) {
    const py::object owner = module.attr(type);
    owner.attr(name) = py::cpp_function(function, py::name(name), py::is_method(owner));
  };
  add("Dataset", "number_reader", &number_reader);
  add("Object", "attribute_value", &attribute_value);
  add("Object", "put_small_attribute", &put_small_attribute);
}

}  // namespace filigree::python
