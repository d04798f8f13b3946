// SPDX-License-Identifier: Apache-2.0
//
// Byte swapping.
#pragma once

#include "type/conversion.hpp"

namespace filigree::type {

/// Copies every element with its `bytes` bytes in reverse order.
void swap_bytes(const Tile& tile, std::size_t bytes);
/// Whether swap_bytes() can work in place for elements of this size.
bool swaps_in_place(std::size_t bytes);

}  // namespace filigree::type
