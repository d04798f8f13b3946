// SPDX-License-Identifier: Apache-2.0
//
// The description of a transfer of elements between a dataset and a program's memory.
#pragma once

#include <cstdint>

#include "filter/pipeline.hpp"
#include "format/messages/datatype.hpp"
#include "space/selection.hpp"
#include "type/conversion.hpp"

namespace filigree::model {

struct VirtualTrail;

/// What a transfer moves, and how values are converted. Both selections have equally many elements.
struct Transfer {
  const space::Selection& file_elements;       ///< of the dataset's extent
  const space::Selection& memory_elements;     ///< of the caller's array
  const format::DatatypeMessage& memory_type;  ///< variable-length parts have containers
  type::Rules rules = type::Rules::natural;
  const type::FaultHandler* on_fault = nullptr;
  void* memory = nullptr;               ///< for Container::resize
  const VirtualTrail* trail = nullptr;  ///< virtual datasets whose source this dataset is
  bool verify_checksums = true;         ///< whether filters compare their checksums with the data
  const filter::FilterFaultHandler* on_filter_fault = nullptr;
  bool selections = true;   ///< a driver that accepts selections receives them
  bool collective = false;  ///< all members of the file's communicator make a transfer now
  /// Elements are changed in memory, in the chunk cache for example, even if they could be overwritten in the
  /// file: other writes of the same request depend on them.
  bool merges = false;

  /// The same for other elements.
  Transfer with(const space::Selection& in_file, const space::Selection& in_memory) const {
    return {in_file, in_memory,        memory_type,     rules,      on_fault,   memory,
            trail,   verify_checksums, on_filter_fault, selections, collective, merges};
  }
};

/// Below this many elements, a write under the exclusive lock is cheaper than one that prepares under the
/// shared lock.
inline constexpr std::uint64_t least_shared_elements = 4096;

}  // namespace filigree::model
