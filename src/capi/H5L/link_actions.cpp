// SPDX-License-Identifier: Apache-2.0
#include "capi/H5L/link_actions.hpp"

#include <fmt/format.h>

#include "capi/H5L/user_links.hpp"

namespace filigree::capi {
namespace {

/// Either side may be H5L_SAME_LOC, not both.
std::pair<Location, Location> both_locations(hid_t from, hid_t to) {
  if (from == H5L_SAME_LOC && to == H5L_SAME_LOC)
    bad_value("source and destination should not both be H5L_SAME_LOC");
  if (from == H5L_SAME_LOC) from = to;
  if (to == H5L_SAME_LOC) to = from;
  return {location(from), location(to)};
}

bool same_file(const Location& one, const Location& other) { return one.open->shared == other.open->shared; }

void put_copy(const Spot& from, const Spot& to, const LinkOptions& options) {
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

BorrowedId::~BorrowedId() {
  try {
    ids().release(id_);
  } catch (...) {  // the callback has closed it
  }
}

herr_t checked_result(herr_t result) {
  if (result < 0) throw CallbackFailure({&H5E_LINK_g, &H5E_BADITER_g}, "iteration operator failed");
  return result;
}

void create_hard_link(hid_t from, const char* target, hid_t to, const char* name, hid_t creation,
                      hid_t access) {
  const auto [source, destination] = both_locations(from, to);
  const auto list = link_creation(creation);
  const LinkAccess how = link_access(access);
  const Location object = reach(source, target, how);
  const Spot spot = free_spot(destination, name, how, *list);
  if (!same_file(object, spot.parent)) bad_value("source and destination should be in the same file");
  spot.group().link_hard(spot.name, object.object, link_options_of(*list));
}

void create_soft_link(const char* target, hid_t to, const char* name, hid_t creation, hid_t access) {
  const Location start = location(to);
  const auto list = link_creation(creation);
  const Spot spot = free_spot(start, name, link_access(access), *list);
  spot.group().link_soft(spot.name, target, link_options_of(*list));
}

void delete_link(const Location& start, std::string_view path, const LinkAccess& access) {
  const Spot spot = locate(start, path, access);
  if (spot.name.empty())
    throw InnerFailure({&H5E_LINK_g, &H5E_NOTFOUND_g}, "the root group cannot be unlinked");
  if (!spot.link)
    throw InnerFailure({&H5E_LINK_g, &H5E_CANTDELETE_g},
                       fmt::format("there is no link '{}' to delete", path));
  delete_link(spot.parent, *spot.link);
}

void delete_link(const Location& group, const Link& link) {
  user_link_deleted(group, link.name, link);
  group.group().remove(link.name);
  const Spot gone{group, link.name, std::nullopt};
  if (const std::string path = gone.path(); !path.empty()) names_gone(*group.open, path);
}

void move_link(hid_t from, const char* name, hid_t to, const char* new_name, const MoveOptions& options) {
  const auto [source, destination] = both_locations(from, to);
  required_text(name, "src_name");
  required_text(new_name, "dst_name");
  const auto list = link_creation(options.creation);
  const LinkAccess access = link_access(options.access);
  const Spot old = taken_spot(source, name, access);
  const Spot spot = free_spot(destination, new_name, access, *list);
  const bool within = old.link->kind == LinkKind::hard || !options.keep;
  if (within && !same_file(old.parent, spot.parent))
    throw InnerFailure({&H5E_LINK_g, &H5E_CANTINIT_g}, "moving a link across files is not allowed");
  LinkOptions link = link_options_of(*list);
  if (options.creation == H5P_DEFAULT) link.charset = old.link->charset;
  if (options.keep) {
    put_copy(old, spot, link);
  } else {
    old.group().move(old.name, spot.group(), spot.name, link);
    if (!old.path().empty()) names_moved(*old.parent.open, old.path(), spot.path());
  }
  user_link_moved(spot.parent, spot.name, *old.link, options.keep);
  if (!options.keep) user_link_deleted(old.parent, old.name, *old.link);  // so stock tells of the old link
}

}  // namespace filigree::capi
