// SPDX-License-Identifier: Apache-2.0
//
// Sizes of elements as programs of HDF5 see them.
#pragma once

#include <cstdint>

#include <filigree/datatype.hpp>

namespace filigree::tools {

/// Returns the size of an element as H5Tget_size returns it for a type from a file: variable-length strings
/// are pointers, and sequences have a length and a pointer.
std::uint64_t held_size(const Datatype& type);

}  // namespace filigree::tools
