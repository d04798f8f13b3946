// SPDX-License-Identifier: Apache-2.0
//
// The library's own properties by the names that stock has for them.
#pragma once

#include <cstddef>
#include <vector>

#include "capi/property_list.hpp"

namespace filigree::capi {

struct BuiltIn {
  const char* name;
  std::size_t bytes;  ///< of the value, as in stock
  /// Null where the value is a structure that only stock knows.
  void (*get)(const Settings& from, void* value) = nullptr;
  void (*set)(Settings& to, const void* value) = nullptr;
};

/// Those that a class adds to its parent's, in the order in which stock shows them.
const std::vector<const BuiltIn*>& built_in(ListKind kind);
/// One of the class or its parents; null when there is none.
const BuiltIn* find_built_in(const PropertyClass& in, const char* name);

}  // namespace filigree::capi
