// SPDX-License-Identifier: Apache-2.0
//
// Resolution of paths to objects.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/address.hpp"
#include "format/messages/link.hpp"

namespace filigree::model {

class File;

/// The location of an object: its file, its header, and the path by which it was found.
struct ObjectLocation {
  std::shared_ptr<File> file;
  Address header = Address::undefined;
  std::string path;
};

/// The location of a link: the group and name of the last component of a path. The link need not exist.
struct LinkLocation {
  ObjectLocation parent;
  std::string name;  ///< empty if the path names its start or the root group, which is `parent` then
  std::optional<format::LinkMessage> link;
};

/// The largest number of soft and external links that one look-up traverses (H5Pset_nlinks).
inline constexpr unsigned most_links_followed = 16;

/// Traverses all components except the last. With `create_parents`, missing intermediate groups are created.
/// Throws: Error(not_found) for a missing component.
LinkLocation locate(const ObjectLocation& start, std::string_view path, bool create_parents = false);

/// Traverses all components. Returns nothing if a component or the target of a link does not exist.
std::optional<ObjectLocation> find_object(const ObjectLocation& start, std::string_view path);
/// Traverses all components.
/// Throws: Error(not_found), naming the component.
ObjectLocation get_object(const ObjectLocation& start, std::string_view path);
/// Returns the target of a link.
/// Throws: Error(not_found) if the link or its target does not exist.
ObjectLocation follow(const LinkLocation& location);

}  // namespace filigree::model
