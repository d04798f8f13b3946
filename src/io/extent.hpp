// SPDX-License-Identifier: Apache-2.0
//
// What a request to a file is made of.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/bytes.hpp"

namespace filigree::io {

/// What bytes of a file are for. Drivers that keep kinds apart place them by it, others count them. The
/// numbers are those of the format's table of files per kind.
enum class MemoryType : std::uint8_t {
  unspecified = 0,
  superblock = 1,
  btree = 2,
  raw = 3,
  global_heap = 4,
  local_heap = 5,
  object_header = 6,
};
inline constexpr std::size_t memory_types = 7;

/// Lower-case words for `type`, such as "object header".
std::string_view to_string(MemoryType type) noexcept;

/// Bytes to read: where they stand in the file, and where they go.
struct ReadExtent {
  std::uint64_t offset = 0;
  MutableBytes into;
  MemoryType type = MemoryType::unspecified;

  MutableBytes memory() const { return into; }
};

/// Bytes to write: where they go in the file, and where they stand.
struct WriteExtent {
  std::uint64_t offset = 0;
  Bytes from;
  MemoryType type = MemoryType::unspecified;

  Bytes memory() const { return from; }
};

/// `extent` from its byte `skip` on, `bytes` of it.
inline ReadExtent part_of(const ReadExtent& extent, std::uint64_t skip, std::uint64_t bytes) {
  return {extent.offset + skip, extent.into.subspan(skip, bytes), extent.type};
}
inline WriteExtent part_of(const WriteExtent& extent, std::uint64_t skip, std::uint64_t bytes) {
  return {extent.offset + skip, extent.from.subspan(skip, bytes), extent.type};
}

}  // namespace filigree::io
