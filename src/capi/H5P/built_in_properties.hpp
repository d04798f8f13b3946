// SPDX-License-Identifier: Apache-2.0
//
// The library's own properties by the names that stock has for them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "capi/H5P/property_list.hpp"

namespace filigree::capi {

struct BuiltIn {
  const char* name;
  std::size_t bytes;  ///< of the value, as in stock
  /// Null where the value is a structure that only stock knows.
  void (*get)(const Settings& from, void* value) = nullptr;
  void (*set)(Settings& to, const void* value) = nullptr;
};

/// When lists come to hold properties of their class themselves: stock has callbacks for these.
enum class Moment : std::uint8_t { creation, copying };
PropertyNames held_at(Moment moment, const PropertyClass& of);

/// Names of properties as lists show and encode them: those that the list holds itself, then class by class,
/// the nearest first. Among each other they stand by a hash of their names.
std::vector<std::string> property_order(const PropertyListHandle& plist);
std::vector<std::string> property_order(const PropertyClass& of);

/// Those that a class adds to its parent's.
const std::vector<const BuiltIn*>& built_in(PlistType kind);
/// One of the class or its parents; null when there is none.
const BuiltIn* find_built_in(const PropertyClass& in, const char* name);

}  // namespace filigree::capi
