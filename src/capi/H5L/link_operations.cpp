// SPDX-License-Identifier: Apache-2.0
#include "capi/H5L/link_operations.hpp"

#include <fmt/format.h>

#include "capi/H5L/user_links.hpp"

namespace filigree::capi {
namespace {

/// Returns both locations. One of the ids may be H5L_SAME_LOC.
std::pair<Location, Location> both_locations(hid_t from, hid_t to) {
  if (from == H5L_SAME_LOC && to == H5L_SAME_LOC)
    bad_value("source and destination should not both be H5L_SAME_LOC");
  if (from == H5L_SAME_LOC) from = to;
  if (to == H5L_SAME_LOC) to = from;
  return {location(from), location(to)};
}

bool same_file(const Location& one, const Location& other) { return one.open->shared == other.open->shared; }

void create_copy(const LinkLocation& from, const LinkLocation& to, const LinkOptions& options) {
  const Link& link = *from.link;
  Group group = to.group();
  switch (link.kind) {
    case LinkKind::hard:
      return group.link_hard(to.name, from.group().open(link), options);
    case LinkKind::soft:
      return group.link_soft(to.name, link.target, options);
    case LinkKind::external:
      return group.link_external(to.name, link.file, link.target, options);
    case LinkKind::user:
      return group.link_user(to.name, link.user_kind, link.user_data, options);
  }
}

}  // namespace

herr_t checked_result(herr_t result) {
  if (result < 0) throw CallbackFailure({&H5E_LINK_g, &H5E_BADITER_g}, "iteration operator failed");
  return result;
}

void create_hard_link(hid_t from, const char* target, hid_t to, const char* name, hid_t creation,
                      hid_t access) {
  const auto [source, destination] = both_locations(from, to);
  const auto plist = link_creation(creation);
  const LinkAccess how = link_access(access);
  const Location object = traverse(source, target, how);
  const LinkLocation link_location = locate_new_link(destination, name, how, *plist);
  if (!same_file(object, link_location.parent))
    bad_value("source and destination should be in the same file");
  link_location.group().link_hard(link_location.name, object.object, link_options_of(*plist));
}

void create_soft_link(const char* target, hid_t to, const char* name, hid_t creation, hid_t access) {
  const Location start = location(to);
  const auto plist = link_creation(creation);
  const LinkLocation link_location = locate_new_link(start, name, link_access(access), *plist);
  link_location.group().link_soft(link_location.name, target, link_options_of(*plist));
}

void delete_link(const Location& start, std::string_view path, const LinkAccess& access) {
  const LinkLocation link_location = locate_link(start, path, access);
  if (link_location.name.empty())
    throw NestedFailure({&H5E_LINK_g, &H5E_NOTFOUND_g}, "the root group cannot be unlinked");
  if (!link_location.link)
    throw NestedFailure({&H5E_LINK_g, &H5E_CANTDELETE_g},
                        fmt::format("there is no link '{}' to delete", path));
  delete_link(link_location.parent, *link_location.link);
}

void delete_link(const Location& group, const Link& link) {
  user_link_deleted(group, link.name, link);
  group.group().remove(link.name);
  const LinkLocation deleted{group, link.name, std::nullopt};
  if (const std::string path = deleted.path(); !path.empty()) clear_deleted_names(*group.open, path);
}

void move_link(hid_t from, const char* name, hid_t to, const char* new_name, const MoveOptions& options) {
  const auto [source, destination] = both_locations(from, to);
  required_string(name, "src_name");
  required_string(new_name, "dst_name");
  const auto plist = link_creation(options.creation);
  const LinkAccess access = link_access(options.access);
  const LinkLocation old = locate_existing_link(source, name, access);
  const LinkLocation link_location = locate_new_link(destination, new_name, access, *plist);
  const bool within = same_file(old.parent, link_location.parent);
  if (old.link->kind == LinkKind::hard && !within)
    throw NestedFailure({&H5E_LINK_g, &H5E_CANTINIT_g}, "moving a link across files is not allowed");
  const LinkOptions link = link_options_of(*plist);
  // Callbacks may fail between the creation of the new link and the removal of the old one.
  const bool has_callbacks = old.link->kind == LinkKind::user || old.link->kind == LinkKind::external;
  if (options.keep || has_callbacks || !within) {
    create_copy(old, link_location, link);
    user_link_moved(link_location.parent, link_location.name, *old.link, options.keep);
  } else {
    old.group().move(old.name, link_location.group(), link_location.name, link);
  }
  if (options.keep) return;
  if (has_callbacks || !within) {
    user_link_deleted(old.parent, old.name, *old.link);
    old.group().remove(old.name);
  }
  if (within && !old.path().empty()) update_moved_names(*old.parent.open, old.path(), link_location.path());
}

}  // namespace filigree::capi
