// SPDX-License-Identifier: Apache-2.0
//
// The mapping from C++ types to datatypes and dataspaces. A describe() function next to a struct maps it to a
// compound, and next to an enum to an enumeration:
//
//   struct Hit { std::uint32_t pixel; float energy; std::string label; };
//   inline void describe(filigree::Members& members, Hit& hit) {
//     members("pixel", hit.pixel)("energy", hit.energy)("label", hit.label);
//   }
//
//   enum class Phase : std::uint8_t { solid, liquid };
//   inline void describe(filigree::Enumerators& names, Phase) {
//     names("solid", Phase::solid)("liquid", Phase::liquid);
//   }
#pragma once

#include <array>
#include <bit>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <filigree/dataspace.hpp>
#include <filigree/datatype.hpp>

namespace filigree {

// Memory types describe numbers as little-endian, so the machine must be.
static_assert(std::endian::native == std::endian::little);

/// An arithmetic type except bool.
template <class T>
concept Number = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;

/// A type that has a Datatype and can be an element.
template <class T>
concept Element = requires {
  { ElementType<T>::memory_type() } -> std::same_as<Datatype>;
};

/// Collects the members of a struct; see describe().
class Members {
 public:
  explicit Members(const void* object) : object_(static_cast<const std::byte*>(object)) {}
  template <Element M>
  Members& operator()(std::string_view name, const M& member) {
    const std::ptrdiff_t at = reinterpret_cast<const std::byte*>(&member) - object_;
    list_.push_back({std::string(name), ElementType<M>::memory_type(), static_cast<std::uint32_t>(at)});
    return *this;
  }
  std::vector<Member> take() { return std::move(list_); }

 private:
  const std::byte* object_;
  std::vector<Member> list_;
};

/// Collects the enumerators of an enum; see describe().
class Enumerators {
 public:
  template <class E>
  requires std::is_enum_v<E> Enumerators& operator()(std::string_view name, E value) {
    list_.push_back({std::string(name), static_cast<std::int64_t>(value)});
    return *this;
  }
  std::vector<Enumerator> take() { return std::move(list_); }

 private:
  std::vector<Enumerator> list_;
};

/// A struct with a describe() function that takes Members.
template <class T>
concept DescribedStruct = std::is_class_v<T> && requires(Members& members, T& value) {
  describe(members, value);
};
/// An enum with a describe() function that takes Enumerators.
template <class T>
concept DescribedEnum = std::is_enum_v<T> && requires(Enumerators& names, T value) {
  describe(names, value);
};

template <Number T>
struct ElementType<T> {
  static Datatype memory_type() {
    static const Datatype type = [] {
      if constexpr (std::is_same_v<T, long double>) {
        return Datatype::long_double();
      } else if constexpr (std::is_floating_point_v<T>) {
        return Datatype::floating(sizeof(T));
      } else {
        return Datatype::integer(sizeof(T), std::is_signed_v<T>);
      }
    }();
    return type;
  }
};

/// An enumeration of FALSE and TRUE, as in h5py.
template <>
struct FILIGREE_EXPORT ElementType<bool> {
  static Datatype memory_type();
};

template <>
struct FILIGREE_EXPORT ElementType<std::string> {
  static Datatype memory_type();
};

/// Can be written but not read.
template <>
struct FILIGREE_EXPORT ElementType<std::string_view> {
  static Datatype memory_type();
};

template <>
struct ElementType<const char*> {
  static Datatype memory_type() =
      delete;  // use std::string_view: a file distinguishes "" from a missing string
};

/// A reference to an object of the same file; see Object::reference() and File::open_object().
struct ObjectReference {
  std::uint64_t address = 0;  ///< of the object header; 0 is the null reference
  friend bool operator==(const ObjectReference&, const ObjectReference&) = default;
};

/// A reference to elements of a dataset of the same file; see Dataset::region_reference(). The bytes are the
/// encoding of the file.
struct RegionReference {
  std::array<std::byte, 12> bytes{};
  friend bool operator==(const RegionReference&, const RegionReference&) = default;
};

template <>
struct ElementType<ObjectReference> {
  static Datatype memory_type() { return Datatype::reference(ReferenceKind::object); }
};

template <>
struct ElementType<RegionReference> {
  static Datatype memory_type() { return Datatype::reference(ReferenceKind::region); }
};

/// A compound of r and i, as in h5py.
template <class T>
requires std::is_floating_point_v<T>
struct ElementType<std::complex<T>> {
  static Datatype memory_type() {
    static const Datatype type = Datatype::compound(
        sizeof(std::complex<T>),
        {{"r", ElementType<T>::memory_type(), 0}, {"i", ElementType<T>::memory_type(), sizeof(T)}});
    return type;
  }
};

namespace detail {
FILIGREE_EXPORT Datatype array_of(const Datatype& base, std::uint32_t count);

template <class T>
struct VectorContainer {
  static Container::View view(const void* value) {
    const auto& v = *static_cast<const std::vector<T>*>(value);
    return {v.data(), v.size(), false};
  }
  static void* resize(void* value, std::size_t count, std::size_t, void*) {
    auto& v = *static_cast<std::vector<T>*>(value);
    v.resize(count);
    return v.data();
  }
  static void clear(void* value) { static_cast<std::vector<T>*>(value)->clear(); }
  static constexpr Container container{sizeof(std::vector<T>), alignof(std::vector<T>), view, resize, clear};
};
}  // namespace detail

/// An array datatype. Nested arrays become one array with more dimensions.
template <Element T, std::size_t N>
struct ElementType<std::array<T, N>> {
  static_assert(N > 0 && N < 0xffffffffu && sizeof(std::array<T, N>) == N * sizeof(T));
  static Datatype memory_type() {
    static const Datatype type = detail::array_of(ElementType<T>::memory_type(), N);
    return type;
  }
};

/// Excludes char[N], which could be a string: use std::string_view or std::array.
template <Element T, std::size_t N>
requires(!std::is_same_v<T, char>) struct ElementType<T[N]> : ElementType<std::array<T, N>> {
};

/// A variable-length sequence.
template <Element T>
requires(!std::is_same_v<T, bool>) struct ElementType<std::vector<T>> {
  static Datatype memory_type() {
    static const Datatype type =
        Datatype::sequence_in(ElementType<T>::memory_type(), detail::VectorContainer<T>::container);
    return type;
  }
};

template <DescribedStruct T>
struct ElementType<T> {
  static_assert(std::is_default_constructible_v<T>);
  static Datatype memory_type() {
    static const Datatype type = [] {
      T example{};
      Members members(&example);
      describe(members, example);
      return Datatype::compound(sizeof(T), members.take());
    }();
    return type;
  }
};

template <DescribedEnum T>
struct ElementType<T> {
  static Datatype memory_type() {
    static const Datatype type = [] {
      Enumerators names;
      describe(names, T{});
      return Datatype::enumeration(ElementType<std::underlying_type_t<T>>::memory_type(), names.take());
    }();
    return type;
  }
};

/// An enum without describe() is stored as an integer.
template <class T>
requires(std::is_enum_v<T> && !DescribedEnum<T>) struct ElementType<T>
    : ElementType<std::underlying_type_t<T>> {
};

/// The dataspace of a value: scalar for an element, one-dimensional for a vector, span or array.
template <class T>
struct ValueShape;

template <Element T>
struct ValueShape<T> {
  using ElementOf = T;
  static Dataspace space(const T&) { return Dataspace::scalar(); }
  static const T* data(const T& value) { return &value; }
  static std::size_t count(const T&) { return 1; }
  static T make(std::size_t) { return T{}; }
  static constexpr bool single = true;
};

/// The dataspace of vectors, spans and arrays.
template <class T>
struct SequenceShape {
  using ElementOf = std::remove_cv_t<typename T::value_type>;
  static Dataspace space(const T& value) { return Dataspace::simple({value.size()}); }
  static const ElementOf* data(const T& value) { return value.data(); }
  static std::size_t count(const T& value) { return value.size(); }
  static T make(std::size_t count) {
    if constexpr (requires { T(count); }) {
      return T(count);
    } else {
      return T{};
    }
  }
  static constexpr bool single = false;
};

template <Element T>
struct ValueShape<std::vector<T>> : SequenceShape<std::vector<T>> {};
template <Element T, std::size_t N>
struct ValueShape<std::array<T, N>> : SequenceShape<std::array<T, N>> {};
template <class T>
requires Element<std::remove_cv_t<T>>
struct ValueShape<std::span<T>> : SequenceShape<std::span<T>> {
};

/// A value that can be written to, and (unless it is a view) read from, an attribute or dataset as a whole.
template <class T>
concept Value = requires(const T& value) {
  ValueShape<T>::space(value);
};

}  // namespace filigree
