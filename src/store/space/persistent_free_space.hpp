// SPDX-License-Identifier: Apache-2.0
//
// Persistent free space: free-space managers ("FSHD") and their section lists ("FSSE") in the file, one pair
// for each slot of the file space info message.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "format/codec/fields.hpp"
#include "store/space/space_plan.hpp"

namespace filigree::store {

class FileStore;

using ManagerAddresses = std::array<Address, free_space_slots>;
constexpr ManagerAddresses no_managers() {
  ManagerAddresses all{};
  all.fill(Address::undefined);
  return all;
}

/// The free space that the managers of a file record. It is checked: all ranges are between the superblock
/// and the end of the file, and no two of them overlap.
struct RecordedFreeSpace {
  FreeSpaceSnapshot sections;
  std::vector<SpaceRange> structures;  ///< the managers and lists themselves, by address
};

/// Reads the managers at `managers`. *Throws* Error(corrupt or truncated) when they are inconsistent.
RecordedFreeSpace read_free_space(const FileStore& store, const ManagerAddresses& managers,
                                  std::uint64_t end);

/// A free-space manager and its section list, to be written to the file.
class FreeSpaceManager {
 public:
  FreeSpaceManager(std::size_t slot, std::span<const SpaceRange> sections, bool paged,
                   const format::Widths& widths);
  std::size_t slot() const { return slot_; }
  std::uint64_t header_bytes() const;
  std::uint64_t list_bytes() const;
  void write(FileStore& store, Address header, Address list) const;

 private:
  std::size_t slot_;
  std::uint8_t type_;
  std::vector<SpaceRange> sections_;
  format::Widths widths_;
};

}  // namespace filigree::store
