// SPDX-License-Identifier: Apache-2.0
#include "capi/H5G/walk.hpp"

#include <vector>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "capi/H5G/walk_steps.hpp"
#include "capi/H5L/user_links.hpp"
#include "capi/H5P/options.hpp"
#include "capi/core/inner.hpp"

namespace filigree::capi {
namespace {

std::string join(const std::string& path, std::string_view name) {
  if (path.empty()) return "";  // below what has no name nothing has one
  return path == "/" ? "/" + std::string(name) : path + "/" + std::string(name);
}

/// Repeated slashes and "." mean nothing; ".." is a name like any other.
std::vector<std::string_view> split(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const auto slash = path.find('/');
    const std::string_view part = path.substr(0, slash);
    if (!part.empty() && part != ".") parts.push_back(part);
    if (slash == std::string_view::npos) break;
    path.remove_prefix(slash + 1);
  }
  return parts;
}

/// What stands there for programs: the root of the file that is mounted on a group.
Location through_mounts(Location at) {
  while (auto child = at.open->shared->mounted_on(at.object.address())) {
    at.object = child->file.root();
    at.open = std::move(child);
  }
  return at;
}

[[noreturn]] void not_there(const Spot& spot) {
  throw Error(ErrorKind::not_found,
              fmt::format("object '{}' doesn't exist in group '{}' of '{}'", spot.name,
                          spot.parent.name.empty() ? "(no name)" : spot.parent.name, spot.parent.open->name));
}

/// Missing groups on the way are made as the group they stand in.
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

Spot Walk::locate(const Location& start, std::string_view path) {
  Location at = path.starts_with('/') ? root_of(start.open) : start;
  const auto parts = split(path);
  if (parts.empty()) return {std::move(at), "", std::nullopt};
  for (std::size_t i = 0;; ++i) {
    Spot spot{std::move(at), std::string(parts[i]), std::nullopt};
    spot.link = find(spot);
    if (i + 1 == parts.size()) return spot;
    if (!spot.link && creation_ != nullptr && creation_->create_parents)
      spot.link = make_parent(spot.parent, spot.name, *creation_);
    at = follow(spot);
  }
}

std::optional<Link> Walk::find(const Spot& spot) const {
  if (spot.parent.object.kind() != ObjectKind::group) {
    throw Error(ErrorKind::not_found,
                fmt::format("'{}' is not a group, so there is no '{}' in it", spot.parent.name, spot.name));
  }
  return Group(spot.parent.object).find_link(spot.name);
}

Location Walk::follow(const Spot& spot) {
  if (!spot.link) not_there(spot);
  const Link& link = *spot.link;
  std::string name = spot.path();
  if (link.kind == LinkKind::hard)
    return through_mounts({spot.parent.open, Group(spot.parent.object).open(link), std::move(name)});
  if (++followed_ > access_.settings->max_links)
    throw InnerFailure({&H5E_LINK_g, &H5E_NLINKS_g}, fmt::format("too many links on the way to '{}'", name));
  if (link.kind == LinkKind::external) return follow_external_link(spot, access_, followed_);
  if (link.kind == LinkKind::user) return follow_user_link(spot, access_);
  Location at = reach(spot.parent, link.target);
  at.name = std::move(name);
  return at;
}

Location Walk::reach(const Location& start, std::string_view path) {
  Spot spot = locate(start, path);
  if (spot.name.empty()) return std::move(spot.parent);
  return follow(spot);
}

std::string Spot::path() const { return join(parent.name, name); }

LinkAccess link_access(hid_t id) {
  return {id == H5P_DEFAULT ? H5P_LST_LINK_ACCESS_ID_g : id, further_inside([&] {
            return get_settings<LinkAccessSettings>(id, "a link access property list");
          })};
}

std::shared_ptr<const LinkCreationSettings> link_creation(hid_t id) {
  return get_settings<LinkCreationSettings>(id, "a link creation property list");
}

LinkOptions link_options_of(const LinkCreationSettings& creation) {
  LinkOptions options = link_options(creation);
  options.create_parents = false;  // locate() has made them
  return options;
}

Location reach(const Location& start, std::string_view path, const LinkAccess& access) {
  return Walk(access).reach(start, path);
}

Spot locate(const Location& start, std::string_view path, const LinkAccess& access,
            const LinkCreationSettings* creation) {
  return Walk(access, creation).locate(start, path);
}

Spot free_spot(const Location& start, std::string_view path, const LinkAccess& access,
               const LinkCreationSettings& creation) {
  Spot spot = locate(start, path, access, &creation);
  if (spot.link && spot.link->kind == LinkKind::user) {
    // Stock looks where the link leads before it refuses the name, which classes of links may notice.
    try {
      follow(spot, access);
    } catch (const std::exception&) {
    }
  }
  if (spot.name.empty() || spot.link)
    throw InnerFailure({&H5E_LINK_g, &H5E_EXISTS_g}, fmt::format("name already exists: '{}'", path));
  return spot;
}

Spot taken_spot(const Location& start, std::string_view path, const LinkAccess& access) {
  Spot spot = locate(start, path, access);
  if (spot.name.empty() || !spot.link)
    throw InnerFailure({&H5E_LINK_g, &H5E_NOTFOUND_g}, fmt::format("name doesn't exist: '{}'", path));
  return spot;
}

Location follow(const Spot& spot, const LinkAccess& access) { return Walk(access).follow(spot); }

Location made_at(const Spot& spot, const Object& object) { return {spot.parent.open, object, spot.path()}; }

}  // namespace filigree::capi
