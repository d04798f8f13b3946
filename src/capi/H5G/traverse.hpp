// SPDX-License-Identifier: Apache-2.0
//
// Path traversal by HDF5's rules: over soft, external and user-defined links, and into mounted files.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <filigree/group.hpp>

#include "capi/H5F/file_ids.hpp"

namespace filigree::capi {

/// How links are resolved.
struct LinkAccess {
  hid_t id = H5P_DEFAULT;  ///< link access property list, for callbacks
  std::shared_ptr<const LinkAccessSettings> settings;
};
/// Returns the settings of a link access property list, or of one of a derived class. *Throws* bad_type().
LinkAccess link_access(hid_t id);

/// The last component of a path: an existing link, or the place for a new one.
struct LinkLocation {
  Location parent;
  std::string name;  ///< empty when the path denotes its start or a root group; `parent` is the object then
  std::optional<Link> link;

  Group group() const { return parent.group(); }
  /// Returns the path of the object that the link leads to.
  std::string path() const;
};

/// Whether a path is a single component, which leads to a link of the group that it starts from.
inline bool is_single_name(std::string_view path) {
  return !path.empty() && path != "." && path.find('/') == std::string_view::npos;
}
/// Traverses all components of a path. *Throws* Error(not_found).
Location traverse(const Location& start, std::string_view path, const LinkAccess& access);
/// Traverses all components but the last. With `creation`, it creates missing groups if the property list
/// says so.
LinkLocation locate_link(const Location& start, std::string_view path, const LinkAccess& access,
                         const LinkCreationSettings* creation = nullptr);
/// Returns the location for a new link. *Throws* Failure when the name exists.
LinkLocation locate_new_link(const Location& start, std::string_view path, const LinkAccess& access,
                             const LinkCreationSettings& creation);
/// Calls `create` with the location for a new link, and returns its result. It is as locate_new_link()
/// followed by `create`, without a second search for the name. *Requires* that `create` fails, having done
/// nothing, for a name that exists.
template <class Create>
auto create_at_new_link(const Location& start, std::string_view path, const LinkAccess& access,
                        const LinkCreationSettings& creation, Create&& create) {
  if (!is_single_name(path)) return create(locate_new_link(start, path, access, creation));
  try {
    return create(LinkLocation{start, std::string(path), std::nullopt});
  } catch (...) {
    locate_new_link(start, path, access, creation);  // what is wrong with the link is reported first
    throw;
  }
}
/// Returns the location of an existing link. *Throws* Error(not_found).
LinkLocation locate_existing_link(const Location& start, std::string_view path, const LinkAccess& access);
/// Returns the object that a link leads to.
Location resolve_link(const LinkLocation& link_location, const LinkAccess& access);
/// Returns the location of an object that was just created there.
Location new_object_location(const LinkLocation& link_location, const Object& object);

/// Returns the options of the C++ API for new links.
LinkOptions link_options_of(const LinkCreationSettings& creation);
/// Returns the settings of a link creation property list, or the defaults. *Throws* bad_type().
std::shared_ptr<const LinkCreationSettings> link_creation(hid_t id);

}  // namespace filigree::capi
