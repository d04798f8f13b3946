// SPDX-License-Identifier: Apache-2.0
//
// From paths to objects as programs of HDF5 know it: over soft, external and user-defined links, and into
// mounted files.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <filigree/group.hpp>

#include "capi/H5F/file_ids.hpp"

namespace filigree::capi {

/// How links are followed.
struct LinkAccess {
  hid_t id = H5P_DEFAULT;  ///< for callbacks
  std::shared_ptr<const LinkAccessSettings> settings;
};
/// Of a link access list, or a list of a class that derives from it. Throws bad_type().
LinkAccess link_access(hid_t id);

/// Where the last component of a path is, or would be.
struct LinkLocation {
  Location parent;
  std::string name;  ///< empty when the path names its start or a root: then `parent` is the object
  std::optional<Link> link;

  Group group() const { return parent.group(); }
  /// The path that the object has.
  std::string path() const;
};

/// Follows all components. Throws Error(not_found).
Location traverse(const Location& start, std::string_view path, const LinkAccess& access);
/// Follows all components but the last. With `creation`, makes missing groups if that says so.
LinkLocation locate_link(const Location& start, std::string_view path, const LinkAccess& access,
                         const LinkCreationSettings* creation = nullptr);
/// Where a new link goes. Throws Failure when the name is taken.
LinkLocation locate_new_link(const Location& start, std::string_view path, const LinkAccess& access,
                             const LinkCreationSettings& creation);
/// The link at `path`, which must be there.
LinkLocation locate_existing_link(const Location& start, std::string_view path, const LinkAccess& access);
/// What the link of a spot leads to.
Location resolve_link(const LinkLocation& link_location, const LinkAccess& access);
/// An object that was just made there.
Location new_object_location(const LinkLocation& link_location, const Object& object);

/// Charset of new links.
LinkOptions link_options_of(const LinkCreationSettings& creation);
/// Of a link creation list, or the defaults. Throws bad_type().
std::shared_ptr<const LinkCreationSettings> link_creation(hid_t id);

}  // namespace filigree::capi
