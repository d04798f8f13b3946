// SPDX-License-Identifier: Apache-2.0
//
// What groups, datasets and committed datatypes have in common: attributes, comments, times.
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

/// What an object is.
enum class ObjectKind : std::uint8_t { group, dataset, datatype };

/// Facts about an object and its header.
struct ObjectInfo {
  ObjectKind kind = ObjectKind::group;
  std::uint64_t address = 0;  ///< identifies the object within its file
  std::uint32_t link_count = 0;
  std::uint64_t attributes = 0;
  std::uint8_t header_version = 0;
  std::uint32_t header_messages = 0;
  std::uint32_t header_blocks = 0;
  std::uint64_t header_bytes = 0;
  std::optional<std::uint32_t> modified;  ///< seconds since 1970, where the file says
  std::optional<std::uint32_t> created;
  std::optional<std::uint32_t> accessed, written;  ///< as far as headers of version 2 tell
  std::uint8_t header_flags = 0;                   ///< of version 2
  std::uint64_t header_free_bytes = 0;             ///< of messages that are none, and of gaps
  std::uint64_t header_message_bytes = 0;          ///< bodies of messages
  // Bit t stands for message type t.
  std::uint64_t messages_present = 0;
  std::uint64_t messages_shared = 0;
};

/// Bytes of a file that help to find things.
struct MetadataBytes {
  std::uint64_t index = 0;  ///< B-trees and other indexes
  std::uint64_t heap = 0;   ///< names and the like
};

/// What an object keeps outside its header, beside elements.
struct ObjectMetadata {
  MetadataBytes object;  ///< for the links of a group, the chunks, external files or sources of a dataset
  MetadataBytes attributes;
};

/// A handle on an object of an open file. Copies refer to the same object. Any number of threads may use one
/// file: calls that only look go side by side, a call that changes the file waits until it is alone with it.
/// Callbacks may call back into the file.
class FILIGREE_EXPORT Object {
 public:
  /// Whether it is a Group, a Dataset or a CommittedDatatype, whose constructors take it then.
  ObjectKind kind() const;
  /// Reads the header.
  ObjectInfo info() const;
  /// What the file spends on finding links, chunks and attributes of the object. Reads most of the indexes.
  ObjectMetadata metadata() const;
  /// Identifies the object within its file; not read from it.
  std::uint64_t address() const;
  /// A value that points to this object, to be stored in datasets and attributes of its file.
  ObjectReference reference() const { return {address()}; }
  /// The path by which the object was reached.
  const std::string& path() const;
  /// The file that the object is in.
  File file() const;
  /// The same object with another path, for programs that follow links in ways of their own.
  Object reached_by(std::string path) const;

  /// Counts one link more, or less, than there are. An object without links left is freed, once the last
  /// handle on it is gone.
  void add_reference();
  /// The way back.
  void drop_reference();

  /// Copies the object to `path` in `group`, which may be in another file.
  void copy_to(const Group& group, std::string_view path, const CopyOptions& options = {},
               const LinkOptions& link = {}) const;

  /// Whether there is an attribute of that name.
  bool has_attribute(std::string_view name) const;
  /// Throws Error(not_found).
  Attribute attribute(std::string_view name) const;
  /// Nothing when there is none.
  std::optional<Attribute> find_attribute(std::string_view name) const;
  /// Throws Error(already_exists). Its elements are zeros until they are written. Without `charset` that of
  /// the name is told from its bytes.
  Attribute create_attribute(std::string_view name, const Datatype& type, const Dataspace& space = {},
                             std::optional<CharacterSet> charset = std::nullopt);
  /// All attributes in the order asked for.
  std::vector<Attribute> attributes(IndexBy by = IndexBy::name,
                                    Direction direction = Direction::ascending) const;
  /// Throws Error(not_found).
  void remove_attribute(std::string_view name);
  /// Throws Error(not_found) for the old name, Error(already_exists) for the new one.
  void rename_attribute(std::string_view from, std::string_view to);

  /// Makes or replaces an attribute of the natural type and shape of `value`: a number, string, struct,
  /// array, or a vector of them (values.hpp).
  template <Value T>
  void set_attribute(std::string_view name, const T& value) {
    using Shape = ValueShape<T>;
    using ElementOf = typename Shape::ElementOf;
    put_attribute(name, Datatype::of<ElementOf>(), Shape::space(value), Datatype::memory<ElementOf>(),
                  Shape::data(value));
  }
  /// A text is stored as a string of variable length.
  void set_attribute(std::string_view name, std::string_view text) {
    put_attribute(name, Datatype::of<std::string_view>(), Dataspace::scalar(),
                  Datatype::memory<std::string_view>(), &text);
  }
  /// The value of an attribute, converted to T. Throws Error(not_found).
  template <Value T>
  T get_attribute(std::string_view name) const {
    return named_attribute(name).read<T>();
  }
  /// Makes or replaces an attribute of that type and shape. `elements` are as many as the shape has, of
  /// `memory_type`, and are converted.
  void put_attribute(std::string_view name, const Datatype& type, const Dataspace& space,
                     const Datatype& memory_type, const void* elements);

  /// How the object keeps its attributes, as it was made; where the header cannot say, the defaults.
  AttributeStorage attribute_storage() const;
  /// Whether the header has times of its own. Old headers cannot say: true.
  bool tracks_times() const;

  /// Nothing when there is none.
  std::optional<std::string> comment() const;
  /// An empty text removes the comment.
  void set_comment(std::string_view text);

  friend FILIGREE_EXPORT bool operator==(const Object& a, const Object& b);

 private:
  Attribute named_attribute(std::string_view name) const;  // without looking whether there is one

 protected:
  friend class File;
  friend class Group;
  explicit Object(std::shared_ptr<model::OpenObject> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<model::OpenObject> impl_;
};

/// How a datatype is committed.
struct CommitOptions {
  AttributeStorage attributes;
  bool track_times = true;  ///< where the file's version bounds have headers with times
};

/// A datatype that has a name in the file.
class FILIGREE_EXPORT CommittedDatatype : public Object {
 public:
  explicit CommittedDatatype(const Object& object);  ///< throws Error(wrong_type)
  /// The type itself.
  Datatype datatype() const;
};

}  // namespace filigree
