// SPDX-License-Identifier: Apache-2.0
//
// The datatype message (0x03), versions 1 to 5. Compound, enumeration, variable-length, array and complex
// types contain other types.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "format/messages/character_set.hpp"

namespace filigree {
struct Container;
}

namespace filigree::format {

/// The largest nesting depth; deeper types are rejected.
inline constexpr unsigned max_type_depth = 32;

enum class TypeClass : std::uint8_t {
  fixed_point = 0,
  floating_point = 1,
  time = 2,
  string = 3,
  bitfield = 4,
  opaque = 5,
  compound = 6,
  reference = 7,
  enumeration = 8,
  variable_length = 9,
  array = 10,
  complex = 11,
};

/// The byte orders. `vax` has 16-bit little-endian words, most significant word first.
enum class ByteOrder : std::uint8_t { little, big, vax };

/// The most significant bit of the mantissa.
enum class Normalisation : std::uint8_t { none = 0, msb_set = 1, msb_implied = 2 };

enum class StringPadding : std::uint8_t { nul_terminated = 0, nul_padded = 1, space_padded = 2 };

/// The kinds of references. The revised ones (of HDF5 1.12) also store the kind in every element.
enum class ReferenceKind : std::uint8_t {
  object = 0,
  region = 1,
  revised_object = 2,
  revised_region = 3,
  revised_attribute = 4,
};

enum class VariableKind : std::uint8_t { sequence = 0, string = 1 };

/// The bit fields of a floating-point number. Bits are counted in little-endian order; 0 is the least
/// significant.
struct FloatFields {
  std::uint8_t sign_position = 0;
  std::uint8_t exponent_position = 0;
  std::uint8_t exponent_bits = 0;
  std::uint8_t mantissa_position = 0;
  std::uint8_t mantissa_bits = 0;
  std::uint32_t exponent_bias = 0;
  Normalisation normalisation = Normalisation::none;
  friend bool operator==(const FloatFields&, const FloatFields&) = default;
};

struct CompoundMember;

/// A datatype. Comments name the classes that use a member; other classes keep its default.
struct DatatypeMessage {
  static constexpr std::string_view structure = "datatype";
  std::uint8_t version = 1;
  TypeClass type_class = TypeClass::fixed_point;
  std::uint32_t size = 1;  ///< size of one element in the file

  // Fixed-point, floating-point, bitfield; time has only order and precision.
  ByteOrder order = ByteOrder::little;
  bool low_padding = false;       ///< value of the bits below bit_offset
  bool high_padding = false;      ///< value of the bits above the precision
  bool internal_padding = false;  ///< floating-point: value of the bits between its fields
  bool is_signed = false;         ///< fixed-point: two's complement
  std::uint16_t bit_offset = 0;
  std::uint16_t precision = 0;  ///< significant bits
  FloatFields floating;

  // String, and variable-length string.
  StringPadding padding = StringPadding::nul_terminated;
  CharacterSet character_set = CharacterSet::ascii;

  std::string tag;             ///< opaque: without the NUL padding of its field
  std::uint8_t tag_bytes = 0;  ///< opaque: length of that field, if it is longer than necessary

  ReferenceKind reference = ReferenceKind::object;
  std::uint8_t reference_encoding = 0;  ///< 1 for the revised kinds

  std::vector<CompoundMember> members;
  bool short_offsets = false;  ///< compound: whether member offsets have the narrower width of release 1.8.0

  std::vector<std::string> enum_names;
  Buffer enum_values;  ///< one value of the base type for each name, in its byte order

  VariableKind variable = VariableKind::sequence;
  /// Variable-length: the container of a value in memory, which determines `size`; null for values in a file.
  const Container* container = nullptr;
  std::vector<std::uint32_t> dims;  ///< array: slowest dimension first

  /// One base type for enumeration, variable-length, array and complex; empty otherwise.
  std::vector<DatatypeMessage> base;
};

struct CompoundMember {
  std::string name;
  std::uint32_t byte_offset = 0;
  std::vector<std::uint32_t> dims;  ///< version 1 only, at most 4: the member is an array of `type`
  std::uint32_t permutation = 0;    ///< version 1 only: meaningless, but kept when the message is rewritten
  DatatypeMessage type;
};

/// The type of the member: an array if a version 1 compound declares dimensions.
DatatypeMessage member_type(const CompoundMember& member);

/// The size of the member in its compound; saturates.
std::uint64_t member_bytes(const CompoundMember& member);

DatatypeMessage fixed_point(std::uint32_t bytes, bool is_signed, bool big_endian = false);
/// IEEE 754 binary16, 32 or 64. *Throws* Error(invalid_argument) for other sizes.
DatatypeMessage ieee_float(std::uint32_t bytes, bool big_endian = false);
DatatypeMessage fixed_string(std::uint32_t bytes, StringPadding padding, CharacterSet character_set);
/// `offset_bytes` of the file determines the size of an element.
DatatypeMessage variable_string(CharacterSet character_set, std::uint8_t offset_bytes,
                                StringPadding padding = StringPadding::nul_terminated);

/// Whether elements of the two types have the same bytes and meaning, whatever the versions of the messages
/// and the order of members. The containers of variable-length values are not compared, but their sizes are.
bool same_type(const DatatypeMessage& a, const DatatypeMessage& b);

/// A short description such as "32-bit little-endian integer" or "compound of 3 members".
std::string describe_type(const DatatypeMessage& type);

}  // namespace filigree::format
