// SPDX-License-Identifier: Apache-2.0
//
// The address space of a file as its driver lays it out.
#pragma once

#include <cstdint>
#include <vector>

#include "io/extent.hpp"
#include "store/space/space.hpp"

namespace filigree::io {
class VirtualFile;
}

namespace filigree::store {

/// Addresses with an end of their own. A plain file is one part; drivers of several files have one for each.
/// Everything is relative to the base.
struct FilePart {
  io::MemoryType type = io::MemoryType::superblock;  ///< one that lives there, to ask the driver by
  std::uint64_t first = 0;
  std::uint64_t limit = ~std::uint64_t{0} >> 1;  ///< one past the last address that may be used
  std::uint64_t end = 0;                         ///< one past the last that is in use
  std::uint8_t kinds = 0x3f;                     ///< of space that lives there, as bits

  bool holds(SpaceKind kind) const { return (kinds >> static_cast<unsigned>(kind) & 1) != 0; }
};

constexpr io::MemoryType memory_type_of(SpaceKind kind) {
  return static_cast<io::MemoryType>(static_cast<unsigned>(kind) + 1);
}

/// The parts by their first address; the first one holds the superblock and ends at `end`, others where the
/// driver says that allocation ends. Throws Error(unsupported) for parts behind a user block.
std::vector<FilePart> file_parts(const io::VirtualFile& file, std::uint64_t base, std::uint64_t end);

}  // namespace filigree::store
