// SPDX-License-Identifier: Apache-2.0
//
// Attributes: small named arrays that belong to an object.
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

/// A handle to an attribute. The handle refers to the attribute by name: once the attribute is removed, every
/// call throws Error(not_found).
///
/// Thread safety: as File.
class FILIGREE_EXPORT Attribute {
 public:
  /// Returns the name.
  const std::string& name() const;
  /// Returns the character set that the file records for the name.
  CharacterSet charset() const;
  /// Returns the dataspace.
  Dataspace space() const;
  /// Returns the datatype of the elements in the file.
  Datatype datatype() const;
  /// Returns the number of elements of space().
  /// Throws: Error if the file stores fewer elements.
  std::uint64_t elements() const;
  /// Returns the creation order; empty unless the object tracks it.
  std::optional<std::uint32_t> creation_order() const;

  /// Reads the attribute and converts it to T: a number, string, struct, array, or a vector of them
  /// (values.hpp).
  /// Throws: Error(invalid_argument) for a single T unless the attribute has exactly one element.
  template <Value T>
  T read() const {
    using Shape = ValueShape<T>;
    T result = Shape::make(Shape::single ? 1 : elements());
    read_elements(Datatype::memory<typename Shape::ElementOf>(),
                  const_cast<typename Shape::ElementOf*>(Shape::data(result)), Shape::count(result));
    return result;
  }
  /// Writes a value, converted to the datatype of the attribute.
  template <Value T>
  void write(const T& value) {
    using Shape = ValueShape<T>;
    write_elements(Datatype::memory<typename Shape::ElementOf>(), Shape::data(value), Shape::count(value));
  }
  /// Writes a single string.
  void write(std::string_view text) { write_elements(Datatype::memory<std::string_view>(), &text, 1); }

  /// Reads all elements as `memory_type`; see Datatype::native().
  /// Requires: `elements` points to memory for `count` elements, as many as elements() returns.
  void read_elements(const Datatype& memory_type, void* elements, std::uint64_t count,
                     const ConversionOptions& options = {}) const;
  /// Reads all elements of a small attribute, with ConversionRules::hdf5. Repeated calls with the same
  /// datatype object allocate nothing. Returns false, having done nothing, if read_elements() is needed: for
  /// more than 4 KiB, no elements, variable-length data and references. Requires: `elements` points to memory
  /// for all elements, and no other thread replaces the attribute since that was measured.
  bool read_small(const Datatype& memory_type, void* elements) const;
  /// As above, for an attribute that other threads may replace: returns false, having done nothing, also if
  /// it has not `count` elements now. Requires: `elements` points to memory for `count` elements.
  bool read_small(const Datatype& memory_type, void* elements, std::uint64_t count) const;
  /// Writes all elements of a small attribute that was created through this object, or a copy of it, with
  /// ConversionRules::hdf5. Returns false, having done nothing, if write_elements() is needed.
  /// Requires: `elements` points to all elements.
  bool write_small(const Datatype& memory_type, const void* elements);
  /// Writes all elements from memory of `memory_type`.
  /// Requires: `elements` points to `count` elements, as many as elements() returns.
  void write_elements(const Datatype& memory_type, const void* elements, std::uint64_t count,
                      const ConversionOptions& options = {});

  /// Returns the bytes of the elements as the file stores them.
  std::vector<std::byte> read_raw() const;
  /// Replaces the stored bytes of the elements.
  /// Requires: as many bytes as read_raw() returns.
  void write_raw(std::span<const std::byte> bytes);

 private:
  friend class Object;
  explicit Attribute(std::shared_ptr<model::OpenAttribute> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<model::OpenAttribute> impl_;
};

}  // namespace filigree
