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

/// How a link leads to an object.
enum class LinkKind : std::uint8_t { hard, soft, external, user };

/// A name in a group, and what it leads to.
struct Link {
  std::string name;
  LinkKind kind = LinkKind::hard;
  CharacterSet charset = CharacterSet::ascii;
  std::optional<std::int64_t> creation_order;
  std::uint64_t address = 0;   ///< hard: where the object's header stands
  std::string target;          ///< soft: the path; external: the path in the other file
  std::string file;            ///< external
  std::uint8_t user_kind = 0;  ///< user: 65 to 255
  std::vector<std::byte> user_data;
};

/// How a group keeps its links.
enum class GroupStorage : std::uint8_t { symbol_table, compact, dense };

/// Facts about a group.
struct GroupInfo {
  GroupStorage storage = GroupStorage::symbol_table;
  std::uint64_t links = 0;
  bool order_tracked = false;
  bool order_indexed = false;
  std::int64_t next_order = 0;
};

/// What visit() meets: an object, once, by the first path that leads to it; or a link that is not hard.
struct Visited {
  std::string path;              ///< relative to the group that is visited; "." for itself
  const Link* link = nullptr;    ///< null for the group itself
  std::optional<Object> object;  ///< for hard links
  bool seen_before = false;      ///< another path to an object already visited
  std::string first_path;        ///< with seen_before: that path
  /// With keep_going: why `object` is missing, or why some or all links of this group will not follow.
  const Error* error = nullptr;
};

/// How far Group::visit() goes.
struct VisitOptions {
  bool into_groups = true;  ///< false: only the links of the group itself
  bool keep_going = false;  ///< tell of broken objects in Visited::error instead of throwing
};

/// A handle on a group: names that lead to objects.
class FILIGREE_EXPORT Group : public Object {
 public:
  explicit Group(const Object& object);  ///< throws Error(wrong_type)
  /// How the links are kept, and how many there are.
  GroupInfo group_info() const;
  /// What the group was made with, as far as its file tells; the defaults otherwise.
  GroupOptions creation_options() const;

  // Paths: components separated by '/', from this group, or from the root when they begin with '/'.
  /// Throws Error(already_exists), and Error(not_found) when a group on the way is missing (see LinkOptions).
  Group create_group(std::string_view path, const GroupOptions& options = {}, const LinkOptions& link = {});
  /// Throws Error(not_found), or Error(wrong_type) for another kind of object.
  Group open_group(std::string_view path) const;
  /// The group at `path`, made (with its parents) when it is missing.
  Group require_group(std::string_view path, const GroupOptions& options = {});
  /// Gives a datatype a name in the file.
  CommittedDatatype commit(std::string_view path, const Datatype& type, const LinkOptions& link = {},
                           const CommitOptions& options = {});

  /// Its elements read as the fill value until they are written. Throws Error(already_exists), and
  /// Error(invalid_argument) for options that contradict each other.
  Dataset create_dataset(std::string_view path, const Datatype& type, const Dataspace& space,
                         const DatasetOptions& options = {}, const LinkOptions& link = {});
  /// For elements of T, which may be a number, string, struct and so on (values.hpp).
  template <Element T>
  Dataset create_dataset(std::string_view path, const Dataspace& space, const DatasetOptions& options = {},
                         const LinkOptions& link = {}) {
    return create_dataset(path, Datatype::of<T>(), space, options, link);
  }
  /// Makes a dataset of the natural type and shape of `values` and writes them. For more dimensions use
  /// create_dataset() and write().
  template <Value T>
  Dataset write_dataset(std::string_view path, const T& values, const DatasetOptions& options = {},
                        const LinkOptions& link = {}) {
    using Shape = ValueShape<T>;
    Dataset made = create_dataset<typename Shape::ElementOf>(path, Shape::space(values), options, link);
    made.write(values);
    return made;
  }
  /// Throws Error(not_found), or Error(wrong_type) for another kind of object.
  Dataset open_dataset(std::string_view path, const DatasetAccess& access = {}) const;
  /// All elements of a dataset, converted.
  template <Value T>
  T read_dataset(std::string_view path) const {
    return open_dataset(path).template read<T>();
  }

  /// Follows links of every kind. Throws Error(not_found), also for a link that leads nowhere.
  Object open(std::string_view path) const;
  /// What a link of this group leads to. A hard link is not looked up again.
  Object open(const Link& link) const;
  /// Nothing where open() would throw Error(not_found).
  std::optional<Object> find(std::string_view path) const;
  /// Whether the link exists; it may lead nowhere.
  bool has_link(std::string_view path) const;
  /// The link itself, which is not followed. Throws Error(not_found).
  Link link(std::string_view path) const;
  /// Nothing when there is none.
  std::optional<Link> find_link(std::string_view path) const;

  /// Another name for an object of the same file. Throws Error(already_exists), as the next ones do.
  void link_hard(std::string_view path, const Object& object, const LinkOptions& options = {});
  /// A name for a path, which need not lead anywhere.
  void link_soft(std::string_view path, std::string_view target, const LinkOptions& options = {});
  /// A name for a path in another file.
  void link_external(std::string_view path, std::string_view file, std::string_view target,
                     const LinkOptions& options = {});
  /// A link of a kind, 65 to 255, that only the program understands.
  void link_user(std::string_view path, std::uint8_t kind, std::span<const std::byte> data,
                 const LinkOptions& options = {});

  /// Removes a link. An object without links left is freed, once the last handle on it is gone.
  void remove(std::string_view path);
  /// Within the file; the path may lead to another group.
  void rename(std::string_view from, std::string_view to, const LinkOptions& options = {});
  /// Moves a link to another group of the same file.
  void move(std::string_view from, const Group& to_group, std::string_view to,
            const LinkOptions& options = {});
  /// Copies the object at `from` to `to` in `to_group`, which may be in another file.
  void copy(std::string_view from, Group to_group, std::string_view to,
            const CopyOptions& options = {}) const;

  /// How many links there are.
  std::uint64_t size() const { return group_info().links; }
  /// The link at a position in that order. Throws Error(invalid_argument) when there are not
  /// so many.
  Link link_at(std::uint64_t position, IndexBy by = IndexBy::name,
               Direction direction = Direction::ascending) const;
  /// All links in that order.
  std::vector<Link> links(IndexBy by = IndexBy::name, Direction direction = Direction::ascending) const;
  /// Calls `fn` for each link until it returns false; true when all were seen.
  bool for_each(const std::function<bool(const Link&)>& fn, IndexBy by = IndexBy::name,
                Direction direction = Direction::ascending) const;
  /// Walks everything below this group in name order; does not follow soft or external links. Stops when
  /// `fn` returns false; true when all was seen.
  bool visit(const std::function<bool(const Visited&)>& fn, const VisitOptions& options = {}) const;
};

}  // namespace filigree
