// SPDX-License-Identifier: Apache-2.0
//
// One look-up of a path.
#pragma once

#include "capi/H5G/walk.hpp"

namespace filigree::capi {

/// The budget of links that may be followed is shared by everything that the look-up leads to.
class Walk {
 public:
  explicit Walk(const LinkAccess& access, const LinkCreationSettings* creation = nullptr,
                unsigned followed = 0)
      : access_(access), creation_(creation), followed_(followed) {}

  Spot locate(const Location& start, std::string_view path);
  Location reach(const Location& start, std::string_view path);
  Location follow(const Spot& spot);
  unsigned followed() const { return followed_; }

 private:
  std::optional<Link> find(const Spot& spot) const;

  const LinkAccess& access_;
  const LinkCreationSettings* creation_;
  unsigned followed_;
};

}  // namespace filigree::capi
