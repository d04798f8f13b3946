// SPDX-License-Identifier: Apache-2.0
//
// Datatypes: what dtypes are made into, and are made from (filigree.dtypes).
#include <pybind11/stl.h>

#include <filigree/datatype.hpp>

#include "core.hpp"

namespace filigree::python {

namespace {

using MemberTuple = std::tuple<Text, Datatype, std::uint32_t>;
using EnumeratorTuple = std::tuple<Text, std::int64_t>;

const char* class_name(TypeClass type_class) {
  switch (type_class) {
    case TypeClass::integer:
      return "integer";
    case TypeClass::floating_point:
      return "float";
    case TypeClass::time:
      return "time";
    case TypeClass::string:
      return "string";
    case TypeClass::bitfield:
      return "bitfield";
    case TypeClass::opaque:
      return "opaque";
    case TypeClass::compound:
      return "compound";
    case TypeClass::reference:
      return "reference";
    case TypeClass::enumeration:
      return "enumeration";
    case TypeClass::sequence:
      return "sequence";
    case TypeClass::array:
      return "array";
    case TypeClass::complex:
      return "complex";
  }
  return "";
}

const char* reference_name(ReferenceKind kind) {
  switch (kind) {
    case ReferenceKind::object:
      return "object";
    case ReferenceKind::region:
      return "region";
    case ReferenceKind::any:
      return "any";
  }
  return "";
}

ByteOrder order_of(bool big) { return big ? ByteOrder::big : ByteOrder::little; }
CharacterSet charset_of(bool utf8) { return utf8 ? CharacterSet::utf8 : CharacterSet::ascii; }

Datatype compound(std::uint32_t bytes, const std::vector<MemberTuple>& members) {
  std::vector<Member> list;
  for (const auto& [name, type, offset] : members) list.push_back({name.value, type, offset});
  return Datatype::compound(bytes, std::move(list));
}

Datatype enumeration(const Datatype& base, const std::vector<EnumeratorTuple>& enumerators) {
  std::vector<Enumerator> list;
  for (const auto& [name, value] : enumerators) list.push_back({name.value, value});
  return Datatype::enumeration(base, std::move(list));
}

std::vector<MemberTuple> members_of(const Datatype& type) {
  std::vector<MemberTuple> list;
  for (Member& member : type.members())
    list.emplace_back(Text{std::move(member.name)}, member.type, member.offset);
  return list;
}

std::vector<EnumeratorTuple> enumerators_of(const Datatype& type) {
  std::vector<EnumeratorTuple> list;
  for (Enumerator& one : type.enumerators()) list.emplace_back(Text{std::move(one.name)}, one.value);
  return list;
}

Datatype fixed_string(std::uint32_t bytes, bool utf8) {
  return Datatype::fixed_string(bytes, StringPadding::nul_padded, charset_of(utf8));
}

/// Precision, exponent bits, mantissa bits and bias of a floating-point type.
std::tuple<int, int, int, std::uint32_t> float_fields(const Datatype& type) {
  const FloatLayout fields = type.float_layout();
  return {type.bits().precision, fields.exponent_bits, fields.mantissa_bits, fields.exponent_bias};
}

void bind_constructors(py::class_<Datatype>& type) {
  type.def_static("integer", [](std::uint32_t bytes, bool is_signed,
                                bool big) { return Datatype::integer(bytes, is_signed, order_of(big)); })
      .def_static("floating",
                  [](std::uint32_t bytes, bool big) { return Datatype::floating(bytes, order_of(big)); })
      .def_static("long_double", &Datatype::long_double)
      .def_static("bitfield",
                  [](std::uint32_t bytes, bool big) { return Datatype::bitfield(bytes, order_of(big)); })
      .def_static("fixed_string", &fixed_string)
      .def_static("terminated_string",
                  [](std::uint32_t bytes) {
                    return Datatype::fixed_string(bytes, StringPadding::nul_terminated, CharacterSet::ascii);
                  })
      .def_static("variable_string", [](bool utf8) { return Datatype::variable_string(charset_of(utf8)); })
      .def_static("opaque",
                  [](std::uint32_t bytes, const Text& tag) { return Datatype::opaque(bytes, tag.value); })
      .def_static("compound", &compound)
      .def_static("enumeration", &enumeration)
      .def_static("array",
                  [](const Datatype& base, std::vector<std::uint32_t> dims) {
                    return Datatype::array(base, std::move(dims));
                  })
      .def_static("sequence", &Datatype::sequence)
      .def_static("reference", [](bool region) {
        return Datatype::reference(region ? ReferenceKind::region : ReferenceKind::object);
      });
}

}  // namespace

void bind_datatypes(py::module_& module) {
  py::class_<Datatype> type(module, "Datatype");
  bind_constructors(type);
  type.def_property_readonly("kind", [](const Datatype& self) { return class_name(self.type_class()); })
      .def_property_readonly("size", &Datatype::size)
      .def_property_readonly("text", [](const Datatype& self) { return Text{self.text()}; })
      .def_property_readonly(
          "order",
          [](const Datatype& self) {
            const ByteOrder order = self.order();
            return order == ByteOrder::little ? "<" : order == ByteOrder::big ? ">" : "vax";
          })
      .def_property_readonly("signed", &Datatype::is_signed)
      .def_property_readonly("float_fields", &float_fields)
      .def_property_readonly("variable", &Datatype::is_variable_string)
      .def_property_readonly("utf8",
                             [](const Datatype& self) { return self.charset() == CharacterSet::utf8; })
      .def_property_readonly("padding", [](const Datatype& self) { return static_cast<int>(self.padding()); })
      .def_property_readonly("tag", [](const Datatype& self) { return Text{self.tag()}; })
      .def_property_readonly("members", &members_of)
      .def_property_readonly("enumerators", &enumerators_of)
      .def_property_readonly("base", &Datatype::base)
      .def_property_readonly("dims", &Datatype::dims)
      .def_property_readonly("reference_kind",
                             [](const Datatype& self) { return reference_name(self.reference_kind()); })
      .def_property_readonly("has_variable_parts", &Datatype::has_variable_parts)
      .def(
          "__eq__", [](const Datatype& self, const Datatype& other) { return self == other; },
          py::is_operator())
      .def("__repr__", [](const Datatype& self) { return Text{"<Datatype " + self.text() + ">"}; });
  type.attr("__hash__") = py::none();
}

}  // namespace filigree::python
