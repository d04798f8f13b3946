// SPDX-License-Identifier: Apache-2.0
//
// The fill value messages: 0x05, versions 1 to 3, and its predecessor 0x04.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/bytes.hpp"

namespace filigree::format {

/// The time when storage is allocated.
enum class AllocationTime : std::uint8_t { by_layout = 0, early = 1, late = 2, incremental = 3 };

/// The time when the fill value is written to allocated storage.
enum class FillTime : std::uint8_t { on_allocation = 0, never = 1, if_set = 2 };

enum class FillState : std::uint8_t {
  undefined,      ///< unwritten elements have unspecified values
  default_value,  ///< zero bytes
  user,           ///< `value`
};

/// Message 0x04, which is used if 0x05 is absent.
struct FillValueOld {
  static constexpr std::string_view structure = "old fill value";
  Buffer value;  ///< one element in the datatype of the dataset, or empty for the default
};

/// Message 0x05.
struct FillValue {
  static constexpr std::string_view structure = "fill value";
  std::uint8_t version = 2;
  AllocationTime allocation = AllocationTime::late;
  FillTime write = FillTime::if_set;
  FillState state = FillState::default_value;
  Buffer value;  ///< for FillState::user: one element in the datatype of the dataset
};

}  // namespace filigree::format
