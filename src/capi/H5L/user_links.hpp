// SPDX-License-Identifier: Apache-2.0
//
// User-defined links, and external links.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "capi/H5G/traverse.hpp"

namespace filigree::capi {

/// A link class that was registered with H5Lregister. Older versions of the structure are converted.
struct LinkClass {
  H5L_class_t functions{};
  H5L_traverse_0_func_t old_traverse =
      nullptr;  ///< of version 0, which has no parameter for a transfer property list
};

/// Returns null for classes that are not registered.
std::shared_ptr<const LinkClass> find_link_class(int kind);
/// Registers a class, and replaces one with the same id.
void add_link_class(std::shared_ptr<const LinkClass> made);
/// Returns false for classes that are not registered.
bool remove_link_class(int kind);

/// Returns the object that a user-defined link leads to. *Throws* NestedFailure and CallbackFailure.
Location follow_user_link(const LinkLocation& link_location, const LinkAccess& access);
/// Returns the object that an external link leads to. `followed` counts the links that were resolved.
Location follow_external_link(const LinkLocation& link_location, const LinkAccess& access,
                              unsigned& followed);

// Call the callbacks of a link class: after a link was created, moved or copied, and before it is deleted.
// They *throw* CallbackFailure.
void user_link_created(const Location& group, const std::string& name, int kind,
                       std::span<const std::byte> data, hid_t creation);
void user_link_moved(const Location& group, const std::string& name, const Link& link, bool copied);
void user_link_deleted(const Location& group, const std::string& name, const Link& link);

}  // namespace filigree::capi
