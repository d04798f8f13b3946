// SPDX-License-Identifier: Apache-2.0
//
// Datatypes: creation, copies, comparison, classes and sizes.
#include <algorithm>

#include <fmt/format.h>

#include "capi/H5T/type_tools.hpp"
#include "type/datatypes.hpp"

namespace filigree::capi {

using format::TypeClass;

namespace {

DatatypeMessage variable_string(format::CharacterSet charset, format::StringPadding padding) {
  return memory_form(format::variable_string(charset, 8, padding));
}

/// Gives variable-length strings the default padding and character set, which H5Tequal does not compare.
void forget_string_marks(DatatypeMessage& message) {
  if (message.type_class == TypeClass::variable_length) {
    message.padding = format::StringPadding::nul_terminated;
    message.character_set = format::CharacterSet::ascii;
  }
  for (DatatypeMessage& base : message.base) forget_string_marks(base);
  for (format::CompoundMember& member : message.members) forget_string_marks(member.type);
}

bool are_equal(DatatypeMessage first, DatatypeMessage second) {
  forget_string_marks(first);
  forget_string_marks(second);
  return format::same_type(first, second);
}

DatatypeMessage new_enumeration(std::size_t bytes) {
  if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8)
    throw Failure(type_cant_init(), fmt::format("no native integer of {} bytes", bytes));
  DatatypeMessage message;
  message.type_class = TypeClass::enumeration;
  message.size = static_cast<std::uint32_t>(bytes);
  message.base.push_back(format::fixed_point(message.size, true));
  return message;
}

DatatypeMessage new_type(H5T_class_t type_class, std::size_t bytes) {
  using format::CharacterSet;
  using format::StringPadding;
  switch (type_class) {
    case H5T_STRING:
      if (bytes == H5T_VARIABLE) return variable_string(CharacterSet::ascii, StringPadding::nul_terminated);
      return format::fixed_string(element_size(bytes), StringPadding::nul_terminated, CharacterSet::ascii);
    case H5T_ENUM:
      return new_enumeration(bytes);
    case H5T_OPAQUE:
    case H5T_COMPOUND: {
      DatatypeMessage message;
      message.type_class = static_cast<TypeClass>(type_class);
      message.size = element_size(bytes);
      return message;
    }
    default:
      throw Failure(type_cant_init(),
                    fmt::format("types of class {} are not made by H5Tcreate: copy a predefined one",
                                static_cast<int>(type_class)));
  }
}

/// Changes the size of an atomic type; its class decides about precision and padding.
void resize_atomic(DatatypeMessage& type, std::uint32_t bytes) {
  const std::uint64_t bits = std::uint64_t{bytes} * 8;
  const std::uint64_t precision = std::min<std::uint64_t>(type.precision, bits);
  std::uint64_t offset = type.bit_offset;
  if (type.precision > bits) offset = 0;
  if (offset + precision > bits) offset = bits - precision;
  if (type.type_class == TypeClass::floating_point) {
    const format::FloatFields& f = type.floating;
    if (f.sign_position >= precision + offset || f.exponent_position + f.exponent_bits > precision + offset ||
        f.mantissa_position + f.mantissa_bits > precision + offset)
      throw Failure(type_cant_init(), "sign, exponent and mantissa have to be moved first (H5Tset_fields)");
  }
  type.size = bytes;
  type.precision = static_cast<std::uint16_t>(precision);
  type.bit_offset = static_cast<std::uint16_t>(offset);
}

void resize_compound(DatatypeMessage& type, std::uint32_t bytes) {
  for (const format::CompoundMember& member : type.members) {
    if (member.byte_offset + format::member_bytes(member) > bytes)
      throw Failure(type_cant_init(), fmt::format("{} bytes would cut member '{}'", bytes, member.name));
  }
  type.size = bytes;
}

void resize(DatatypeMessage& type, std::size_t bytes) {
  if (bytes == H5T_VARIABLE) {
    type = variable_string(type.character_set, type.padding);
    return;
  }
  if (is_variable_string(type)) return;  // as in HDF5: a variable-length string has the size of a pointer
  DatatypeMessage& inner = innermost(type);
  switch (inner.type_class) {
    case TypeClass::compound:
      resize_compound(inner, element_size(bytes));
      break;
    case TypeClass::string:
    case TypeClass::opaque:
      inner.size = element_size(bytes);
      break;
    case TypeClass::reference:
      throw Failure(type_cant_init(), "the size of references cannot be changed");
    default:
      resize_atomic(inner, element_size(bytes));
      break;
  }
  settle_sizes(type);
}

bool has_class(const DatatypeMessage& type, H5T_class_t wanted) {
  if (class_of(type) == wanted) return true;
  if (is_variable_string(type)) return false;
  // As in HDF5, a member that is a variable-length string also counts as a sequence.
  const auto member_has = [&](const format::CompoundMember& member) {
    const DatatypeMessage part = format::member_type(member);
    return static_cast<H5T_class_t>(part.type_class) == wanted || has_class(part, wanted);
  };
  return (!type.base.empty() && has_class(type.base.front(), wanted)) ||
         std::ranges::any_of(type.members, member_has);
}

bool has_compound(const DatatypeMessage& type) { return has_class(type, H5T_COMPOUND); }

}  // namespace
}  // namespace filigree::capi

using namespace filigree::capi;

hid_t H5Tcreate(H5T_class_t type, size_t size) {
  return api_call({"H5Tcreate", type_cant_init(), "unable to create the datatype"}, [&] {
    if (size == 0) bad_value("size cannot be 0");
    return add_type(new_type(type, size));
  });
}

hid_t H5Tcopy(hid_t type_id) {
  return api_call({"H5Tcopy", type_cant_init(), "unable to copy the datatype"}, [&] {
    if (const auto dataset = ids().find_as<DatasetHandle>(type_id))
      return add_type(dataset->dataset.datatype());
    return add_type(*ids().get<TypeHandle>(type_id, "a datatype or a dataset")->value.get());
  });
}

herr_t H5Tclose(hid_t type_id) {
  return api_call({"H5Tclose", {&H5E_ID_g, &H5E_BADID_g}, "unable to close the datatype"}, [&] {
    if (get_type(type_id)->permanent()) bad_value("the datatype is immutable, and stays");
    ids().release(type_id);
  });
}

htri_t H5Tequal(hid_t type1_id, hid_t type2_id) {
  return api_call({"H5Tequal", type_cant_init(), "unable to compare the datatypes"}, [&] {
    const auto first = get_type(type1_id), second = get_type(type2_id);
    return htri_t{are_equal(*first->value.get(), *second->value.get())};
  });
}

herr_t H5Tlock(hid_t type_id) {
  return api_call({"H5Tlock", type_cant_init(), "unable to lock the datatype"}, [&] {
    const auto type = get_type(type_id);
    if (type->state == TypeState::named) bad_value("a committed datatype cannot be locked");
    type->state = TypeState::immutable;
  });
}

H5T_class_t H5Tget_class(hid_t type_id) {
  return api_call({"H5Tget_class", type_cant_init(), "unable to get the class"},
                  [&] { return class_of(*get_type(type_id)->value.get()); });
}

htri_t H5Tdetect_class(hid_t type, H5T_class_t cls) {
  return api_call({"H5Tdetect_class", type_cant_init(), "unable to look for the class"}, [&] {
    const auto handle = get_type(type);
    if (cls <= H5T_NO_CLASS || cls >= H5T_NCLASSES) bad_type("not a datatype class");
    return htri_t{has_class(*handle->value.get(), cls)};
  });
}

htri_t H5Tis_variable_str(hid_t type_id) {
  return api_call({"H5Tis_variable_str", type_cant_init(), "unable to look at the datatype"},
                  [&] { return htri_t{is_variable_string(*get_type(type_id)->value.get())}; });
}

size_t H5Tget_size(hid_t type_id) {
  return api_call_or(size_t{0}, {"H5Tget_size", type_cant_init(), "unable to get the size"},
                     [&] { return size_t{get_type(type_id)->value.get()->size}; });
}

herr_t H5Tset_size(hid_t type_id, size_t size) {
  return api_call({"H5Tset_size", type_cant_init(), "unable to set the size"}, [&] {
    const auto type = get_type(type_id);
    require_changeable(*type, args_cant_init());
    if (size == 0) bad_value("size cannot be 0");
    type->value.change([&](DatatypeMessage& message) {
      if (size == H5T_VARIABLE && class_of(message) != H5T_STRING)
        bad_value("only strings can be of variable length");
      require_no_enumerators(message, type_cant_init());
      if (message.type_class == filigree::format::TypeClass::complex)
        throw Failure(type_cant_init(), "the size of a complex number is that of its parts");
      resize(message, size);
    });
  });
}

hid_t H5Tget_super(hid_t type) {
  return api_call({"H5Tget_super", type_cant_init(), "unable to get the base type"}, [&] {
    const auto message = get_type(type)->value.get();
    if (message->base.empty()) throw Failure(type_cant_init(), "the datatype is not derived from another");
    return add_type(message->base.front());
  });
}

hid_t H5Tget_native_type(hid_t type_id, H5T_direction_t direction) {
  return api_call(
      {"H5Tget_native_type", {&H5E_ARGS_g, &H5E_BADTYPE_g}, "unable to find a native datatype"}, [&] {
        const auto type = get_type(type_id);
        if (direction != H5T_DIR_DEFAULT && direction != H5T_DIR_ASCEND && direction != H5T_DIR_DESCEND)
          bad_type("not a direction of the search");
        using filigree::type::NativeSearch;
        const auto search = direction == H5T_DIR_DESCEND ? NativeSearch::descending : NativeSearch::ascending;
        return add_type(memory_form(filigree::type::native_type(*type->value.get(), search)));
      });
}

herr_t H5Tpack(hid_t type_id) {
  return api_call({"H5Tpack", type_cant_init(), "unable to pack the datatype"}, [&] {
    const auto type = get_type(type_id);
    if (!has_compound(*type->value.get())) bad_type("not a compound datatype");
    DatatypeMessage packed = filigree::type::packed(*type->value.get());
    if (packed.size == type->value.get()->size) return;
    require_changeable(*type, type_cant_init());
    type->value.set(std::move(packed));
  });
}
