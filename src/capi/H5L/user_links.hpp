// SPDX-License-Identifier: Apache-2.0
//
// Kinds of links that programs define.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "capi/H5G/traverse.hpp"

namespace filigree::capi {

/// A class as H5Lregister got it, the older form brought into the newer one.
struct LinkClass {
  H5L_class_t functions{};
  H5L_traverse_0_func_t old_traverse = nullptr;  ///< of version 0, which is called without a transfer list
};

/// Null when there is none.
std::shared_ptr<const LinkClass> find_link_class(int kind);
void add_link_class(std::shared_ptr<const LinkClass> made);
/// False when there was none.
bool remove_link_class(int kind);

/// What the class of the link's kind leads to.
Location follow_user_link(const LinkLocation& link_location, const LinkAccess& access);
/// Follows an external link.
Location follow_external_link(const LinkLocation& link_location, const LinkAccess& access,
                              unsigned& followed);

// Called after a link was made, moved, copied, and before it is deleted; failures of the program's function
// are thrown.
void user_link_created(const Location& group, const std::string& name, int kind,
                       std::span<const std::byte> data, hid_t creation);
void user_link_moved(const Location& group, const std::string& name, const Link& link, bool copied);
void user_link_deleted(const Location& group, const std::string& name, const Link& link);

}  // namespace filigree::capi
