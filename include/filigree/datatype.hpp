// SPDX-License-Identifier: Apache-2.0
//
// The type of a value in a file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

#include <filigree/export.hpp>

namespace filigree {

namespace api {
struct TypeAccess;
}

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

enum class ByteOrder : std::uint8_t { little, big };
enum class StringPadding : std::uint8_t { nul_terminated, nul_padded, space_padded };
enum class CharacterSet : std::uint8_t { ascii, utf8 };

/// The numbers of C++ that values are exchanged in.
enum class NumberKind : std::uint8_t { i8, u8, i16, u16, i32, u32, i64, u64, f32, f64 };

template <class T>
concept Number = std::is_arithmetic_v<T> && !std::is_same_v<T, bool> && !std::is_same_v<T, long double>;

template <Number T>
constexpr NumberKind number_kind() {
  if constexpr (std::is_floating_point_v<T>) {
    return sizeof(T) == 4 ? NumberKind::f32 : NumberKind::f64;
  } else {
    constexpr int log2_bytes = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    return static_cast<NumberKind>(2 * log2_bytes + (std::is_unsigned_v<T> ? 1 : 0));
  }
}

/// An immutable description of a type; copying is cheap.
class FILIGREE_EXPORT Datatype {
 public:
  /// The type in which a number of C++ stands in memory.
  template <Number T>
  static Datatype of() {
    return of(number_kind<T>());
  }
  static Datatype of(NumberKind kind);
  /// `bytes` is 1, 2, 4 or 8.
  static Datatype integer(std::uint32_t bytes, bool is_signed, ByteOrder order = ByteOrder::little);
  /// `bytes` is 2, 4 or 8 (IEEE 754).
  static Datatype floating(std::uint32_t bytes, ByteOrder order = ByteOrder::little);
  static Datatype fixed_string(std::uint32_t bytes, StringPadding padding = StringPadding::nul_padded,
                               CharacterSet charset = CharacterSet::utf8);
  static Datatype variable_string(CharacterSet charset = CharacterSet::utf8);

  TypeClass type_class() const;
  /// Bytes of one element in a file.
  std::uint32_t size() const;
  bool is_variable_string() const;
  CharacterSet charset() const;  ///< of a string type
  /// "32-bit little-endian integer" and the like.
  std::string text() const;

  /// Same type, whatever the version of its encoding.
  friend FILIGREE_EXPORT bool operator==(const Datatype&, const Datatype&);

 private:
  friend struct api::TypeAccess;
  struct Impl;
  explicit Datatype(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<const Impl> impl_;
};

}  // namespace filigree
