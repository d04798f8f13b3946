// SPDX-License-Identifier: Apache-2.0
//
// Filter 501, packed values: numbers in few bits. Parameters in the file: bytes of a number (1, 2, 4 or 8),
// and flags of its kind. A request has none. docs/format/packed-values.md specifies the bytes.
#pragma once

#include <cstdint>

#include "base/bytes.hpp"

namespace filigree::filter {

/// The id of the filter in a pipeline.
inline constexpr std::uint16_t packed_values_id = 501;

/// The numbers of a chunk.
struct NumberKind {
  unsigned bytes = 1;  ///< 1, 2, 4 or 8
  bool is_big_endian = false;
  bool is_float = false;
};

/// Packs any bytes. The result is at most one byte longer than the input.
Buffer pack_values(Bytes unfiltered, NumberKind kind);

/// The size of the bytes that were packed. *Throws* Error(corrupt) or Error(truncated).
std::uint64_t unpacked_bytes(Bytes stored);
/// Restores the bytes that were packed to `to`, which has their size. *Throws* Error(corrupt) or
/// Error(truncated).
void unpack_values(Bytes stored, NumberKind kind, MutableBytes to);

}  // namespace filigree::filter
