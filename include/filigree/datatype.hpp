// SPDX-License-Identifier: Apache-2.0
//
// The type of a value, in a file or in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
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

/// What Datatype::of<T>() knows about T; see values.hpp.
template <class T>
struct ElementType;

/// What kind of values a type has.
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

/// vax: little-endian 16-bit words, the most significant word first.
enum class ByteOrder : std::uint8_t { little, big, vax };
enum class StringPadding : std::uint8_t { nul_terminated, nul_padded, space_padded };
enum class CharacterSet : std::uint8_t { ascii, utf8 };
/// `any` is the kind of HDF5 1.12, whose elements say themselves what they refer to.
enum class ReferenceKind : std::uint8_t { object, region, any };
enum class Normalisation : std::uint8_t { none, msb_set, msb_implied };

/// Which bits of an integer, bitfield or float carry its value, counted from the least significant, and what
/// the others hold.
struct BitLayout {
  std::uint16_t precision = 0;
  std::uint16_t offset = 0;
  bool low_padding = false;   ///< bits below the offset
  bool high_padding = false;  ///< bits above the precision
  friend bool operator==(const BitLayout&, const BitLayout&) = default;
};

/// Where a floating-point number has its parts; positions count from the least significant bit.
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

/// A name of an enumeration.
struct Enumerator {
  std::string name;
  std::int64_t value = 0;  ///< of an unsigned base beyond 2^63: the same bits
  friend bool operator==(const Enumerator&, const Enumerator&) = default;
};

/// An immutable description of a type; copying is cheap. All functions that make one throw
/// Error(invalid_argument) for what no file could hold.
class FILIGREE_EXPORT Datatype {
 public:
  /// The type under which values of T are stored: a number, bool, std::string, std::array, std::vector,
  /// std::complex, or whatever a describe() function lists (values.hpp). Compounds are packed.
  template <class T>
  static Datatype of() {
    static const Datatype type = ElementType<T>::memory_type().stored();
    return type;
  }
  /// As a value of T stands in memory, holes and containers included.
  template <class T>
  static Datatype memory() {
    return ElementType<T>::memory_type();
  }

  /// Two's complement where it has a sign.
  static Datatype integer(std::uint32_t bytes, bool is_signed, ByteOrder order = ByteOrder::little);
  /// IEEE 754; `bytes` is 2, 4 or 8.
  static Datatype floating(std::uint32_t bytes, ByteOrder order = ByteOrder::little);
  /// The upper half of a float.
  static Datatype bfloat16(ByteOrder order = ByteOrder::little);
  /// The 80-bit format of x86 in 16 bytes.
  static Datatype long_double();
  /// Any other floating-point format.
  static Datatype custom_float(std::uint32_t bytes, ByteOrder order, const BitLayout& bits,
                               const FloatLayout& fields);
  /// Bits without a numeric meaning.
  static Datatype bitfield(std::uint32_t bytes, ByteOrder order = ByteOrder::little);
  /// An integer, bitfield or float whose value takes only some bits.
  Datatype with_bits(const BitLayout& bits) const;
  /// Texts of `bytes` bytes, padded.
  static Datatype fixed_string(std::uint32_t bytes, StringPadding padding = StringPadding::nul_padded,
                               CharacterSet charset = CharacterSet::utf8);
  /// Texts of any length.
  static Datatype variable_string(CharacterSet charset = CharacterSet::utf8,
                                  StringPadding padding = StringPadding::nul_terminated);
  /// Bytes that only the program understands; the tag says which.
  static Datatype opaque(std::uint32_t bytes, std::string_view tag);
  /// Members stand at their offsets, in `bytes` altogether.
  static Datatype compound(std::uint32_t bytes, std::vector<Member> members);
  /// One after the other, without holes; the offsets are ignored.
  static Datatype packed_compound(std::vector<Member> members);
  /// `base` is an integer type.
  static Datatype enumeration(const Datatype& base, std::vector<Enumerator> enumerators);
  /// A fixed number of elements of `base`, as one element.
  static Datatype array(const Datatype& base, std::vector<std::uint32_t> dims);
  /// Any number of elements of `base`.
  static Datatype sequence(const Datatype& base);
  /// Held in memory as the container says; not for files.
  static Datatype sequence_in(const Datatype& base, const Container& container);
  /// A text, held in memory as the container says; not for files.
  static Datatype string_in(const Container& container);
  /// Values that point to objects or to elements of datasets.
  static Datatype reference(ReferenceKind kind);
  /// The complex numbers of HDF5 2.0; readers before that release refuse them.
  static Datatype complex(const Datatype& base);

  /// What kind of values it has.
  TypeClass type_class() const;
  /// Bytes of one element.
  std::uint32_t size() const;
  std::string text() const;  ///< "32-bit little-endian integer" and the like

  // Each throws Error(wrong_type) for classes that have no such property.
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
  Datatype base() const;  ///< of enumerations, arrays, sequences and complex numbers
  std::vector<std::uint32_t> dims() const;
  ReferenceKind reference_kind() const;

  /// The type under which values of this one are stored: no containers, and no holes where a compound had
  /// any.
  Datatype stored() const;
  /// Without holes.
  Datatype packed() const;
  /// As a C program on this machine would hold these values: variable-length strings are char*, sequences
  /// {std::size_t length; void* elements;}. Give such values back with release().
  Datatype native() const;
  /// Whether strings or sequences of variable length are somewhere in it.
  bool has_variable_parts() const;
  /// Frees what variable-length C values among `count` elements at `data` point to; see native().
  void release(void* data, std::size_t count) const;

  /// Same type, whatever the version of its encoding and the order of members.
  friend FILIGREE_EXPORT bool operator==(const Datatype&, const Datatype&);

 private:
  friend struct api::TypeAccess;
  struct Impl;
  explicit Datatype(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<const Impl> impl_;
};

/// A member of a compound.
struct Member {
  std::string name;
  Datatype type;
  std::uint32_t offset = 0;
};

/// A value that its destination cannot hold.
struct ConversionProblem {
  ConversionFault fault;
  Datatype from;
  Datatype to;
  const void* value;
  void* result;
};

/// Called for a value that its destination cannot hold.
using ConversionHandler = std::function<FaultHandling(const ConversionProblem&)>;

/// How values are converted.
struct ConversionOptions {
  ConversionHandler on_fault;
  ConversionRules rules = ConversionRules::natural;
  const CMemory* c_memory = nullptr;  ///< for values held as Datatype::native() says; null: malloc
};

}  // namespace filigree
