// SPDX-License-Identifier: Apache-2.0
//
// What the functions on property lists of HDF5's own classes share.
#pragma once

#include <string>

#include "capi/H5P/property_list.hpp"

namespace filigree::capi {

/// Describes a function whose id must be a list of a certain class. Like HDF5, it reports another id as a bad
/// id, above the nested error.
inline ApiFunction plist_call(const char* function, SourceLine line = SourceLine::current()) {
  return {function, {&H5E_ID_g, &H5E_BADID_g}, "can't find such a property list for the id", line};
}
/// Describes a function whose nested errors are reported as those of a property.
inline ApiFunction property_call(const char* function, const hid_t* minor, const char* text,
                                 SourceLine line = SourceLine::current()) {
  return {function, {&H5E_PLIST_g, minor}, text, line};
}

/// *Throws* Failure with H5E_ARGS, H5E_BADRANGE.
[[noreturn]] inline void out_of_range(std::string text) {
  throw Failure({&H5E_ARGS_g, &H5E_BADRANGE_g}, std::move(text));
}

/// *Throws* Failure for H5P_DEFAULT.
inline void refuse_default(hid_t plist) {
  if (plist == H5P_DEFAULT)
    throw Failure({&H5E_PLIST_g, &H5E_BADVALUE_g}, "can't set values in default property list");
}

/// Returns the list, which must have settings T. *Throws* NestedFailure.
template <class T>
std::shared_ptr<PropertyListHandle> find_plist(hid_t id) {
  auto plist = ids().find_as<PropertyListHandle>(id);
  if (plist == nullptr) throw NestedFailure({&H5E_ARGS_g, &H5E_BADTYPE_g}, "not a property list");
  if (dynamic_cast<const T*>(plist->settings().get()) == nullptr)
    throw NestedFailure({&H5E_PLIST_g, &H5E_CANTCOMPARE_g}, "property list is not a member of the class");
  return plist;
}

template <class T>
std::shared_ptr<const T> get_settings(hid_t id) {
  return std::static_pointer_cast<const T>(find_plist<T>(id)->settings());
}

template <class T, class Work>
void change_settings(hid_t id, const PropertyNames& names, Work&& work) {
  find_plist<T>(id)->template change<T>(names, std::forward<Work>(work));
}

/// Stores a result unless the program passed null.
template <class T, class V>
void store_if(T* to, const V& value) {
  if (to != nullptr) *to = static_cast<T>(value);
}

}  // namespace filigree::capi
