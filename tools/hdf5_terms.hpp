// SPDX-License-Identifier: Apache-2.0
//
// What the tools of HDF5 print of types and files, where HDF5 sees them in its own way.
#pragma once

#include <cstdint>

#include <filigree/datatype.hpp>
#include <filigree/options.hpp>

namespace filigree::tools {

/// Returns the size of an element as H5Tget_size returns it for a type from a file: variable-length strings
/// are pointers, and sequences have a length and a pointer.
std::uint64_t held_size(const Datatype& type);

/// Returns the name of a strategy of file space, such as "H5F_FSPACE_STRATEGY_PAGE".
const char* strategy_name(SpaceStrategy strategy);

}  // namespace filigree::tools
