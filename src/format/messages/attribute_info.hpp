// SPDX-License-Identifier: Apache-2.0
//
// The attribute info message (0x15): the storage and index of the attributes of an object.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/address.hpp"

namespace filigree::format {

/// Message 0x15. If the heap is undefined, the attributes are messages of the object header.
struct AttributeInfo {
  static constexpr std::string_view structure = "attribute info message";
  bool tracks_order = false;
  bool indexes_order = false;
  std::uint16_t next_order = 0;  ///< the creation order of the next attribute; stored if it is tracked
  Address heap = Address::undefined;
  Address name_tree = Address::undefined;
  Address order_tree = Address::undefined;  ///< stored if creation order is indexed
};

}  // namespace filigree::format
