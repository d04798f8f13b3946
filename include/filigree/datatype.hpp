// SPDX-License-Identifier: Apache-2.0
//
// Datatypes of elements in files and in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <filigree/conversion.hpp>
#include <filigree/export.hpp>

namespace filigree {

namespace api {
struct TypeAccess;
}

/// The mapping from T to a Datatype; see values.hpp.
template <class T>
struct ElementType;

/// The datatype classes.
enum class TypeClass : std::uint8_t {
  integer,
  floating_point,
  time,
  string,
  bitfield,
  opaque,
  compound,
  reference,
  enumeration,
  sequence,
  array,
  complex,
};

/// Byte orders; `vax` is little-endian 16-bit words, with the most significant word first.
enum class ByteOrder : std::uint8_t { little, big, vax };
/// How fixed-length strings are padded.
enum class StringPadding : std::uint8_t { nul_terminated, nul_padded, space_padded };
/// Character sets of strings and names.
enum class CharacterSet : std::uint8_t { ascii, utf8 };
/// Reference types; `any` is H5R_ref_t of HDF5 1.12, whose elements record what they refer to.
enum class ReferenceKind : std::uint8_t { object, region, any };
/// Normalisation of the mantissa of a floating-point number.
enum class Normalisation : std::uint8_t { none, msb_set, msb_implied };

/// The significant bits of an integer, bitfield or floating-point number, counted from the least significant
/// bit, and the padding of the others.
struct BitLayout {
  std::uint16_t precision = 0;
  std::uint16_t offset = 0;
  bool low_padding = false;   ///< bits below the offset
  bool high_padding = false;  ///< bits above the precision
  friend bool operator==(const BitLayout&, const BitLayout&) = default;
};

/// The fields of a floating-point number; positions count from the least significant bit.
struct FloatLayout {
  std::uint8_t sign_position = 0;
  std::uint8_t exponent_position = 0;
  std::uint8_t exponent_bits = 0;
  std::uint8_t mantissa_position = 0;
  std::uint8_t mantissa_bits = 0;
  std::uint32_t exponent_bias = 0;
  Normalisation normalisation = Normalisation::msb_implied;
  bool internal_padding = false;
  friend bool operator==(const FloatLayout&, const FloatLayout&) = default;
};

struct Member;

/// A name and value of an enumeration.
struct Enumerator {
  std::string name;
  std::int64_t value = 0;  ///< for an unsigned base from 2^63 on: the same bits
  friend bool operator==(const Enumerator&, const Enumerator&) = default;
};

/// An immutable datatype. Copies are cheap.
///
/// Throws: all functions that create a datatype throw Error(invalid_argument) for one that no file can store.
/// Thread safety: any number of threads may use one datatype.
class FILIGREE_EXPORT Datatype {
 public:
  /// Returns the datatype that stores values of T: a number, bool, std::string, std::array, std::vector,
  /// std::complex, or a type with a describe() function (values.hpp). Compounds are packed.
  template <class T>
  static Datatype of() {
    static const Datatype type = ElementType<T>::memory_type().stored();
    return type;
  }
  /// Returns the datatype of a T in memory, with its padding and containers.
  template <class T>
  static Datatype memory() {
    return ElementType<T>::memory_type();
  }

  /// Returns an integer type; signed ones are in two's complement.
  static Datatype integer(std::uint32_t bytes, bool is_signed, ByteOrder order = ByteOrder::little);
  /// Returns an IEEE 754 type of 2, 4 or 8 bytes.
  static Datatype floating(std::uint32_t bytes, ByteOrder order = ByteOrder::little);
  /// Returns bfloat16: the upper half of a 4-byte float.
  static Datatype bfloat16(ByteOrder order = ByteOrder::little);
  /// Returns the 80-bit format of x86 in 16 bytes.
  static Datatype long_double();
  /// Returns any other floating-point type.
  static Datatype custom_float(std::uint32_t bytes, ByteOrder order, const BitLayout& bits,
                               const FloatLayout& fields);
  /// Returns a bitfield type.
  static Datatype bitfield(std::uint32_t bytes, ByteOrder order = ByteOrder::little);
  /// Returns this integer, bitfield or floating-point type with other significant bits.
  Datatype with_bits(const BitLayout& bits) const;
  /// Returns a fixed-length string type.
  static Datatype fixed_string(std::uint32_t bytes, StringPadding padding = StringPadding::nul_padded,
                               CharacterSet charset = CharacterSet::utf8);
  /// Returns a variable-length string type.
  static Datatype variable_string(CharacterSet charset = CharacterSet::utf8,
                                  StringPadding padding = StringPadding::nul_terminated);
  /// Returns an opaque type with a tag.
  static Datatype opaque(std::uint32_t bytes, std::string_view tag);
  /// Returns a compound type of `bytes` bytes with members at their offsets.
  static Datatype compound(std::uint32_t bytes, std::vector<Member> members);
  /// Returns a compound type without padding; the offsets of the members are ignored.
  static Datatype packed_compound(std::vector<Member> members);
  /// Returns an enumeration type.
  /// Requires: `base` is an integer type.
  static Datatype enumeration(const Datatype& base, std::vector<Enumerator> enumerators);
  /// Returns an array type.
  static Datatype array(const Datatype& base, std::vector<std::uint32_t> dims);
  /// Returns a variable-length sequence type.
  static Datatype sequence(const Datatype& base);
  /// Returns a sequence type for memory, held in a container.
  static Datatype sequence_in(const Datatype& base, const Container& container);
  /// Returns a string type for memory, held in a container.
  static Datatype string_in(const Container& container);
  /// Returns a reference type.
  static Datatype reference(ReferenceKind kind);
  /// Returns a complex number type, which HDF5 supports since release 2.0.
  static Datatype complex(const Datatype& base);

  /// Returns the datatype class.
  TypeClass type_class() const;
  /// Returns the size of one element in bytes.
  std::uint32_t size() const;
  /// Returns a description such as "32-bit little-endian integer".
  std::string text() const;

  // Properties. Each function throws Error(wrong_type) for classes without the property.
  ByteOrder order() const;
  bool is_signed() const;
  BitLayout bits() const;
  FloatLayout float_layout() const;
  bool is_variable_string() const;
  CharacterSet charset() const;
  StringPadding padding() const;
  std::string tag() const;
  std::vector<Member> members() const;
  std::vector<Enumerator> enumerators() const;
  Datatype base() const;  ///< of an enumeration, array, sequence or complex type
  std::vector<std::uint32_t> dims() const;
  ReferenceKind reference_kind() const;

  /// Returns the datatype that stores values of this one: without containers, and without padding in
  /// compounds.
  Datatype stored() const;
  /// Returns the type without padding in compounds.
  Datatype packed() const;
  /// Returns the native C type on this machine (H5Tget_native_type): variable-length strings are char*,
  /// sequences are {std::size_t length; void* elements;}. release() frees such values.
  Datatype native() const;
  /// Returns the address of the object header of the committed datatype that a dataset or attribute has;
  /// empty for a type that is not committed.
  std::optional<std::uint64_t> committed_address() const;
  /// Returns the size of the encoded type (H5Tencode), which is that of the datatype message and two bytes.
  std::uint64_t encoded_bytes() const;
  /// Returns whether the type contains variable-length strings or sequences.
  bool has_variable_parts() const;
  /// Frees the variable-length data of `count` elements at `data`; see native().
  void release(void* data, std::size_t count) const;

  /// Compares types regardless of the version of the encoding and of the order of members.
  friend FILIGREE_EXPORT bool operator==(const Datatype&, const Datatype&);

 private:
  friend struct api::TypeAccess;
  struct Impl;
  explicit Datatype(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<const Impl> impl_;
};

/// A member of a compound type.
struct Member {
  std::string name;
  Datatype type;
  std::uint32_t offset = 0;
};

/// A value that the destination type cannot represent.
struct ConversionProblem {
  ConversionFault fault;
  Datatype from;
  Datatype to;
  const void* value;
  void* result;
};

/// Callback for a value that the destination type cannot represent.
using ConversionHandler = std::function<FaultHandling(const ConversionProblem&)>;

/// Options of datatype conversion.
struct ConversionOptions {
  ConversionHandler on_fault;
  ConversionRules rules = ConversionRules::natural;
  const CMemory* c_memory = nullptr;  ///< the allocator for values of native() types; null: malloc
};

}  // namespace filigree
