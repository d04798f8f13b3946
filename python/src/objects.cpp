// SPDX-License-Identifier: Apache-2.0
//
// Objects and attributes.
#include <pybind11/stl.h>

#include <filigree/file.hpp>
#include <filigree/group.hpp>
#include <filigree/object.hpp>

#include "elements.hpp"
#include "options.hpp"

namespace filigree::python {

namespace {

const char* kind_of(const Object& object) {
  switch (object.kind()) {
    case ObjectKind::group:
      return "group";
    case ObjectKind::dataset:
      return "dataset";
    case ObjectKind::datatype:
      return "datatype";
  }
  return "";
}

}  // namespace

py::object opened(const Object& object) {
  const ObjectKind kind = released([&] { return object.kind(); });
  const auto make = [&]<class T>(T*) -> py::object {
    Handle<T> handle(released([&] { return new T(object); }));
    return py::cast(std::move(handle));
  };
  switch (kind) {
    case ObjectKind::group:
      return make(static_cast<Group*>(nullptr));
    case ObjectKind::dataset:
      return make(static_cast<Dataset*>(nullptr));
    case ObjectKind::datatype:
      return make(static_cast<CommittedDatatype*>(nullptr));
  }
  return py::none();
}

namespace {

void read_attribute(const Attribute& attribute, const Elements& elements, py::array array) {
  const std::size_t count = elements.count_in(array);
  ConversionOptions options;
  options.rules = elements.rules();
  elements.read(array.mutable_data(), count, [&](void* memory) {
    if (elements.has_objects() || !attribute.read_small(elements.memory_type(), memory, count))
      attribute.read_elements(elements.memory_type(), memory, count, options);
  });
}

void write_attribute(Attribute& attribute, const Elements& elements, const py::array& array) {
  const std::size_t count = elements.count_in(array);
  ConversionOptions options;
  options.rules = elements.rules();
  elements.write(array.data(), count, [&](const void* memory) {
    attribute.write_elements(elements.memory_type(), memory, count, options);
  });
}

/// Creates or replaces an attribute. `array` is None for an attribute without elements.
void put_attribute(Object& object, const Text& name, const Datatype& type, const py::handle& shape,
                   const Elements& elements, const py::object& array) {
  const Dataspace space = dataspace(shape, py::none());
  if (array.is_none())
    return released([&] { object.put_attribute(name.value, type, space, elements.memory_type(), nullptr); });
  const auto values = py::cast<py::array>(array);
  if (elements.count_in(values) != space.elements()) throw py::value_error("shape and elements differ");
  elements.write(values.data(), elements.count_in(values), [&](const void* memory) {
    object.put_attribute(name.value, type, space, elements.memory_type(), memory);
  });
}

py::list attribute_names(const Object& object, bool by_creation) {
  const auto all =
      released([&] { return object.attributes(by_creation ? IndexBy::creation_order : IndexBy::name); });
  py::list names;
  for (const Attribute& attribute : all) names.append(to_python(attribute.name()));
  return names;
}

py::dict info_of(const Object& object) {
  const ObjectInfo info = released([&] { return object.info(); });
  py::dict result;
  result["address"] = info.address;
  result["links"] = info.link_count;
  result["attributes"] = info.attributes;
  result["header_version"] = info.header_version;
  result["modified"] = info.modified;
  return result;
}

void bind_attributes(py::module_& module) {
  py::class_<Attribute, Handle<Attribute>>(module, "Attribute")
      .def_property_readonly("name", [](const Attribute& self) { return Text{self.name()}; })
      .def_property_readonly(
          "space",
          [](const Attribute& self) { return from_dataspace(released([&] { return self.space(); })); })
      .def_property_readonly("datatype", py::cpp_function(&Attribute::datatype, Released()))
      .def("read", &read_attribute)
      .def("write", &write_attribute);
}

}  // namespace

void bind_objects(py::module_& module) {
  bind_attributes(module);
  py::class_<Object, Handle<Object>>(module, "Object")
      .def_property_readonly("kind", py::cpp_function(&kind_of, Released()))
      .def_property_readonly("address", &Object::address)
      .def_property_readonly("path", [](const Object& self) { return Text{self.path()}; })
      .def_property_readonly("file", py::cpp_function(&Object::file, Released()))
      .def("is_in", [](const Object& self, const File& file) { return self.file() == file; })
      .def(
          "with_path", [](const Object& self, const Text& path) { return self.with_path(path.value); },
          Released())
      .def("opened", &opened)
      .def("info", &info_of)
      .def("reference", &Object::reference)
      .def(
          "__eq__", [](const Object& a, const Object& b) { return a == b; }, py::is_operator(), Released())
      .def("__hash__", [](const Object& self) { return self.address(); })
      .def(
          "has_attribute",
          [](const Object& self, const Text& name) { return self.has_attribute(name.value); }, Released())
      .def(
          "attribute", [](const Object& self, const Text& name) { return self.attribute(name.value); },
          Released())
      .def("put_attribute", &put_attribute)
      .def(
          "remove_attribute", [](Object& self, const Text& name) { self.remove_attribute(name.value); },
          Released())
      .def("attribute_names", &attribute_names)
      .def(
          "attribute_count", [](const Object& self) { return self.info().attributes; }, Released())
      .def(
          "attributes_ordered", [](const Object& self) { return self.attribute_storage().track_order; },
          Released())
      .def("copy_to", [](const Object& self, const Group& group, const Text& path, const py::dict& options) {
        const CopyOptions copy = copy_options(options);
        released([&] { self.copy_to(group, path.value, copy, {.create_parents = true}); });
      });
  py::class_<CommittedDatatype, Object, Handle<CommittedDatatype>>(module, "CommittedDatatype")
      .def_property_readonly("datatype", py::cpp_function(&CommittedDatatype::datatype, Released()));
}

}  // namespace filigree::python
