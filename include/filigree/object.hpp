// SPDX-License-Identifier: Apache-2.0
//
// Objects: what groups, datasets and committed datatypes have in common.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <filigree/attribute.hpp>
#include <filigree/export.hpp>
#include <filigree/options.hpp>

namespace filigree {

namespace model {
class OpenObject;
}
class File;
class Group;

/// The type of an object.
enum class ObjectKind : std::uint8_t { group, dataset, datatype };

/// Properties of an object and its object header.
struct ObjectInfo {
  ObjectKind kind = ObjectKind::group;
  std::uint64_t address = 0;  ///< of the object header; unique within the file
  std::uint32_t link_count = 0;
  std::uint64_t attributes = 0;
  std::uint8_t header_version = 0;
  std::uint32_t header_messages = 0;
  std::uint32_t header_blocks = 0;
  std::uint64_t header_bytes = 0;
  std::optional<std::uint32_t> modified;  ///< seconds since 1970; empty if the file does not store it
  std::optional<std::uint32_t> created;
  std::optional<std::uint32_t> accessed, written;  ///< only in headers of version 2
  std::uint8_t header_flags = 0;                   ///< only in headers of version 2
  std::uint64_t header_free_bytes = 0;             ///< null messages and gaps
  std::uint64_t header_message_bytes = 0;          ///< message data, without message headers
  // Bit t represents message type t.
  std::uint64_t messages_present = 0;
  std::uint64_t messages_shared = 0;
};

/// Sizes of metadata outside of object headers.
struct MetadataBytes {
  std::uint64_t index = 0;  ///< B-trees and other indexes
  std::uint64_t heap = 0;   ///< local and fractal heaps
};

/// Sizes of the metadata that an object stores outside of its header.
struct ObjectMetadata {
  MetadataBytes object;  ///< links of a group; chunk index, external files or mappings of a dataset
  MetadataBytes attributes;
};

/// A handle to an object of an open file. Copies refer to the same object.
///
/// Thread safety: any number of threads may use one file. Calls that only read share the file lock; calls
/// that modify the file take it exclusively. Callbacks may use the file.
class FILIGREE_EXPORT Object {
 public:
  /// Returns the object type. The constructors of Group, Dataset and CommittedDatatype accept objects of
  /// theirs.
  ObjectKind kind() const;
  /// Reads the properties from the object header.
  ObjectInfo info() const;
  /// Returns the sizes of the indexes and heaps of the object. Reads most of the indexes.
  ObjectMetadata metadata() const;
  /// Returns the address of the object header, without reading the file. It is unique within the file.
  std::uint64_t address() const;
  /// Returns a reference to this object, which datasets and attributes of the same file can store.
  ObjectReference reference() const { return {address()}; }
  /// Returns the path by which the object was opened.
  const std::string& path() const;
  /// Returns the file of the object.
  File file() const;
  /// Returns a handle to the same object with another path, for programs that traverse links themselves.
  Object with_path(std::string path) const;

  /// Increments the reference count of the object header (H5Oincr_refcount).
  void increment_reference_count();
  /// Decrements the reference count of the object header (H5Odecr_refcount). An object whose count is zero is
  /// freed when its last handle is destroyed.
  void decrement_reference_count();

  /// Copies the object to `path` in `group`, which may be in another file.
  void copy_to(const Group& group, std::string_view path, const CopyOptions& options = {},
               const LinkOptions& link = {}) const;

  /// Returns whether the object has an attribute of that name.
  bool has_attribute(std::string_view name) const;
  /// Opens an attribute.
  /// Throws: Error(not_found).
  Attribute attribute(std::string_view name) const;
  /// Opens an attribute; empty if there is none of that name.
  std::optional<Attribute> find_attribute(std::string_view name) const;
  /// Creates an attribute whose elements are zero. Without `charset`, the name is recorded as ASCII if it is,
  /// and as UTF-8 otherwise.
  /// Throws: Error(already_exists).
  Attribute create_attribute(std::string_view name, const Datatype& type, const Dataspace& space = {},
                             std::optional<CharacterSet> charset = std::nullopt);
  /// Opens all attributes in the given order.
  std::vector<Attribute> attributes(IndexBy by = IndexBy::name,
                                    Direction direction = Direction::ascending) const;
  /// Removes an attribute.
  /// Throws: Error(not_found).
  void remove_attribute(std::string_view name);
  /// Renames an attribute.
  /// Throws: Error(not_found) for the old name, Error(already_exists) for the new one.
  void rename_attribute(std::string_view from, std::string_view to);

  /// Creates or replaces an attribute with the datatype and dataspace of `value`: a number, string, struct,
  /// array, or a vector of them (values.hpp).
  template <Value T>
  void set_attribute(std::string_view name, const T& value) {
    using Shape = ValueShape<T>;
    using ElementOf = typename Shape::ElementOf;
    put_attribute(name, Datatype::of<ElementOf>(), Shape::space(value), Datatype::memory<ElementOf>(),
                  Shape::data(value));
  }
  /// Creates or replaces an attribute with a variable-length string.
  void set_attribute(std::string_view name, std::string_view text) {
    put_attribute(name, Datatype::of<std::string_view>(), Dataspace::scalar(),
                  Datatype::memory<std::string_view>(), &text);
  }
  /// Reads an attribute and converts it to T.
  /// Throws: Error(not_found).
  template <Value T>
  T get_attribute(std::string_view name) const {
    return named_attribute(name).read<T>();
  }
  /// Creates or replaces an attribute and writes its elements, converted from `memory_type`.
  /// Requires: `elements` points to as many elements as `space` has.
  void put_attribute(std::string_view name, const Datatype& type, const Dataspace& space,
                     const Datatype& memory_type, const void* elements);

  /// Returns how the object stores attributes; the defaults if the header does not record it.
  AttributeStorage attribute_storage() const;
  /// Returns whether the header records times; true for headers of version 1, which cannot tell.
  bool tracks_times() const;

  /// Returns the comment; empty if there is none.
  std::optional<std::string> comment() const;
  /// Sets the comment; an empty text removes it.
  void set_comment(std::string_view text);

  friend FILIGREE_EXPORT bool operator==(const Object& a, const Object& b);

 private:
  Attribute named_attribute(std::string_view name) const;  // does not check that it exists

 protected:
  friend class File;
  friend class Group;
  explicit Object(std::shared_ptr<model::OpenObject> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<model::OpenObject> impl_;
};

/// Options for committing a datatype.
struct CommitOptions {
  AttributeStorage attributes;
  bool track_times = true;  ///< if the version bounds allow headers of version 2
};

/// A handle to a committed datatype.
class FILIGREE_EXPORT CommittedDatatype : public Object {
 public:
  /// Throws: Error(wrong_type) if the object is not a committed datatype.
  explicit CommittedDatatype(const Object& object);
  /// Returns the datatype.
  Datatype datatype() const;
};

}  // namespace filigree
