// SPDX-License-Identifier: Apache-2.0
#include "binary_output.hpp"

#include <algorithm>

#include "value_parts.hpp"

namespace filigree::tools {

namespace {

constexpr std::uint64_t part_bytes = std::uint64_t{1} << 20;

/// Returns the type with this byte order in all of its parts.
Datatype in_order(const Datatype& type, ByteOrder order) {
  switch (type.type_class()) {
    case TypeClass::integer:
      return Datatype::integer(type.size(), type.is_signed(), order).with_bits(type.bits());
    case TypeClass::bitfield:
      return Datatype::bitfield(type.size(), order).with_bits(type.bits());
    case TypeClass::floating_point:
      return Datatype::custom_float(type.size(), order, type.bits(), type.float_layout());
    case TypeClass::enumeration:
      return Datatype::enumeration(in_order(type.base(), order), type.enumerators());
    case TypeClass::array:
      return Datatype::array(in_order(type.base(), order), type.dims());
    case TypeClass::compound: {
      std::vector<Member> members = type.members();
      for (Member& member : members) member.type = in_order(member.type, order);
      return Datatype::packed_compound(std::move(members));
    }
    default:
      return type;
  }
}

Datatype form_of(const Datatype& stored, const std::string& form) {
  if (form == "FILE") return stored.packed();
  if (form == "LE") return in_order(stored, ByteOrder::little);
  if (form == "BE") return in_order(stored, ByteOrder::big);
  return stored.native().packed();
}

}  // namespace

void write_binary(DumpContext& context, const Dataset& data, const std::vector<Selection::Range>& ranges) {
  const Datatype type = form_of(data.datatype(), *context.options.binary);
  if (type.has_variable_parts())
    throw Error(ErrorKind::unsupported, "elements of variable length have no binary form");
  if (data.space().kind() == Dataspace::Kind::null) return;
  const std::uint64_t most = std::max<std::uint64_t>(1, part_bytes / std::max<std::uint32_t>(1, type.size()));
  std::string bytes;
  Lattice(ranges).for_each_part(most, [&](const Selection& part) {
    data.read_allocated(type, part, {}, [&](std::size_t count) {
      bytes.resize(count * type.size());
      return Dataset::ElementBuffer{bytes.data(), count};
    });
    context.out.put_data(bytes);
  });
}

}  // namespace filigree::tools
