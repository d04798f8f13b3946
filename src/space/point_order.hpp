// SPDX-License-Identifier: Apache-2.0
//
// Reordering of transfers with lists of points into file order.
#pragma once

#include <cstdint>

#include "space/selection.hpp"

namespace filigree::space {

/// The side of a transfer.
enum class Side : std::uint8_t { file, memory };

/// Two selections of equally many elements, which are visited in step.
struct Matched {
  Selection file;
  Selection memory;
};

/// The same transfer with the elements of the file in ascending order. An element that the destination lists
/// several times gets only its last value, as if the lists were transferred in their order. Two sets are
/// returned unchanged.
Matched in_file_order(const Selection& file, const Selection& memory, Side destination);

}  // namespace filigree::space
