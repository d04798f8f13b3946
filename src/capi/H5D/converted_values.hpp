// SPDX-License-Identifier: Apache-2.0
//
// Who owns variable-length values that were held in memory for a conversion of the program's. Values whose
// type stays the same move over, and functions of the program own what they are given; everything else is
// freed here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "capi/H5T/conversions.hpp"

namespace filigree::capi {

/// One of the two types of a conversion, seen from its packed elements.
struct ConvertedSide {
  const DatatypeMessage& own;
  const DatatypeMessage& other;
  bool source;  ///< `own` is what is converted
  const CMemory* memory;

  /// After the conversion: frees what has not moved, and of results what the conversion or the library made.
  void reclaim_rest(std::vector<std::byte>& elements) const;
  /// Before the conversion, of results that hold a background: frees what is going to be replaced.
  void reclaim_replaced(std::vector<std::byte>& elements) const;
};

}  // namespace filigree::capi
