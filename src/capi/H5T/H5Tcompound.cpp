// SPDX-License-Identifier: Apache-2.0
//
// Datatypes: members of compound types and enumerations.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "capi/H5T/type_tools.hpp"
#include "capi/core/strings.hpp"

namespace filigree::capi {

using format::CompoundMember;
using format::TypeClass;

namespace {

Code cant_insert() { return {&H5E_DATATYPE_g, &H5E_CANTINSERT_g}; }

constexpr std::size_t most_members = 65535;

void insert_member(DatatypeMessage& compound, const char* name, std::size_t offset,
                   const DatatypeMessage& type) {
  if (compound.members.size() == most_members)
    throw Failure(cant_insert(), "a compound has at most 65535 members");
  if (offset > compound.size || type.size > compound.size - offset) {
    throw Failure(cant_insert(),
                  fmt::format("member '{}' ({} bytes at {}) reaches beyond the {} bytes of its "
                              "compound",
                              name, type.size, offset, compound.size));
  }
  for (const CompoundMember& member : compound.members) {
    if (member.name == name)
      throw Failure(cant_insert(), fmt::format("there is a member '{}' already", name));
    if (offset < member.byte_offset + format::member_bytes(member) && member.byte_offset < offset + type.size)
      throw Failure(cant_insert(), fmt::format("member '{}' overlaps member '{}'", name, member.name));
  }
  compound.members.push_back({name, static_cast<std::uint32_t>(offset), {}, 0, type});
}

const CompoundMember& member_at(const DatatypeMessage& type, unsigned number) {
  if (type.type_class != TypeClass::compound) bad_type("not a compound datatype");
  if (number >= type.members.size()) bad_value(fmt::format("there is no member {}", number));
  return type.members[number];
}

Bytes value_at(const DatatypeMessage& type, std::size_t number) {
  return Bytes(type.enum_values).subspan(number * type.size, type.size);
}

bool same_bytes(Bytes a, const void* b) { return std::memcmp(a.data(), b, a.size()) == 0; }

void insert_enumerator(DatatypeMessage& type, const char* name, const void* value) {
  if (type.enum_names.size() == most_members)
    throw Failure(type_cant_init(), "an enumeration has at most 65535 members");
  for (std::size_t i = 0; i < type.enum_names.size(); ++i) {
    if (type.enum_names[i] == name)
      throw Failure(type_cant_init(), fmt::format("there is a member '{}' already", name));
    if (same_bytes(value_at(type, i), value))
      throw Failure(type_cant_init(), fmt::format("'{}' has the value of '{}'", name, type.enum_names[i]));
  }
  const auto* const bytes = static_cast<const std::byte*>(value);
  type.enum_names.emplace_back(name);
  type.enum_values.insert(type.enum_values.end(), bytes, bytes + type.size);
}

/// *Throws* bad_type().
std::shared_ptr<TypeHandle> get_enumeration(hid_t id) {
  auto type = get_type(id);
  if (type->value.get()->type_class != TypeClass::enumeration) bad_type("not an enumeration datatype");
  return type;
}

}  // namespace
}  // namespace filigree::capi

using namespace filigree::capi;
using filigree::format::TypeClass;

herr_t H5Tinsert(hid_t parent_id, const char* name, size_t offset, hid_t member_id) {
  return api_call({"H5Tinsert", {&H5E_DATATYPE_g, &H5E_CANTINSERT_g}, "unable to insert the member"}, [&] {
    if (parent_id == member_id) bad_value("a compound cannot be a member of itself");
    const auto parent = get_type(parent_id);
    if (parent->value.get()->type_class != TypeClass::compound) bad_type("not a compound datatype");
    require_changeable(*parent, {&H5E_ARGS_g, &H5E_BADVALUE_g});
    required_string(name, "name");
    const auto member = get_type(member_id);
    parent->value.change(
        [&](DatatypeMessage& compound) { insert_member(compound, name, offset, *member->value.get()); });
  });
}

int H5Tget_nmembers(hid_t type_id) {
  return api_call({"H5Tget_nmembers", {&H5E_ARGS_g, &H5E_BADTYPE_g}, "unable to count the members"}, [&] {
    const auto type = get_type(type_id)->value.get();
    if (type->type_class == TypeClass::compound) return static_cast<int>(type->members.size());
    if (type->type_class != TypeClass::enumeration)
      bad_type("neither a compound nor an enumeration datatype");
    return static_cast<int>(type->enum_names.size());
  });
}

char* H5Tget_member_name(hid_t type_id, unsigned membno) {
  const Code code{&H5E_ARGS_g, &H5E_BADTYPE_g};
  return api_call_or(static_cast<char*>(nullptr), {"H5Tget_member_name", code, "unable to get the name"},
                     [&] {
                       const auto type = get_type(type_id)->value.get();
                       if (type->type_class == TypeClass::compound && membno < type->members.size())
                         return new_string(type->members[membno].name);
                       if (type->type_class == TypeClass::enumeration && membno < type->enum_names.size())
                         return new_string(type->enum_names[membno]);
                       throw Failure(code, fmt::format("the datatype has no member {}", membno));
                     });
}

int H5Tget_member_index(hid_t type_id, const char* name) {
  return api_call({"H5Tget_member_index", {&H5E_ARGS_g, &H5E_BADTYPE_g}, "unable to find the member"}, [&] {
    const auto type = get_type(type_id)->value.get();
    if (type->type_class != TypeClass::compound && type->type_class != TypeClass::enumeration)
      bad_type("neither a compound nor an enumeration datatype");
    required(name, "name");
    if (type->type_class == TypeClass::compound) {
      const auto found = std::ranges::find(type->members, name, &filigree::format::CompoundMember::name);
      return found == type->members.end() ? -1 : static_cast<int>(found - type->members.begin());
    }
    const auto found = std::ranges::find(type->enum_names, name);
    return found == type->enum_names.end() ? -1 : static_cast<int>(found - type->enum_names.begin());
  });
}

size_t H5Tget_member_offset(hid_t type_id, unsigned membno) {
  return api_call_or(size_t{0},
                     {"H5Tget_member_offset", {&H5E_ARGS_g, &H5E_BADTYPE_g}, "unable to get the offset"},
                     [&] { return size_t{member_at(*get_type(type_id)->value.get(), membno).byte_offset}; });
}

H5T_class_t H5Tget_member_class(hid_t type_id, unsigned membno) {
  return api_call({"H5Tget_member_class", {&H5E_ARGS_g, &H5E_BADTYPE_g}, "unable to get the class"}, [&] {
    const auto type = get_type(type_id)->value.get();
    return class_of(filigree::format::member_type(member_at(*type, membno)));
  });
}

hid_t H5Tget_member_type(hid_t type_id, unsigned membno) {
  return api_call({"H5Tget_member_type", {&H5E_ARGS_g, &H5E_BADTYPE_g}, "unable to get the type"}, [&] {
    const auto type = get_type(type_id)->value.get();
    return add_type(filigree::format::member_type(member_at(*type, membno)));
  });
}

hid_t H5Tenum_create(hid_t base_id) {
  return api_call({"H5Tenum_create", type_cant_init(), "unable to create the enumeration"}, [&] {
    const auto base = get_type(base_id)->value.get();
    if (base->type_class != TypeClass::fixed_point) bad_type("not an integer datatype");
    DatatypeMessage message;
    message.type_class = TypeClass::enumeration;
    message.size = base->size;
    message.base.push_back(*base);
    return add_type(std::move(message));
  });
}

herr_t H5Tenum_insert(hid_t type, const char* name, const void* value) {
  return api_call({"H5Tenum_insert", type_cant_init(), "unable to insert the member"}, [&] {
    const auto handle = get_enumeration(type);
    required_string(name, "name");
    required(value, "value");
    require_changeable(*handle, args_cant_init());
    handle->value.change([&](DatatypeMessage& message) { insert_enumerator(message, name, value); });
  });
}

herr_t H5Tget_member_value(hid_t type_id, unsigned membno, void* value) {
  return api_call({"H5Tget_member_value", type_cant_init(), "unable to get the value"}, [&] {
    const auto type = get_type(type_id)->value.get();
    if (type->type_class != TypeClass::enumeration)
      throw Failure(type_cant_init(), "not an enumeration datatype");
    required(value, "value");
    if (membno >= type->enum_names.size()) bad_value(fmt::format("there is no member {}", membno));
    std::memcpy(value, value_at(*type, membno).data(), type->size);
  });
}

herr_t H5Tenum_nameof(hid_t type, const void* value, char* name, size_t size) {
  return api_call({"H5Tenum_nameof", type_cant_init(), "unable to find the name"}, [&] {
    const auto message = get_enumeration(type)->value.get();
    required(value, "value");
    required(name, "name");
    if (size == 0) throw Failure(type_cant_init(), "the buffer for the name is empty");
    *name = '\0';
    for (std::size_t i = 0; i < message->enum_names.size(); ++i) {
      if (!same_bytes(value_at(*message, i), value)) continue;
      const std::string& found = message->enum_names[i];
      std::memcpy(name, found.c_str(), std::min(size, found.size() + 1));
      if (found.size() >= size)
        throw Failure(type_cant_init(), "the buffer is too small, and the name is cut");
      return;
    }
    throw Failure(type_cant_init(), "no member has the value");
  });
}

herr_t H5Tenum_valueof(hid_t type, const char* name, void* value) {
  return api_call({"H5Tenum_valueof", type_cant_init(), "unable to find the value"}, [&] {
    const auto message = get_enumeration(type)->value.get();
    required_string(name, "name");
    required(value, "value");
    const auto found = std::ranges::find(message->enum_names, name);
    if (found == message->enum_names.end())
      throw Failure(type_cant_init(), fmt::format("there is no member '{}'", name));
    const auto number = static_cast<std::size_t>(found - message->enum_names.begin());
    std::memcpy(value, value_at(*message, number).data(), message->size);
  });
}
