// SPDX-License-Identifier: Apache-2.0
#include "format/messages/datatype.hpp"

#include <algorithm>

#include "base/checked.hpp"
#include "format/codec/codec_instantiate.hpp"
#include "format/messages/dataspace.hpp"
#include "format/messages/held_datatype.hpp"

namespace filigree::format {

namespace {

constexpr unsigned max_members = 65535;
constexpr unsigned max_member_rank = 4;

/// The context that a nested type needs from its enclosing types.
struct Nesting {
  unsigned depth = 0;
  unsigned version = 5;        ///< version of the enclosing type, which limits that of the nested type
  bool short_offsets = false;  ///< reading member offsets as release 1.8.0 wrote them
  bool in_memory = false;      ///< variable-length values have the size of C's pointers
};

/// The 24 bits after the class, packed or unpacked field by field.
template <bool decodes>
struct ClassBits {
  std::uint32_t word = 0;

  template <class T>
  void field(T& v, unsigned at, unsigned count) {
    const std::uint32_t mask = (1u << count) - 1;
    if constexpr (decodes) {
      v = static_cast<T>(word >> at & mask);
    } else {
      word |= (static_cast<std::uint32_t>(detail::to_word(v)) & mask) << at;
    }
  }
};

/// Counts and codes that the class bits hold but the structure represents differently.
struct ClassCodes {
  std::uint32_t count = 0;  ///< number of members, or size of the tag
  bool big = false;
  bool vax = false;
  bool homogeneous = true;
  std::uint8_t complex_form = 0;
};

ClassCodes class_codes(const DatatypeMessage& m) {
  ClassCodes codes;
  codes.big = m.order != ByteOrder::little;
  codes.vax = m.order == ByteOrder::vax;
  if (m.type_class == TypeClass::compound) codes.count = static_cast<std::uint32_t>(m.members.size());
  if (m.type_class == TypeClass::enumeration) codes.count = static_cast<std::uint32_t>(m.enum_names.size());
  if (m.type_class == TypeClass::opaque) {
    codes.count = static_cast<std::uint32_t>(std::max<std::uint64_t>(pad8(m.tag.size()), m.tag_bytes));
  }
  return codes;
}

template <class Bits, class M>
void describe_number_bits(Bits& bits, M& m, ClassCodes& codes) {
  bits.field(codes.big, 0, 1);
  if (m.type_class == TypeClass::time) return;
  bits.field(m.low_padding, 1, 1);
  bits.field(m.high_padding, 2, 1);
  if (m.type_class == TypeClass::fixed_point) bits.field(m.is_signed, 3, 1);
  if (m.type_class != TypeClass::floating_point) return;
  bits.field(m.internal_padding, 3, 1);
  bits.field(m.floating.normalisation, 4, 2);
  bits.field(codes.vax, 6, 1);
  bits.field(m.floating.sign_position, 8, 8);
}

template <class Bits, class M>
void describe_bits(Bits& bits, M& m, ClassCodes& codes) {
  switch (m.type_class) {
    case TypeClass::fixed_point:
    case TypeClass::floating_point:
    case TypeClass::time:
    case TypeClass::bitfield:
      return describe_number_bits(bits, m, codes);
    case TypeClass::string:
      bits.field(m.padding, 0, 4);
      bits.field(m.character_set, 4, 4);
      return;
    case TypeClass::opaque:
      return bits.field(codes.count, 0, 8);
    case TypeClass::compound:
    case TypeClass::enumeration:
      return bits.field(codes.count, 0, 16);
    case TypeClass::reference:
      bits.field(m.reference, 0, 4);
      if (m.reference > ReferenceKind::region) bits.field(m.reference_encoding, 4, 4);
      return;
    case TypeClass::variable_length:
      bits.field(m.variable, 0, 4);
      if (m.variable != VariableKind::string) return;
      bits.field(m.padding, 4, 4);
      bits.field(m.character_set, 8, 4);
      return;
    case TypeClass::array:
      return;
    case TypeClass::complex:
      bits.field(codes.homogeneous, 0, 1);
      bits.field(codes.complex_form, 1, 2);
      return;
  }
}

template <class Io, class M>
void check_bits(Io& io, const M& m, const ClassCodes& codes) {
  switch (m.type_class) {
    case TypeClass::floating_point:
      io.require(codes.big || !codes.vax, "byte order", "is unknown");
      io.require(!codes.vax || m.version >= 3, "byte order", "is that of a VAX, which needs version 3");
      io.range("normalisation", m.floating.normalisation, 0, 2);
      return;
    case TypeClass::string:
    case TypeClass::variable_length:
      if (m.type_class == TypeClass::variable_length) io.range("variable-length kind", m.variable, 0, 1);
      io.range("string padding", m.padding, 0, 2);
      io.range("character set", m.character_set, 0, 1);
      return;
    case TypeClass::opaque:
      io.range("tag bytes", codes.count, 0, 255);
      io.require(codes.count % 8 == 0, "tag bytes", "is not a multiple of 8");
      return;
    case TypeClass::compound:
      io.range("member count", codes.count, 1, max_members);
      return;
    case TypeClass::enumeration:
      io.range("member count", codes.count, 0, max_members);
      return;
    case TypeClass::reference:
      io.range("reference kind", m.reference, 0, 4);
      if (m.reference <= ReferenceKind::region) return;
      io.range("reference encoding", m.reference_encoding, 1, 1);
      return;
    case TypeClass::complex:
      io.require(codes.homogeneous, "complex form", "has parts of different types");
      io.range("complex form", codes.complex_form, 0, 0);
      return;
    case TypeClass::fixed_point:
    case TypeClass::time:
    case TypeClass::bitfield:
    case TypeClass::array:
      return;
  }
}

/// The start of every type: version, class, class bits and size.
template <class Io, class M>
void describe_start(Io& io, M& m, ClassCodes& codes, unsigned max_version) {
  std::uint8_t start = static_cast<std::uint8_t>(m.version << 4 | static_cast<unsigned>(m.type_class));
  io.u8("class and version", start);
  if constexpr (Io::decodes) {
    m.version = start >> 4;
    m.type_class = static_cast<TypeClass>(start & 15);
  }
  io.range("version", m.version, 1, max_version);
  io.range("class", m.type_class, 0, 11);
  io.require(m.type_class != TypeClass::complex || m.version >= 5, "class",
             "is complex, which needs version 5");
  ClassBits<Io::decodes> bits;
  if constexpr (!Io::decodes) describe_bits(bits, m, codes);
  io.u24("class bits", bits.word);
  if constexpr (Io::decodes) {
    describe_bits(bits, m, codes);
    m.order = codes.vax ? ByteOrder::vax : codes.big ? ByteOrder::big : ByteOrder::little;
  }
  check_bits(io, m, codes);
  io.u32("size", m.size);
  io.require(m.size > 0, "size", "is zero");
}

template <class Io, class M>
void describe_precision(Io& io, M& m) {
  if (m.type_class != TypeClass::time) io.u16("bit offset", m.bit_offset);
  io.u16("precision", m.precision);
  io.require(m.precision > 0, "precision", "is zero");
  io.require(std::uint64_t{m.bit_offset} + m.precision <= std::uint64_t{m.size} * 8, "precision",
             "exceeds the size");
}

struct BitRange {
  unsigned first = 0;
  unsigned bits = 0;
  bool overlaps(const BitRange& o) const { return first < o.first + o.bits && o.first < first + bits; }
};

template <class Io, class M>
void describe_float(Io& io, M& m, std::uint32_t size) {
  io.u8("exponent position", m.exponent_position);
  io.u8("exponent bits", m.exponent_bits);
  io.u8("mantissa position", m.mantissa_position);
  io.u8("mantissa bits", m.mantissa_bits);
  io.require(m.exponent_bits > 0, "exponent bits", "is zero");
  io.require(m.mantissa_bits > 0, "mantissa bits", "is zero");
  const BitRange sign{m.sign_position, 1};
  const BitRange exponent{m.exponent_position, m.exponent_bits};
  const BitRange mantissa{m.mantissa_position, m.mantissa_bits};
  for (const BitRange& part : {sign, exponent, mantissa}) {
    io.require(part.first + part.bits <= std::uint64_t{size} * 8, "float fields", "exceed the size");
  }
  io.require(!sign.overlaps(exponent) && !sign.overlaps(mantissa) && !exponent.overlaps(mantissa),
             "float fields", "overlap");
  io.u32("exponent bias", m.exponent_bias);
}

template <class Io, class M>
void describe_tag(Io& io, M& m, std::uint32_t bytes) {
  std::string field(m.tag);
  if constexpr (!Io::decodes) field.resize(bytes);
  io.characters("tag", field, bytes);
  if constexpr (Io::decodes) {
    m.tag = field.substr(0, field.find_last_not_of('\0') + 1);
    m.tag_bytes = static_cast<std::uint8_t>(bytes > pad8(m.tag.size()) ? bytes : 0);
  }
}

template <class Io, class M>
void describe_datatype(Io& io, M& m, Nesting nesting);

/// Runs `check` on the base type, unless it is missing after a fault.
template <class Io, class M, class Check>
void describe_base(Io& io, M& m, Nesting nesting, Check check) {
  io.resize("base type", m.base, 1, 8);
  if (m.base.size() != 1) return;
  describe_datatype(io, m.base.front(), nesting);
  check(m.base.front());
}

std::uint64_t array_bytes(const std::vector<std::uint32_t>& dims, std::uint64_t element_bytes) {
  std::uint64_t bytes = element_bytes;
  for (const std::uint32_t dim : dims) bytes = try_multiply(bytes, dim).value_or(~std::uint64_t{0});
  return bytes;
}

template <class Io, class M>
void describe_array(Io& io, M& m, Nesting nesting) {
  std::uint64_t rank = m.dims.size();
  io.u8("rank", rank);
  io.range("rank", rank, 1, max_rank);
  if (m.version < 3) io.reserved(3);
  io.resize("dimensions", m.dims, rank, 4);
  for (auto& dim : m.dims) {
    io.u32("dimension", dim);
    io.require(dim > 0, "dimension", "is zero");
  }
  if (m.version < 3) {
    // Always the identity; readers ignore it.
    for (std::uint32_t i = 0; i < m.dims.size(); ++i) {
      std::uint32_t permutation = i;
      io.u32("permutation", permutation);
    }
  }
  describe_base(io, m, nesting, [&](const DatatypeMessage& base) {
    io.require(array_bytes(m.dims, base.size) == m.size, "size", "does not match the array's dimensions");
  });
}

/// The width of member offsets in a version 3 compound of `size`. Release 1.8.0 used one byte less for some
/// sizes.
unsigned offset_width(std::uint32_t size, bool as_1_8_0) {
  const unsigned width = bytes_to_hold(size);
  const unsigned log2 = 31 - static_cast<unsigned>(__builtin_clz(size | 1));
  return as_1_8_0 && log2 % 8 == 0 ? width - 1 : width;
}

template <class Io, class M>
void describe_member_dims(Io& io, M& m) {
  std::uint64_t rank = m.dims.size();
  io.u8("member rank", rank);
  io.range("member rank", rank, 0, max_member_rank);
  io.reserved(3);
  io.u32("member permutation", m.permutation);
  io.reserved(4);
  io.resize("member dimensions", m.dims, rank, 4);
  for (auto& dim : m.dims) {
    io.u32("member dimension", dim);
    io.require(dim > 0, "member dimension", "is zero");
  }
  io.reserved(4 * (max_member_rank - std::min<std::size_t>(m.dims.size(), max_member_rank)));
}

template <class Io, class M, class Outer>
void describe_member(Io& io, M& m, const Outer& outer, Nesting nesting) {
  io.terminated("member name", m.name, outer.version < 3 ? 8 : 1);
  io.word("member offset", m.byte_offset,
          outer.version < 3 ? 4 : offset_width(outer.size, outer.short_offsets));
  if (outer.version == 1) {
    describe_member_dims(io, m);
  } else {
    io.require(m.dims.empty(), "member dimensions", "can be stored by version 1 only");
  }
  describe_datatype(io, m.type, nesting);
  const std::uint64_t bytes = member_bytes(m);
  io.require(bytes <= outer.size && m.byte_offset <= outer.size - bytes, "member", "exceeds the compound");
}

bool members_overlap(const std::vector<CompoundMember>& members) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> extents;
  extents.reserve(members.size());
  for (const CompoundMember& m : members) extents.emplace_back(m.byte_offset, member_bytes(m));
  std::sort(extents.begin(), extents.end());
  for (std::size_t i = 1; i < extents.size(); ++i) {
    if (extents[i].first - extents[i - 1].first < extents[i - 1].second) return true;
  }
  return false;
}

bool has_duplicates(std::vector<std::string_view> names) {
  std::sort(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) != names.end();
}

template <class Io, class M>
void describe_compound(Io& io, M& m, std::uint32_t count, Nesting nesting) {
  if constexpr (Io::decodes) {
    m.short_offsets =
        nesting.short_offsets && m.version >= 3 && offset_width(m.size, true) != offset_width(m.size, false);
  }
  io.resize("members", m.members, count, 8);
  std::vector<std::string_view> names;
  for (auto& member : m.members) {
    describe_member(io, member, m, nesting);
    if constexpr (Io::decodes) {
      if (io.faulty()) return;
    }
    names.push_back(member.name);
  }
  io.require(!has_duplicates(std::move(names)), "member names", "are not unique");
  io.require(!members_overlap(m.members), "members", "overlap");
}

template <class Io, class M>
void describe_enumeration(Io& io, M& m, std::uint32_t count, Nesting nesting) {
  describe_base(io, m, nesting, [&](const DatatypeMessage& base) {
    io.require(base.type_class == TypeClass::fixed_point, "base type", "is not an integer");
    io.require(base.size == m.size, "base type", "is not as large as the enumeration");
  });
  io.resize("names", m.enum_names, count, 1 + std::size_t{m.size});
  for (auto& name : m.enum_names) {
    io.terminated("name", name, m.version < 3 ? 8 : 1);
    io.require(!name.empty(), "name", "is empty");
  }
  io.require(!has_duplicates({m.enum_names.begin(), m.enum_names.end()}), "names", "are not unique");
  io.blob("values", m.enum_values, std::uint64_t{count} * m.size);
}

/// Committed types of old writers declare the size in memory (4 or 8) instead of the size in the file. Within
/// other types such a size would shift the following members, so it must be correct there.
template <class Io, class M>
void describe_variable_size(Io& io, M& m, const Nesting& inner) {
  const std::uint32_t in_memory = m.variable == VariableKind::string ? 8 : 16;
  const std::uint32_t bytes = inner.in_memory ? in_memory : 8u + io.widths().offset_bytes;
  if constexpr (Io::decodes) {
    const bool outermost = inner.depth == 1;
    if (outermost && (m.size == 4 || m.size == 8)) m.size = bytes;
  }
  io.require(m.size == bytes, "size", "is not that of a variable-length element");
}

template <class Io, class M>
void describe_properties(Io& io, M& m, const ClassCodes& codes, Nesting inner) {
  switch (m.type_class) {
    case TypeClass::fixed_point:
    case TypeClass::time:
    case TypeClass::bitfield:
      return describe_precision(io, m);
    case TypeClass::floating_point:
      describe_precision(io, m);
      return describe_float(io, m.floating, m.size);
    case TypeClass::string:
    case TypeClass::reference:
      return;
    case TypeClass::opaque:
      return describe_tag(io, m, codes.count);
    case TypeClass::compound:
      return describe_compound(io, m, codes.count, inner);
    case TypeClass::enumeration:
      return describe_enumeration(io, m, codes.count, inner);
    case TypeClass::variable_length:
      describe_variable_size(io, m, inner);
      return describe_base(io, m, inner, [](const DatatypeMessage&) {});
    case TypeClass::array:
      return describe_array(io, m, inner);
    case TypeClass::complex:
      return describe_base(io, m, inner, [&](const DatatypeMessage& base) {
        io.require(base.type_class == TypeClass::floating_point, "base type", "is not a floating-point type");
        io.require(std::uint64_t{base.size} * 2 == m.size, "size", "is not twice that of the parts");
      });
  }
}

template <class Io, class M>
void describe_datatype(Io& io, M& m, Nesting nesting) {
  if (nesting.depth >= max_type_depth) return io.require(false, "datatype", "nests too deeply");
  ClassCodes codes = class_codes(m);
  describe_start(io, m, codes, nesting.version);
  if constexpr (Io::decodes) {
    if (io.faulty()) return;
  }
  // Arrays of version 1 have the layout of version 2 and may contain it.
  const unsigned inner_version =
      m.type_class == TypeClass::array ? std::max(2u, unsigned{m.version}) : m.version;
  describe_properties(io, m, codes,
                      {nesting.depth + 1, inner_version, nesting.short_offsets, nesting.in_memory});
}

}  // namespace

template <class Io, Model<DatatypeMessage> M>
void describe(Io& io, M& m) {
  if constexpr (Io::decodes) {
    m = DatatypeMessage{};
    const Io start = io;
    describe_datatype(io, m, {});
    if (!io.faulty()) return;
    // Release 1.8.0 may have written it. A message comes from one writer, so two attempts are enough.
    Io again = start;
    DatatypeMessage other;
    describe_datatype(again, other, {.short_offsets = true});
    if (again.faulty()) return;
    io = again;
    m = std::move(other);
  } else {
    describe_datatype(io, m, {});
  }
}

FILIGREE_DESCRIBED(DatatypeMessage);

template <class Io, Model<HeldDatatype> M>
void describe(Io& io, M& m) {
  if constexpr (Io::decodes) m.type = DatatypeMessage{};
  describe_datatype(io, m.type, {.in_memory = true});
}

FILIGREE_DESCRIBED(HeldDatatype);

std::uint64_t member_bytes(const CompoundMember& member) {
  return array_bytes(member.dims, member.type.size);
}

}  // namespace filigree::format
