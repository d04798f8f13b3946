// SPDX-License-Identifier: Apache-2.0
//
// Named values attached to an object.
#pragma once

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
#include <filigree/values.hpp>

namespace filigree {

namespace model {
class OpenAttribute;
}

/// A handle on an attribute. It stays with the attribute's name: after a removal every call throws
/// Error(not_found).
class FILIGREE_EXPORT Attribute {
 public:
  /// Its name.
  const std::string& name() const;
  /// Of the name, as the file says.
  CharacterSet charset() const;
  /// Its shape.
  Dataspace space() const;
  /// Its type in the file.
  Datatype datatype() const;
  /// As space() says; throws Error when the file does not hold as many.
  std::uint64_t elements() const;
  /// When its object tracks the order of attributes.
  std::optional<std::uint32_t> creation_order() const;

  /// Reads as T, converting: a number, string, struct, array, or a vector of such (values.hpp). A single T
  /// wants a single element.
  template <Value T>
  T read() const {
    using Shape = ValueShape<T>;
    T result = Shape::make(Shape::single ? 1 : elements());
    read_elements(Datatype::memory<typename Shape::ElementOf>(),
                  const_cast<typename Shape::ElementOf*>(Shape::data(result)), Shape::count(result));
    return result;
  }
  /// The mirror image: values are converted to the attribute's type.
  template <Value T>
  void write(const T& value) {
    using Shape = ValueShape<T>;
    write_elements(Datatype::memory<typename Shape::ElementOf>(), Shape::data(value), Shape::count(value));
  }
  /// A single text.
  void write(std::string_view text) { write_elements(Datatype::memory<std::string_view>(), &text, 1); }

  /// With an explicit type of the elements in memory, of which there are `count`; see Datatype::native().
  void read_elements(const Datatype& memory_type, void* elements, std::uint64_t count,
                     const ConversionOptions& options = {}) const;
  /// The mirror image.
  void write_elements(const Datatype& memory_type, const void* elements, std::uint64_t count,
                      const ConversionOptions& options = {});

  /// The stored bytes, as they are in the file.
  std::vector<std::byte> read_raw() const;
  /// The mirror image; as many bytes as there are.
  void write_raw(std::span<const std::byte> bytes);

 private:
  friend class Object;
  explicit Attribute(std::shared_ptr<model::OpenAttribute> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<model::OpenAttribute> impl_;
};

}  // namespace filigree
