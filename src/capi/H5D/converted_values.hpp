// SPDX-License-Identifier: Apache-2.0
//
// Ownership of variable-length data during a user-defined conversion.
//
// Data whose type stays the same moves to the result. Conversion functions own the data that they are given.
// This class frees everything else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "capi/H5T/conversions.hpp"

namespace filigree::capi {

/// One of the two types of a conversion, with its packed elements.
struct ConvertedSide {
  const DatatypeMessage& own;
  const DatatypeMessage& other;
  bool source;  ///< `own` is the source type
  const CMemory* memory;

  /// Called after the conversion. It frees data that has not moved, and the results that the library itself
  /// made.
  void reclaim_rest(std::vector<std::byte>& elements) const;
  /// Called before the conversion when results hold a background. It frees the data that will be replaced.
  void reclaim_replaced(std::vector<std::byte>& elements) const;
};

}  // namespace filigree::capi
