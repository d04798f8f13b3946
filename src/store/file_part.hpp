// SPDX-License-Identifier: Apache-2.0
//
// The parts of a file's address space, as its driver lays them out.
#pragma once

#include <cstdint>
#include <vector>

#include "io/extent.hpp"
#include "store/space/space.hpp"

namespace filigree::io {
class VirtualFile;
}

namespace filigree::store {

/// A range of addresses with an end of its own. A single file is one part; drivers of several files, such as
/// the multi driver, have one for each file. All addresses are relative to the base address.
struct FilePart {
  io::MemoryType type =
      io::MemoryType::superblock;  ///< a type that is stored in this part: names the part to the driver
  std::uint64_t first = 0;
  std::uint64_t limit = ~std::uint64_t{0} >> 1;  ///< one past the last address that may be used
  std::uint64_t end = 0;                         ///< one past the last address in use
  std::uint8_t kinds = 0x3f;                     ///< the kinds of space that are stored in this part, as bits

  bool holds(SpaceKind kind) const { return (kinds >> static_cast<unsigned>(kind) & 1) != 0; }
};

/// The type that drivers know a kind of space by.
constexpr io::MemoryType memory_type_of(SpaceKind kind) {
  return static_cast<io::MemoryType>(static_cast<unsigned>(kind) + 1);
}

/// The parts by their first address. The first part holds the superblock and ends at `end`; the others end
/// where the driver says that allocation ends. *Throws* Error(unsupported) for several parts after a user
/// block.
std::vector<FilePart> file_parts(const io::VirtualFile& file, std::uint64_t base, std::uint64_t end);

}  // namespace filigree::store
