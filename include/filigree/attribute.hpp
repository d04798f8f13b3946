// SPDX-License-Identifier: Apache-2.0
//
// Named values attached to an object.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <filigree/dataspace.hpp>
#include <filigree/datatype.hpp>
#include <filigree/export.hpp>

namespace filigree {

namespace model {
class OpenAttribute;
}

/// How a C++ value becomes an attribute.
template <class T>
struct AttributeValue;

/// Numbers, std::string, and vectors of them.
template <class T>
concept AttributeType = requires(const T& value) {
  AttributeValue<T>::type(value);
};

/// A handle on an attribute. It stays with the attribute's name: after a removal every call throws
/// Error(not_found).
class FILIGREE_EXPORT Attribute {
 public:
  const std::string& name() const;
  Dataspace space() const;
  Datatype datatype() const;
  /// As space() says; throws Error when the file does not hold as many.
  std::uint64_t elements() const;
  /// When its object tracks the order of attributes.
  std::optional<std::uint32_t> creation_order() const;

  /// T is a number, std::string, or a std::vector of either. Numbers are converted; values outside the
  /// range of T are clipped. A single T wants a single element.
  template <class T>
  T read() const;
  /// The mirror image: values are converted to the attribute's type.
  template <AttributeType T>
  void write(const T& value);
  void write(std::string_view text) { write_strings(std::span(&text, 1)); }

  /// The stored bytes, as they are in the file.
  std::vector<std::byte> read_raw() const;
  void write_raw(std::span<const std::byte> bytes);

  void read_numbers(NumberKind kind, void* out, std::size_t count) const;
  void write_numbers(NumberKind kind, const void* in, std::size_t count);
  std::vector<std::string> read_strings() const;
  void write_strings(std::span<const std::string_view> values);

 private:
  friend class Object;
  explicit Attribute(std::shared_ptr<model::OpenAttribute> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<model::OpenAttribute> impl_;
};

// Numbers are handed over as they stand in memory, and Datatype::of() says that they are little-endian.
static_assert(std::endian::native == std::endian::little);

template <Number T>
struct AttributeValue<T> {
  static Datatype type(const T&) { return Datatype::of<T>(); }
  static Dataspace space(const T&) { return Dataspace::scalar(); }
  static T read(const Attribute& a) {
    T out{};
    a.read_numbers(number_kind<T>(), &out, 1);
    return out;
  }
  static void write(Attribute& a, const T& v) { a.write_numbers(number_kind<T>(), &v, 1); }
  static std::span<const std::byte> bytes(const T& v) { return std::as_bytes(std::span(&v, 1)); }
};

template <Number T>
struct AttributeValue<std::vector<T>> {
  static Datatype type(const std::vector<T>&) { return Datatype::of<T>(); }
  static Dataspace space(const std::vector<T>& v) { return Dataspace::simple({v.size()}); }
  static std::vector<T> read(const Attribute& a) {
    std::vector<T> out(a.elements());
    a.read_numbers(number_kind<T>(), out.data(), out.size());
    return out;
  }
  static void write(Attribute& a, const std::vector<T>& v) {
    a.write_numbers(number_kind<T>(), v.data(), v.size());
  }
  static std::span<const std::byte> bytes(const std::vector<T>& v) { return std::as_bytes(std::span(v)); }
};

template <>
struct FILIGREE_EXPORT AttributeValue<std::string> {
  static Datatype type(const std::string& v);
  static Dataspace space(const std::string&) { return Dataspace::scalar(); }
  static std::string read(const Attribute& a);
  static void write(Attribute& a, const std::string& v);
};

template <>
struct FILIGREE_EXPORT AttributeValue<std::vector<std::string>> {
  static Datatype type(const std::vector<std::string>&) { return Datatype::variable_string(); }
  static Dataspace space(const std::vector<std::string>& v) { return Dataspace::simple({v.size()}); }
  static std::vector<std::string> read(const Attribute& a) { return a.read_strings(); }
  static void write(Attribute& a, const std::vector<std::string>& v);
};

template <class T>
T Attribute::read() const {
  return AttributeValue<T>::read(*this);
}

template <AttributeType T>
void Attribute::write(const T& value) {
  AttributeValue<T>::write(*this, value);
}

}  // namespace filigree
