// SPDX-License-Identifier: Apache-2.0
#include "store/file_part.hpp"

#include <algorithm>

#include <filigree/error.hpp>

#include "io/virtual_file.hpp"

namespace filigree::store {
namespace {

constexpr unsigned space_kinds = 6;

}  // namespace

std::vector<FilePart> file_parts(const io::VirtualFile& file, std::uint64_t base, std::uint64_t end) {
  std::vector<FilePart> parts;
  for (unsigned kind = 0; kind < space_kinds; ++kind) {
    // For the end of a file HDF5 counts global heaps as raw data, whatever the driver says.
    const auto space = static_cast<SpaceKind>(kind);
    const io::MemoryType type = space == SpaceKind::global_heap ? io::MemoryType::raw : memory_type_of(space);
    const io::AddressRange range = file.addresses(type);
    const auto bit = static_cast<std::uint8_t>(1u << kind);
    const auto known =
        std::ranges::find_if(parts, [&](const FilePart& part) { return part.first == range.first; });
    if (known != parts.end()) {
      known->kinds |= bit;
    } else {
      parts.push_back({type, range.first, range.end, file.allocation_end(type), bit});
    }
  }
  parts[0].end = end;
  if (parts.size() > 1 && base != 0)
    throw Error(ErrorKind::unsupported, "a driver of several files does not support a user block");
  if (parts[0].first != 0)
    throw Error(ErrorKind::unsupported, "the superblock is not in the file that begins at address 0");
  std::ranges::sort(parts, {}, &FilePart::first);
  return parts;
}

}  // namespace filigree::store
