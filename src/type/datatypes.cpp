// SPDX-License-Identifier: Apache-2.0
#include "type/datatypes.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/checked.hpp"

namespace filigree::type {

using format::CompoundMember;
using format::ReferenceKind;
using format::TypeClass;
using format::VariableKind;

namespace {

/// Whether the type contains a type of that class at any depth.
bool contains(const DatatypeMessage& type, TypeClass requested) {
  if (type.type_class == requested) return true;
  return std::ranges::any_of(type.base, [&](const DatatypeMessage& b) { return contains(b, requested); }) ||
         std::ranges::any_of(type.members,
                             [&](const CompoundMember& m) { return contains(m.type, requested); });
}

std::uint32_t fitting_size(std::uint64_t bytes, const DatatypeMessage& type) {
  if (bytes == 0 || bytes > 0xffffffffu) {
    throw Error(ErrorKind::limit, fmt::format("{} cannot have {} bytes", format::describe_type(type), bytes));
  }
  return static_cast<std::uint32_t>(bytes);
}

std::uint64_t array_elements(const DatatypeMessage& type) {
  std::uint64_t count = 1;
  for (const std::uint32_t dim : type.dims) count = checked_multiply(count, dim, "the elements of an array");
  return count;
}

void sort_by_offset(std::vector<CompoundMember>& members) {
  // Members do not overlap, so their offsets differ.
  std::ranges::sort(members, {}, &CompoundMember::byte_offset);
}

/// The type after `change` was applied to every variable-length and reference type in it.
template <class Change>
DatatypeMessage changed(const DatatypeMessage& type, const Change& change) {
  DatatypeMessage result = type;
  for (DatatypeMessage& base : result.base) base = changed(base, change);
  switch (type.type_class) {
    case TypeClass::variable_length:
    case TypeClass::reference:
      change(result);
      break;
    case TypeClass::array:
      result.size = fitting_size(
          checked_multiply(array_elements(result), result.base.at(0).size, "the bytes of an array"), type);
      break;
    case TypeClass::compound: {
      if (!has_variable_parts(type) && !has_references(type)) break;
      // HDF5 also keeps the members of such types in the order of their offsets.
      sort_by_offset(result.members);
      std::int64_t gained = 0;
      for (CompoundMember& member : result.members) {
        const auto before = static_cast<std::int64_t>(format::member_bytes(member));
        member.type = changed(member.type, change);
        member.byte_offset = static_cast<std::uint32_t>(member.byte_offset + gained);
        gained += static_cast<std::int64_t>(format::member_bytes(member)) - before;
      }
      result.size = fitting_size(static_cast<std::uint64_t>(type.size + gained), type);
      break;
    }
    default:
      break;
  }
  return result;
}

}  // namespace

bool has_variable_parts(const DatatypeMessage& type) { return contains(type, TypeClass::variable_length); }

bool has_references(const DatatypeMessage& type) { return contains(type, TypeClass::reference); }

DatatypeMessage file_type(const DatatypeMessage& type, std::uint8_t offset_bytes) {
  return changed(type, [&](DatatypeMessage& node) {
    const bool reference = node.type_class == TypeClass::reference;
    // References keep their size: HDF5 1.10 stores 8 bytes even in files with shorter addresses.
    if (reference && node.container == nullptr) return;
    node.container = nullptr;
    node.size = (reference ? 10u : 8u) + offset_bytes;
  });
}

DatatypeMessage c_type(const DatatypeMessage& type, const Container* references) {
  return changed(type, [&](DatatypeMessage& node) {
    if (node.type_class == TypeClass::reference) {
      if (node.reference > ReferenceKind::region && references != nullptr) {
        node.container = references;
        node.size = references->bytes;
      }
      if (node.reference == ReferenceKind::object) node.size = std::max(node.size, 8u);
      if (node.reference == ReferenceKind::region) node.size = std::max(node.size, 12u);
      return;
    }
    node.container = node.variable == VariableKind::string ? &c_string : &c_sequence;
    node.size = node.container->bytes;
  });
}

DatatypeMessage packed(const DatatypeMessage& type) {
  DatatypeMessage result = type;
  for (DatatypeMessage& base : result.base) base = packed(base);
  if (type.type_class == TypeClass::array) {
    result.size = fitting_size(
        checked_multiply(array_elements(result), result.base.at(0).size, "the bytes of an array"), type);
  }
  if (type.type_class != TypeClass::compound) return result;
  sort_by_offset(result.members);
  std::uint64_t at = 0;
  for (CompoundMember& member : result.members) {
    member.type = packed(member.type);
    member.byte_offset = static_cast<std::uint32_t>(at);
    at += format::member_bytes(member);
  }
  result.size = fitting_size(at, type);
  return result;
}

}  // namespace filigree::type
