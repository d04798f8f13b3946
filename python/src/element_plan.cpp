// SPDX-License-Identifier: Apache-2.0
#include "element_plan.hpp"

#include <cstdlib>
#include <cstring>
#include <new>

#include <filigree/values.hpp>

namespace filigree::python {

namespace {

/// A string or sequence in the memory of a transfer.
struct Varying {
  std::size_t count;
  std::byte* elements;
};

Container::View view_varying(const void* value) {
  const auto* varying = static_cast<const Varying*>(value);
  return {varying->elements, varying->count, false};
}
void* resize_varying(void* value, std::size_t count, std::size_t element_bytes, void*) {
  auto* varying = static_cast<Varying*>(value);
  std::free(varying->elements);
  *varying = {0, nullptr};
  if (count == 0 || element_bytes == 0) return nullptr;
  varying->elements = static_cast<std::byte*>(std::calloc(count, element_bytes));
  if (varying->elements == nullptr) throw std::bad_alloc();
  varying->count = count;
  return varying->elements;
}
void clear_varying(void* value) { resize_varying(value, 0, 0, nullptr); }

constexpr Container varying_container{sizeof(Varying), alignof(Varying), view_varying, resize_varying,
                                      clear_varying};

/// The object in an element; null if there is none. Elements of packed compounds are not aligned.
py::object object_at(const std::byte* element) {
  PyObject* object = nullptr;
  std::memcpy(&object, element, sizeof object);
  return py::reinterpret_borrow<py::object>(object);
}

void put_object(std::byte* element, py::object object) {
  PyObject* previous = nullptr;
  std::memcpy(&previous, element, sizeof previous);
  PyObject* const next = object.release().ptr();
  std::memcpy(element, &next, sizeof next);
  Py_XDECREF(previous);
}

/// Bytes that numpy and the library hold in the same form.
class SamePlan : public ElementPlan {
 public:
  using ElementPlan::ElementPlan;
  void to_python(const std::byte* value, std::byte* element) const override {
    std::memcpy(element, value, memory_bytes());
  }
  void from_python(const std::byte* element, std::byte* value, WriteArena&) const override {
    std::memcpy(value, element, memory_bytes());
  }
  void release(std::byte*) const override {}
};

/// Strings of variable length as bytes.
class StringPlan : public ElementPlan {
 public:
  StringPlan() : ElementPlan(Datatype::string_in(varying_container)) {}

  void to_python(const std::byte* value, std::byte* element) const override {
    const auto* string = reinterpret_cast<const Varying*>(value);
    put_object(element, py::bytes(reinterpret_cast<const char*>(string->elements), string->count));
  }
  void from_python(const std::byte* element, std::byte* value, WriteArena& arena) const override {
    auto* string = reinterpret_cast<Varying*>(value);
    *string = {0, nullptr};
    py::object object = object_at(element);
    if (!object || object.is_none()) return;
    if (PyUnicode_Check(object.ptr())) {
      object = py::reinterpret_steal<py::object>(
          PyUnicode_AsEncodedString(object.ptr(), "utf-8", "surrogateescape"));
      if (!object) throw py::error_already_set();
    } else if (PyLong_CheckExact(object.ptr()) && PyObject_IsTrue(object.ptr()) == 0) {
      return;  // numpy fills new object arrays with 0
    }
    if (!PyBytes_Check(object.ptr()))
      throw py::type_error("a string is expected, not " + py::cast<std::string>(py::repr(object)));
    string->elements = reinterpret_cast<std::byte*>(PyBytes_AS_STRING(object.ptr()));
    string->count = static_cast<std::size_t>(PyBytes_GET_SIZE(object.ptr()));
    if (string->count != 0 && std::memchr(string->elements, 0, string->count) != nullptr)
      throw py::value_error("strings of variable length cannot contain NUL characters");
    arena.keep(std::move(object));
  }
  void release(std::byte* value) const override { std::free(reinterpret_cast<Varying*>(value)->elements); }
};

/// Sequences of variable length as arrays of one dimension.
class SequencePlan : public ElementPlan {
 public:
  SequencePlan(std::unique_ptr<const ElementPlan> base, const py::dtype& dtype, bool is_same)
      : ElementPlan(Datatype::sequence_in(base->memory_type(), varying_container)),
        base_(std::move(base)),
        dtype_(dtype),
        item_bytes_(static_cast<std::size_t>(dtype.itemsize())),
        is_same_(is_same) {}
  ~SequencePlan() override {
    const py::gil_scoped_acquire acquire;
    dtype_ = {};
  }

  void to_python(const std::byte* value, std::byte* element) const override {
    const auto* sequence = reinterpret_cast<const Varying*>(value);
    const py::object array = py::module_::import("numpy").attr("zeros")(py::int_(sequence->count), dtype_);
    auto* items = static_cast<std::byte*>(py::array(array).mutable_data());
    for (std::size_t i = 0; !is_same_ && i < sequence->count; ++i)
      base_->to_python(sequence->elements + i * base_->memory_bytes(), items + i * item_bytes_);
    if (is_same_ && sequence->count != 0)
      std::memcpy(items, sequence->elements, sequence->count * item_bytes_);
    put_object(element, array);
  }
  void from_python(const std::byte* element, std::byte* value, WriteArena& arena) const override {
    auto* sequence = reinterpret_cast<Varying*>(value);
    *sequence = {0, nullptr};
    const py::object object = object_at(element);
    if (!object || object.is_none()) return;
    if (PyLong_CheckExact(object.ptr()) && PyObject_IsTrue(object.ptr()) == 0) return;
    const py::module_ numpy = py::module_::import("numpy");
    const py::array array(numpy.attr("ascontiguousarray")(object, dtype_));
    if (array.ndim() != 1) throw py::value_error("a sequence of variable length has one dimension");
    sequence->count = static_cast<std::size_t>(array.size());
    const auto* items = static_cast<const std::byte*>(array.data());
    if (is_same_) {
      sequence->elements = const_cast<std::byte*>(items);
    } else {
      sequence->elements = arena.allocate(sequence->count * base_->memory_bytes());
      for (std::size_t i = 0; i < sequence->count; ++i)
        base_->from_python(items + i * item_bytes_, sequence->elements + i * base_->memory_bytes(), arena);
    }
    arena.keep(array);
  }
  void release(std::byte* value) const override {
    auto* sequence = reinterpret_cast<Varying*>(value);
    for (std::size_t i = 0; !is_same_ && i < sequence->count; ++i)
      base_->release(sequence->elements + i * base_->memory_bytes());
    std::free(sequence->elements);
  }

 private:
  std::unique_ptr<const ElementPlan> base_;
  py::object dtype_;
  std::size_t item_bytes_;
  bool is_same_;
};

/// References as objects.
template <class Reference>
class ReferencePlan : public ElementPlan {
 public:
  explicit ReferencePlan(ReferenceKind kind) : ElementPlan(Datatype::reference(kind)) {}

  void to_python(const std::byte* value, std::byte* element) const override {
    Reference reference;
    std::memcpy(&reference, value, sizeof reference);
    put_object(element, py::cast(reference));
  }
  void from_python(const std::byte* element, std::byte* value, WriteArena&) const override {
    Reference reference{};
    const py::object object = object_at(element);
    const bool is_null = !object || object.is_none() ||
                         (PyLong_CheckExact(object.ptr()) && PyObject_IsTrue(object.ptr()) == 0);
    if (!is_null) {
      if (!py::isinstance<Reference>(object))
        throw py::type_error("a reference is expected, not " + py::cast<std::string>(py::repr(object)));
      reference = object.cast<Reference>();
    }
    std::memcpy(value, &reference, sizeof reference);
  }
  void release(std::byte*) const override {}
};

/// A part of a compound, at its offsets on both sides.
struct Part {
  std::unique_ptr<const ElementPlan> plan;
  std::size_t element_offset, value_offset;
};

/// Compounds, and arrays as parts that follow one another.
class PartsPlan : public ElementPlan {
 public:
  PartsPlan(Datatype memory_type, std::vector<Part> parts)
      : ElementPlan(std::move(memory_type)), parts_(std::move(parts)) {}

  void to_python(const std::byte* value, std::byte* element) const override {
    for (const Part& part : parts_)
      part.plan->to_python(value + part.value_offset, element + part.element_offset);
  }
  void from_python(const std::byte* element, std::byte* value, WriteArena& arena) const override {
    for (const Part& part : parts_)
      part.plan->from_python(element + part.element_offset, value + part.value_offset, arena);
  }
  void release(std::byte* value) const override {
    for (const Part& part : parts_) part.plan->release(value + part.value_offset);
  }

 private:
  std::vector<Part> parts_;
};

/// Arrays of a base type.
class ArrayPlan : public ElementPlan {
 public:
  ArrayPlan(Datatype memory_type, std::unique_ptr<const ElementPlan> base, std::size_t count,
            std::size_t item_bytes)
      : ElementPlan(std::move(memory_type)), base_(std::move(base)), count_(count), item_bytes_(item_bytes) {}

  void to_python(const std::byte* value, std::byte* element) const override {
    for (std::size_t i = 0; i < count_; ++i)
      base_->to_python(value + i * base_->memory_bytes(), element + i * item_bytes_);
  }
  void from_python(const std::byte* element, std::byte* value, WriteArena& arena) const override {
    for (std::size_t i = 0; i < count_; ++i)
      base_->from_python(element + i * item_bytes_, value + i * base_->memory_bytes(), arena);
  }
  void release(std::byte* value) const override {
    for (std::size_t i = 0; i < count_; ++i) base_->release(value + i * base_->memory_bytes());
  }

 private:
  std::unique_ptr<const ElementPlan> base_;
  std::size_t count_, item_bytes_;
};

std::unique_ptr<const ElementPlan> plan_compound(const Datatype& type, const py::dtype& dtype) {
  std::vector<Part> parts;
  std::vector<Member> members;
  std::uint32_t bytes = 0;
  const py::object fields = dtype.attr("fields");
  for (const Member& member : type.members()) {
    const py::tuple field = fields[to_python(member.name)];
    auto plan = make_plan(member.type, py::dtype(py::reinterpret_borrow<py::object>(field[0])));
    members.push_back({member.name, plan->memory_type(), bytes});
    parts.push_back({nullptr, py::cast<std::size_t>(field[1]), bytes});
    bytes += (static_cast<std::uint32_t>(plan->memory_bytes()) + 7u) & ~7u;  // values of 8 bytes stay aligned
    parts.back().plan = std::move(plan);
  }
  return std::make_unique<PartsPlan>(Datatype::compound(bytes, std::move(members)), std::move(parts));
}

std::unique_ptr<const ElementPlan> plan_array(const Datatype& type, const py::dtype& dtype) {
  const py::dtype base_dtype(py::reinterpret_borrow<py::object>(dtype.attr("base")));
  auto base = make_plan(type.base(), base_dtype);
  std::size_t count = 1;
  for (const std::uint32_t dim : type.dims()) count *= dim;
  Datatype memory = Datatype::array(base->memory_type(), type.dims());
  return std::make_unique<ArrayPlan>(std::move(memory), std::move(base), count,
                                     static_cast<std::size_t>(base_dtype.itemsize()));
}

std::unique_ptr<const ElementPlan> plan_sequence(const Datatype& type, const py::dtype& dtype) {
  const py::object numpy_dtype = py::module_::import("numpy").attr("dtype");
  const py::dtype base(py::reinterpret_borrow<py::object>(numpy_dtype(dtype.attr("metadata")["vlen"])));
  const bool is_same = !py::cast<bool>(base.attr("hasobject"));
  return std::make_unique<SequencePlan>(make_plan(type.base(), base), base, is_same);
}

}  // namespace

void require_size(const Datatype& type, std::size_t numpy_bytes) {
  if (type.size() != numpy_bytes)
    throw py::value_error("elements have " + std::to_string(numpy_bytes) + " bytes in numpy, and " +
                          std::to_string(type.size()) + " as " + type.text());
}

std::unique_ptr<const ElementPlan> make_plan(const Datatype& type, const py::dtype& dtype) {
  if (!py::cast<bool>(dtype.attr("hasobject"))) {
    require_size(type, static_cast<std::size_t>(dtype.itemsize()));
    return std::make_unique<SamePlan>(type);
  }
  switch (type.type_class()) {
    case TypeClass::string:
      return std::make_unique<StringPlan>();
    case TypeClass::sequence:
      return plan_sequence(type, dtype);
    case TypeClass::compound:
      return plan_compound(type, dtype);
    case TypeClass::array:
      return plan_array(type, dtype);
    case TypeClass::reference:
      if (type.reference_kind() == ReferenceKind::region)
        return std::make_unique<ReferencePlan<RegionReference>>(ReferenceKind::region);
      return std::make_unique<ReferencePlan<ObjectReference>>(ReferenceKind::object);
    default:
      throw py::type_error("the dtype has objects that no datatype stands for");
  }
}

void bind_references(py::module_& module) {
  py::class_<ObjectReference>(module, "Reference")
      .def(py::init<>())
      .def_readonly("address", &ObjectReference::address)
      .def("__bool__", [](const ObjectReference& self) { return self.address != 0; })
      .def(
          "__eq__", [](const ObjectReference& a, const ObjectReference& b) { return a == b; },
          py::is_operator())
      .def("__hash__", [](const ObjectReference& self) { return self.address; })
      .def("__repr__", [](const ObjectReference& self) {
        return self.address == 0 ? "<HDF5 object reference (null)>" : "<HDF5 object reference>";
      });
  py::class_<RegionReference>(module, "RegionReference")
      .def(py::init<>())
      .def("__bool__", [](const RegionReference& self) { return !(self == RegionReference{}); })
      .def(
          "__eq__", [](const RegionReference& a, const RegionReference& b) { return a == b; },
          py::is_operator())
      .def("__hash__",
           [](const RegionReference& self) {
             return py::hash(py::bytes(reinterpret_cast<const char*>(self.bytes.data()), self.bytes.size()));
           })
      .def("__repr__", [](const RegionReference& self) {
        return self == RegionReference{} ? "<HDF5 region reference (null)>" : "<HDF5 region reference>";
      });
}

}  // namespace filigree::python
