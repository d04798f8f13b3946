// SPDX-License-Identifier: Apache-2.0
//
// Reversing the bytes of elements.
#pragma once

#include "type/conversion.hpp"

namespace filigree::type {

/// Writes every element with its `bytes` bytes in the opposite order.
void swap_bytes(const Tile& tile, std::size_t bytes);
/// Whether the tile's two sides may be the same.
bool swaps_in_place(std::size_t bytes);

}  // namespace filigree::type
