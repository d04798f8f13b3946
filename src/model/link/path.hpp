// SPDX-License-Identifier: Apache-2.0
//
// From paths to objects.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/address.hpp"
#include "format/messages/link.hpp"

namespace filigree::model {

class File;

/// An object in a file, with the path by which it was reached.
struct Place {
  std::shared_ptr<File> file;
  Address header = Address::undefined;
  std::string path;
};

/// Where the last component of a path is, or would be.
struct Spot {
  Place parent;
  std::string name;  ///< empty when the path names its start or the root: then `parent` is the object
  std::optional<format::LinkMessage> link;
};

/// Soft and external links that one look-up may follow before it is taken for a loop.
inline constexpr unsigned most_links_followed = 16;

/// Follows every component but the last. With `create_parents`, missing groups are made on the way.
Spot locate(const Place& start, std::string_view path, bool create_parents = false);

/// Follows all components. Nothing when a component, or what a link leads to, does not exist.
std::optional<Place> find_object(const Place& start, std::string_view path);
/// As above, with Error(not_found) that names the component.
Place get_object(const Place& start, std::string_view path);
/// What the link at `spot` leads to.
Place follow(const Spot& spot);

}  // namespace filigree::model
