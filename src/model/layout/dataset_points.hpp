// SPDX-License-Identifier: Apache-2.0
//
// Elements of sparse datasets one by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/address.hpp"
#include "base/function_ref.hpp"
#include "format/messages/datatype.hpp"
#include "space/run_set.hpp"
#include "space/selection.hpp"

namespace filigree::model {

class File;

/// Memory for elements: their numbers in the extent and their values.
struct PointRoom {
  std::uint64_t* places = nullptr;
  std::byte* values = nullptr;
};

/// Those of the selected elements that are defined, ascending. `room` is asked once, perhaps for some more
/// than there are; returns how many there are.
std::uint64_t read_defined_points(File& file, Address dataset, const space::Selection& selection,
                                  const format::DatatypeMessage& memory_type,
                                  FunctionRef<PointRoom(std::uint64_t)> room);

/// Elements at ascending places, which the extent has. Of `covered` nothing else is expected to be written
/// soon. For a thread that shares the file with others; false when it has to be done by write_elements(): the
/// dataset is of another kind, or somebody has changed it meanwhile.
bool write_points_beside(File& file, Address dataset, std::span<const std::uint64_t> places,
                         space::Run covered, const format::DatatypeMessage& memory_type,
                         const std::byte* memory);

}  // namespace filigree::model
