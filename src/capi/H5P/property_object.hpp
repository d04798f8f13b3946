// SPDX-License-Identifier: Apache-2.0
//
// Ids that are a property list or a class of property lists.
#pragma once

#include <memory>

#include "capi/H5P/property_list.hpp"

namespace filigree::capi {

/// Returns the class of an id. `what` names the expected id in the error message. *Throws* bad_type().
inline std::shared_ptr<const PropertyClass> get_class(hid_t id, const char* what = "a property list class") {
  return ids().get<PropertyClassHandle>(id, what)->property_class();
}

/// A list or a class: one of the two pointers is set.
struct PropertyObject {
  std::shared_ptr<PropertyListHandle> plist;
  std::shared_ptr<const PropertyClass> property_class;
};

/// Returns what an id refers to. *Throws* bad_type() for ids of other types.
inline PropertyObject get_object(hid_t id) {
  if (auto plist = ids().find_as<PropertyListHandle>(id)) return {std::move(plist), nullptr};
  if (auto handle = ids().find_as<PropertyClassHandle>(id)) return {nullptr, handle->property_class()};
  bad_type("not a property object");
}

}  // namespace filigree::capi
