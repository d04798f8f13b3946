// SPDX-License-Identifier: Apache-2.0
//
// The layout of virtual datasets, whose elements are mapped to other datasets.
#pragma once

#include <cstdint>

#include "base/address.hpp"
#include "model/link/path.hpp"
#include "space/selection.hpp"

namespace filigree::model {

class File;

/// The chain of virtual datasets that one request has come through, because sources may be virtual
/// themselves.
struct VirtualTrail {
  const VirtualTrail* above = nullptr;
  const File* file = nullptr;
  Address dataset = Address::undefined;
  unsigned depth = 0;
  std::uint64_t* sources_left = nullptr;  ///< the remaining budget of the request
};

/// The part of a transfer of a virtual dataset that one source has. The source is not virtual.
struct SourcePart {
  ObjectLocation location;
  space::Selection elements;  ///< of the source's extent
  space::Selection memory;
};

/// Returns whether the dataset is virtual, without decoding its messages. Requires: the file lock.
bool has_virtual_layout(File& file, Address header);

}  // namespace filigree::model
