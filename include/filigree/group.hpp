// SPDX-License-Identifier: Apache-2.0
//
// Groups and the links in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <filigree/dataset.hpp>
#include <filigree/export.hpp>
#include <filigree/object.hpp>
#include <filigree/options.hpp>

namespace filigree {

class Error;

/// The link types; `user` stands for user-defined links.
enum class LinkKind : std::uint8_t { hard, soft, external, user };

/// A link of a group.
struct Link {
  std::string name;
  LinkKind kind = LinkKind::hard;
  CharacterSet charset = CharacterSet::ascii;
  std::optional<std::int64_t> creation_order;
  std::uint64_t address = 0;  ///< hard: of the object header
  std::string target;         ///< soft: the path; external: the path in the other file
  std::string file;           ///< external: the path of the other file
  /// user: the link class, 65 to 255; 64 is that of external links, here with a value that is none of theirs
  std::uint8_t user_kind = 0;
  std::vector<std::byte> user_data;
};

/// How a group stores its links.
enum class GroupStorage : std::uint8_t { symbol_table, compact, dense };

/// Properties of a group.
struct GroupInfo {
  GroupStorage storage = GroupStorage::symbol_table;
  std::uint64_t links = 0;
  bool order_tracked = false;
  bool order_indexed = false;
  std::int64_t next_order = 0;
};

/// An item of Group::visit(): an object with the first path that leads to it, or a link that is not hard.
struct Visited {
  std::string path;              ///< relative to the visited group, which is "."
  const Link* link = nullptr;    ///< null for the visited group itself
  std::optional<Object> object;  ///< only for hard links
  bool seen_before = false;      ///< another path to an object that was visited before
  std::string first_path;        ///< with seen_before: the path of the earlier visit
  /// With keep_going: why `object` is missing, or why links of this group are missing.
  const Error* error = nullptr;
};

/// Options of Group::visit().
struct VisitOptions {
  bool into_groups = true;  ///< false: visit only the links of the group itself
  bool keep_going = false;  ///< report broken objects in Visited::error instead of throwing
};

/// A handle to a group.
class FILIGREE_EXPORT Group : public Object {
 public:
  /// Throws: Error(wrong_type) if the object is not a group.
  explicit Group(const Object& object);
  /// Returns how the links are stored, and their number.
  GroupInfo group_info() const;
  /// Returns the creation options, as far as the file stores them; the defaults otherwise.
  GroupOptions creation_options() const;

  // A path consists of components separated by '/'. It starts at this group, or at the root group if it
  // begins with '/'.
  /// Creates a group and links it.
  /// Throws: Error(already_exists); Error(not_found) if an intermediate group is missing (see LinkOptions).
  Group create_group(std::string_view path, const GroupOptions& options = {}, const LinkOptions& link = {});
  /// Opens a group.
  /// Throws: Error(not_found); Error(wrong_type) for another type of object.
  Group open_group(std::string_view path) const;
  /// Opens a group. Creates it, and missing intermediate groups, if it does not exist.
  Group require_group(std::string_view path, const GroupOptions& options = {});
  /// Commits a datatype and links it.
  CommittedDatatype commit(std::string_view path, const Datatype& type, const LinkOptions& link = {},
                           const CommitOptions& options = {});

  /// Creates a dataset and links it.
  /// Throws: Error(already_exists); Error(invalid_argument) for options that contradict each other.
  Dataset create_dataset(std::string_view path, const Datatype& type, const Dataspace& space,
                         const DatasetOptions& options = {}, const LinkOptions& link = {});
  /// Creates a dataset with elements of T: a number, string, struct and so on (values.hpp).
  template <Element T>
  Dataset create_dataset(std::string_view path, const Dataspace& space, const DatasetOptions& options = {},
                         const LinkOptions& link = {}) {
    return create_dataset(path, Datatype::of<T>(), space, options, link);
  }
  /// Creates a dataset with the datatype and dataspace of `values` and writes them. For more dimensions use
  /// create_dataset() and write().
  template <Value T>
  Dataset write_dataset(std::string_view path, const T& values, const DatasetOptions& options = {},
                        const LinkOptions& link = {}) {
    using Shape = ValueShape<T>;
    Dataset dataset = create_dataset<typename Shape::ElementOf>(path, Shape::space(values), options, link);
    dataset.write(values);
    return dataset;
  }
  /// Opens a dataset.
  /// Throws: Error(not_found); Error(wrong_type) for another type of object.
  Dataset open_dataset(std::string_view path, const DatasetAccess& access = {}) const;
  /// Reads all elements of a dataset and converts them to T.
  template <Value T>
  T read_dataset(std::string_view path) const {
    return open_dataset(path).template read<T>();
  }

  /// Opens an object of any type, traversing links of any type.
  /// Throws: Error(not_found), also for a dangling link.
  Object open(std::string_view path) const;
  /// Opens the target of a link of this group. A hard link is not looked up again.
  Object open(const Link& link) const;
  /// Opens an object; empty where open() throws Error(not_found).
  std::optional<Object> find(std::string_view path) const;
  /// Returns whether the link exists, even if it is dangling.
  bool has_link(std::string_view path) const;
  /// Returns a link without traversing it.
  /// Throws: Error(not_found).
  Link link(std::string_view path) const;
  /// Returns a link without traversing it; empty if there is none.
  std::optional<Link> find_link(std::string_view path) const;

  /// Creates a hard link to an object of the same file.
  /// Throws: Error(already_exists), as the following functions do.
  void link_hard(std::string_view path, const Object& object, const LinkOptions& options = {});
  /// Creates a soft link. The target need not exist.
  void link_soft(std::string_view path, std::string_view target, const LinkOptions& options = {});
  /// Creates an external link to a path in another file.
  void link_external(std::string_view path, std::string_view file, std::string_view target,
                     const LinkOptions& options = {});
  /// Creates a user-defined link of class `kind`, 65 to 255.
  void link_user(std::string_view path, std::uint8_t kind, std::span<const std::byte> data,
                 const LinkOptions& options = {});

  /// Removes a link. An object without further links is freed when its last handle is destroyed.
  void remove(std::string_view path);
  /// Renames a link. The new path may be in another group of the same file.
  void rename(std::string_view from, std::string_view to, const LinkOptions& options = {});
  /// Moves a link to another group of the same file.
  void move(std::string_view from, const Group& to_group, std::string_view to,
            const LinkOptions& options = {});
  /// Copies the object at `from` to the path `to` in `to_group`, which may be in another file.
  void copy(std::string_view from, Group to_group, std::string_view to,
            const CopyOptions& options = {}) const;

  /// Returns the number of links.
  std::uint64_t size() const { return group_info().links; }
  /// Returns the link at a position of the given order.
  /// Throws: Error(invalid_argument) if the group has fewer links.
  Link link_at(std::uint64_t position, IndexBy by = IndexBy::name,
               Direction direction = Direction::ascending) const;
  /// Returns all links in the given order.
  std::vector<Link> links(IndexBy by = IndexBy::name, Direction direction = Direction::ascending) const;
  /// Calls `fn` for each link until it returns false. Returns whether all links were visited.
  bool for_each(const std::function<bool(const Link&)>& fn, IndexBy by = IndexBy::name,
                Direction direction = Direction::ascending) const;
  /// Visits all objects below this group in name order, without traversing soft or external links, until `fn`
  /// returns false. Returns whether everything was visited.
  bool visit(const std::function<bool(const Visited&)>& fn, const VisitOptions& options = {}) const;
};

}  // namespace filigree
