// SPDX-License-Identifier: Apache-2.0
//
// The message versions of the nodes of a datatype.
#include <algorithm>

#include "type/datatypes.hpp"

namespace filigree::type {

using format::ByteOrder;
using format::CompoundMember;
using format::ReferenceKind;
using format::TypeClass;

namespace {

/// Raises the versions of containers. Atomic types keep the lowest possible version.
void raise(DatatypeMessage& type, std::uint8_t least) {
  for (DatatypeMessage& base : type.base) raise(base, least);
  for (CompoundMember& member : type.members) raise(member.type, least);
  switch (type.type_class) {
    case TypeClass::compound:
    case TypeClass::enumeration:
    case TypeClass::array:
      type.version = std::max(type.version, least);
      return;
    case TypeClass::variable_length:
      for (const DatatypeMessage& base : type.base) type.version = std::max(type.version, base.version);
      return;
    default:
      return;
  }
}

std::uint8_t least_of_class(const DatatypeMessage& type) {
  switch (type.type_class) {
    case TypeClass::array:
      return 2;
    case TypeClass::floating_point:
      return type.order == ByteOrder::vax ? 3 : 1;
    case TypeClass::reference:
      return type.reference > ReferenceKind::region ? 4 : 1;
    case TypeClass::complex:
      return 5;
    default:
      return 1;
  }
}

/// Sets the versions that HDF5 sets when it builds the type member by member: a member of a higher version
/// raises its compound and all members so far, and later members may be lower.
void settle(DatatypeMessage& type) {
  type.version = std::max(type.version, least_of_class(type));
  type.short_offsets = false;
  for (DatatypeMessage& base : type.base) {
    settle(base);
    type.version = std::max(type.version, base.version);
  }
  for (std::size_t i = 0; i < type.members.size(); ++i) {
    CompoundMember& member = type.members[i];
    member.type = format::member_type(member);
    member.dims.clear();
    member.permutation = 0;
    settle(member.type);
    if (member.type.version <= type.version) continue;
    type.version = member.type.version;
    for (std::size_t j = 0; j <= i; ++j) raise(type.members[j].type, type.version);
  }
}

}  // namespace

void set_versions(DatatypeMessage& type, std::uint8_t least) {
  settle(type);
  raise(type, least);
}

}  // namespace filigree::type
