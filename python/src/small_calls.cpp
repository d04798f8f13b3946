// SPDX-License-Identifier: Apache-2.0
//
// Small calls without a detour through Python: boxes of a dataset, and attributes with one number or string.
// What a function does not serve it leaves to Python by returning NotImplemented, which also reports wrong
// arguments.
#include <filigree/dataset.hpp>
#include <filigree/error.hpp>
#include <filigree/object.hpp>

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

/// (dtype, elements, datatype) of a dataset of such numbers.
py::object number_elements(const Dataset& dataset) {
  const Datatype type = released([&] { return dataset.datatype(); });
  const auto dtype = dtype_of_number(type);
  if (!dtype) return not_served();
  return py::make_tuple(*dtype, std::make_unique<Elements>(type, *dtype), type);
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

/// `dataset[args]` of a box of at most `most_bytes`.
py::object read_box(const Dataset& dataset, const Elements& elements, const py::dtype& dtype,
                    const py::tuple& args, std::uint64_t most_bytes) {
  const Dataspace space = released([&] { return dataset.space(); });
  const std::size_t rank = space.dims().size();
  if (space.kind() == Dataspace::Kind::null || args.size() > rank || elements.has_objects())
    return not_served();
  Box box;
  for (std::size_t i = 0; i < rank; ++i)
    if (!add_dimension(box,
                       i < args.size() ? PyTuple_GET_ITEM(args.ptr(), static_cast<Py_ssize_t>(i)) : nullptr,
                       space.dims()[i]))
      return not_served();
  if (box.elements > most_bytes / std::max<std::size_t>(elements.bytes(), 1)) return not_served();
  py::array array(dtype, box.shape);
  void* const memory = array.mutable_data();
  TransferOptions options;
  options.rules = elements.rules();
  released([&] {
    const Selection selection = rank == 0 ? Selection::all() : Selection::box(box.start, box.count);
    dataset.read_elements(elements.memory_type(), memory, box.elements, selection, options);
  });
  if (!box.shape.empty()) return array;
  return array[py::tuple()];
}

/// The value of an attribute with one number of this machine, or one string of variable length.
py::object attribute_value(const Object& object, const Text& name) {
  struct Found {
    Attribute attribute;
    Datatype type;
    bool is_scalar;
  };
  const Found found = released([&] {
    Attribute attribute = object.attribute(name.value);
    Datatype type = attribute.datatype();
    const bool is_scalar = attribute.space().kind() == Dataspace::Kind::scalar;
    return Found{std::move(attribute), std::move(type), is_scalar};
  });
  if (!found.is_scalar) return not_served();
  if (found.type.type_class() == TypeClass::string && found.type.is_variable_string()) {
    std::string text;
    ConversionOptions options;
    const bool is_read = released([&] {
      try {
        found.attribute.read_elements(Datatype::memory<std::string>(), &text, 1, options);
        return true;
      } catch (const Error&) {
        return false;  // Python reports it, or reads what another thread has replaced the attribute by
      }
    });
    return is_read ? py::object(to_python(text)) : not_served();
  }
  const auto dtype = dtype_of_number(found.type);
  if (!dtype) return not_served();
  py::array array(*dtype, std::vector<py::ssize_t>{});
  void* const memory = array.mutable_data();
  // Another thread may have replaced the attribute since.
  if (!released([&] { return found.attribute.read_small(found.type, memory, 1); })) return not_served();
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
  add("Dataset", "number_elements", &number_elements);
  add("Dataset", "read_box", &read_box);
  add("Object", "attribute_value", &attribute_value);
  add("Object", "put_small_attribute", &put_small_attribute);
}

}  // namespace filigree::python
