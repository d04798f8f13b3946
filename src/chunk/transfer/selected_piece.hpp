// SPDX-License-Identifier: Apache-2.0
//
// Elements of an array in the file as pieces of requests, with the conversion that they need.
#pragma once

#include <cstdint>
#include <memory>

#include "chunk/format/chunk_format.hpp"
#include "io/selection_batch.hpp"
#include "space/point_order.hpp"

namespace filigree::chunk {

/// Values whose conversion and context live as long as the steps of a batch refer to them.
using ValuesPointer = std::shared_ptr<const Values>;

/// Elements of an array in the file, and where they are in memory.
struct SelectedPiece {
  space::Matched elements;
  std::uint64_t memory_start = 0;   ///< offset of the frame of `elements.memory`, in elements
  std::uint64_t offset = 0;         ///< of the array in the file
  std::uint32_t element_bytes = 0;  ///< in the file
};

/// Add a piece. Elements that need no conversion are transferred between the file and the program's memory;
/// all others go through memory of the batch, which is converted as a whole.
void add_read(io::SelectionReads& batch, SelectedPiece piece, const ValuesPointer& values);
void add_write(io::SelectionWrites& batch, SelectedPiece piece, const Values& values);

}  // namespace filigree::chunk
