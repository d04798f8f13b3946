// SPDX-License-Identifier: Apache-2.0
//
// Transfers that lists of points take part in, put into the order of the file.
#pragma once

#include <cstdint>

#include "space/selection.hpp"

namespace filigree::space {

enum class Side : std::uint8_t { file, memory };

/// Two selections of equally many elements, walked in step.
struct Matched {
  Selection file;
  Selection memory;
};

/// The same transfer with the file's elements in ascending order. An element that the destination lists
/// several times is given its last value only, as if all had been moved in the order of the lists. Sets on
/// both sides come back as they are.
Matched in_file_order(const Selection& file, const Selection& memory, Side destination);

}  // namespace filigree::space
