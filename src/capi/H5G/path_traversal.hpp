// SPDX-License-Identifier: Apache-2.0
//
// The traversal of one path.
#pragma once

#include "capi/H5G/traverse.hpp"

namespace filigree::capi {

/// Traverses a path. All links that the traversal resolves count towards one limit (H5Pset_nlinks).
class PathTraversal {
 public:
  explicit PathTraversal(const LinkAccess& access, const LinkCreationSettings* creation = nullptr,
                         unsigned followed = 0)
      : access_(access), creation_(creation), followed_(followed) {}

  LinkLocation locate_link(const Location& start, std::string_view path);
  Location traverse(const Location& start, std::string_view path);
  Location resolve_link(const LinkLocation& link_location);
  unsigned followed() const { return followed_; }

 private:
  std::optional<Link> find(const LinkLocation& link_location) const;

  const LinkAccess& access_;
  const LinkCreationSettings* creation_;
  unsigned followed_;
};

}  // namespace filigree::capi
