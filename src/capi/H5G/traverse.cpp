// SPDX-License-Identifier: Apache-2.0
#include "capi/H5G/traverse.hpp"

#include <vector>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/split_path.hpp"
#include "capi/H5G/path_traversal.hpp"
#include "capi/H5L/user_links.hpp"
#include "capi/H5P/options.hpp"
#include "capi/core/nested_error.hpp"

namespace filigree::capi {
namespace {

std::string join(const std::string& path, std::string_view name) {
  if (path.empty()) return "";  // objects below an object without a path have no path
  return path == "/" ? "/" + std::string(name) : path + "/" + std::string(name);
}

/// Returns the root group of the file that is mounted on a group, or the object itself.
Location through_mounts(Location at) {
  while (auto child = at.open->shared->mounted_on(at.object.address())) {
    at.object = child->file.root();
    at.open = std::move(child);
  }
  return at;
}

[[noreturn]] void not_there(const LinkLocation& link_location) {
  throw Error(ErrorKind::not_found,
              fmt::format("object '{}' doesn't exist in group '{}' of '{}'", link_location.name,
                          link_location.parent.name.empty() ? "(no name)" : link_location.parent.name,
                          link_location.parent.open->name));
}

/// Creates a missing group of a path, with the creation properties of its parent.
Link make_parent(const Location& at, const std::string& name, const LinkCreationSettings& creation) {
  Group group = at.group();
  GroupOptions options;
  if (group.group_info().storage != GroupStorage::symbol_table) options = group.creation_options();
  options.attributes = {};
  options.track_times = true;
  group.create_group(name, options, link_options_of(creation));
  return group.link(name);
}

}  // namespace

LinkLocation PathTraversal::locate_link(const Location& start, std::string_view path) {
  Location at = path.starts_with('/') ? root_of(start.open) : start;
  const auto parts = split_path(path);
  if (parts.empty()) return {std::move(at), "", std::nullopt};
  for (std::size_t i = 0;; ++i) {
    LinkLocation link_location{std::move(at), std::string(parts[i]), std::nullopt};
    link_location.link = find(link_location);
    if (i + 1 == parts.size()) return link_location;
    if (!link_location.link && creation_ != nullptr && creation_->create_parents)
      link_location.link = make_parent(link_location.parent, link_location.name, *creation_);
    at = resolve_link(link_location);
  }
}

std::optional<Link> PathTraversal::find(const LinkLocation& link_location) const {
  if (link_location.parent.object.kind() != ObjectKind::group) {
    throw Error(ErrorKind::not_found, fmt::format("'{}' is not a group, so there is no '{}' in it",
                                                  link_location.parent.name, link_location.name));
  }
  return Group(link_location.parent.object).find_link(link_location.name);
}

Location PathTraversal::resolve_link(const LinkLocation& link_location) {
  if (!link_location.link) not_there(link_location);
  const Link& link = *link_location.link;
  std::string name = link_location.path();
  if (link.kind == LinkKind::hard)
    return through_mounts(
        {link_location.parent.open, Group(link_location.parent.object).open(link), std::move(name)});
  if (++followed_ > access_.settings->max_links)
    throw NestedFailure({&H5E_LINK_g, &H5E_NLINKS_g}, fmt::format("too many links on the way to '{}'", name));
  if (link.kind == LinkKind::external) return follow_external_link(link_location, access_, followed_);
  if (link.kind == LinkKind::user) return follow_user_link(link_location, access_);
  Location at = traverse(link_location.parent, link.target);
  at.name = std::move(name);
  return at;
}

Location PathTraversal::traverse(const Location& start, std::string_view path) {
  LinkLocation link_location = locate_link(start, path);
  if (link_location.name.empty()) return std::move(link_location.parent);
  return resolve_link(link_location);
}

std::string LinkLocation::path() const { return join(parent.name, name); }

LinkAccess link_access(hid_t id) {
  return {id == H5P_DEFAULT ? H5P_LST_LINK_ACCESS_ID_g : id, as_nested_error([&] {
            return get_settings<LinkAccessSettings>(id, "a link access property list");
          })};
}

std::shared_ptr<const LinkCreationSettings> link_creation(hid_t id) {
  return get_settings<LinkCreationSettings>(id, "a link creation property list");
}

LinkOptions link_options_of(const LinkCreationSettings& creation) {
  LinkOptions options = link_options(creation);
  options.create_parents = false;  // locate_link() has created them
  return options;
}

Location traverse(const Location& start, std::string_view path, const LinkAccess& access) {
  return PathTraversal(access).traverse(start, path);
}

LinkLocation locate_link(const Location& start, std::string_view path, const LinkAccess& access,
                         const LinkCreationSettings* creation) {
  return PathTraversal(access, creation).locate_link(start, path);
}

LinkLocation locate_new_link(const Location& start, std::string_view path, const LinkAccess& access,
                             const LinkCreationSettings& creation) {
  LinkLocation link_location = locate_link(start, path, access, &creation);
  if (link_location.link && link_location.link->kind == LinkKind::user) {
    // HDF5 resolves the link before it refuses the name. User-defined link classes can observe that.
    try {
      resolve_link(link_location, access);
    } catch (const std::exception&) {
    }
  }
  if (link_location.name.empty() || link_location.link)
    throw NestedFailure({&H5E_LINK_g, &H5E_EXISTS_g}, fmt::format("name already exists: '{}'", path));
  return link_location;
}

LinkLocation locate_existing_link(const Location& start, std::string_view path, const LinkAccess& access) {
  LinkLocation link_location = locate_link(start, path, access);
  if (link_location.name.empty() || !link_location.link)
    throw NestedFailure({&H5E_LINK_g, &H5E_NOTFOUND_g}, fmt::format("name doesn't exist: '{}'", path));
  return link_location;
}

Location resolve_link(const LinkLocation& link_location, const LinkAccess& access) {
  return PathTraversal(access).resolve_link(link_location);
}

Location new_object_location(const LinkLocation& link_location, const Object& object) {
  return {link_location.parent.open, object, link_location.path()};
}

}  // namespace filigree::capi
