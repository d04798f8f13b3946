// SPDX-License-Identifier: Apache-2.0
//
// How an object's attributes are indexed.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/address.hpp"

namespace filigree::format {

/// Message 0x15. With an undefined heap the attributes are messages of the header.
struct AttributeInfo {
  static constexpr std::string_view structure = "attribute info message";
  bool tracks_order = false;
  bool indexes_order = false;
  std::uint16_t next_order = 0;  ///< the creation order of the next attribute; stored when tracked
  Address heap = Address::undefined;
  Address name_tree = Address::undefined;
  Address order_tree = Address::undefined;  ///< stored when indexed
};

}  // namespace filigree::format
