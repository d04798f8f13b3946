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

enum class ObjectKind : std::uint8_t { group, dataset, datatype };

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
};

/// A handle on an object of an open file. Copies refer to the same object. Calls that only look are
/// safe on any number of threads; a call that changes the file must be alone with it.
class FILIGREE_EXPORT Object {
 public:
  ObjectKind kind() const;
  ObjectInfo info() const;
  /// Identifies the object within its file; not read from it.
  std::uint64_t address() const;
  /// The path by which the object was reached.
  const std::string& path() const;
  File file() const;

  bool has_attribute(std::string_view name) const;
  /// Throws Error(not_found).
  Attribute attribute(std::string_view name) const;
  std::optional<Attribute> find_attribute(std::string_view name) const;
  Attribute create_attribute(std::string_view name, const Datatype& type, const Dataspace& space = {});
  /// All attributes in the order asked for.
  std::vector<Attribute> attributes(IndexBy by = IndexBy::name,
                                    Direction direction = Direction::ascending) const;
  void remove_attribute(std::string_view name);
  void rename_attribute(std::string_view from, std::string_view to);

  /// Makes or replaces an attribute of the natural type and shape of `value`: a number, a string, or a
  /// vector of either.
  template <AttributeType T>
  void set_attribute(std::string_view name, const T& value) {
    using Value = AttributeValue<T>;
    if constexpr (requires { Value::bytes(value); }) {
      return put_attribute(name, Value::type(value), Value::space(value), Value::bytes(value));
    }
    const Datatype type = Value::type(value);
    const Dataspace space = Value::space(value);
    std::optional<Attribute> existing = find_attribute(name);
    if (existing && !(existing->datatype() == type && existing->space() == space)) {
      remove_attribute(name);
      existing.reset();
    }
    (existing ? *existing : create_attribute(name, type, space)).write(value);
  }
  void set_attribute(std::string_view name, std::string_view text) { set_attribute(name, std::string(text)); }
  template <class T>
  T get_attribute(std::string_view name) const {
    return named_attribute(name).read<T>();
  }
  /// Makes or replaces an attribute whose elements have these bytes in the file.
  void put_attribute(std::string_view name, const Datatype& type, const Dataspace& space,
                     std::span<const std::byte> elements);

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

/// A datatype that has a name in the file.
class FILIGREE_EXPORT CommittedDatatype : public Object {
 public:
  explicit CommittedDatatype(const Object& object);  ///< throws Error(wrong_type)
  Datatype datatype() const;
};

/// A dataset. Its data is not read or written by this version; shape, type and attributes are.
class FILIGREE_EXPORT Dataset : public Object {
 public:
  explicit Dataset(const Object& object);  ///< throws Error(wrong_type)
  Dataspace space() const;
  Datatype datatype() const;
};

}  // namespace filigree
