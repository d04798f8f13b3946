// SPDX-License-Identifier: Apache-2.0
//
// What a request to a file is made of. The types are those of the public drivers (driver_types.hpp).
#pragma once

#include <cstdint>
#include <string_view>

#include <filigree/driver_types.hpp>

#include "base/bytes.hpp"

namespace filigree::io {

using filigree::memory_types;
using filigree::MemoryType;
using filigree::ReadExtent;
using filigree::SelectionRead;
using filigree::SelectionWrite;
using filigree::WriteExtent;

/// A lower-case name of `type`, such as "object header".
std::string_view to_string(MemoryType type) noexcept;

/// The part of `extent` that begins at its byte `skip` and has `bytes` bytes.
inline ReadExtent part_of(const ReadExtent& extent, std::uint64_t skip, std::uint64_t bytes) {
  return {extent.offset + skip, extent.into.subspan(skip, bytes), extent.type};
}
inline WriteExtent part_of(const WriteExtent& extent, std::uint64_t skip, std::uint64_t bytes) {
  return {extent.offset + skip, extent.from.subspan(skip, bytes), extent.type};
}

}  // namespace filigree::io
