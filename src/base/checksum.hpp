// SPDX-License-Identifier: Apache-2.0
//
// The checksums of the HDF5 format, and CRC32C.
#pragma once

#include <cstdint>

#include "base/bytes.hpp"

namespace filigree {

/// Jenkins' lookup3 ("hashlittle"): guards metadata and hashes names.
std::uint32_t lookup3(Bytes bytes, std::uint32_t initial = 0);

/// The sum that filter 3 appends to a chunk: big-endian byte pairs, ones' complement sums.
std::uint32_t fletcher32(Bytes bytes);

/// CRC-32C (Castagnoli); `previous` continues a sum over bytes that came before.
/// Uses the processor's instruction where there is one.
std::uint32_t crc32c(Bytes bytes, std::uint32_t previous = 0);

/// The same sum by tables alone, as used on processors without the instruction.
std::uint32_t crc32c_portable(Bytes bytes, std::uint32_t previous = 0);

/// Whether a stored checksum is accepted. Programs of fuzz/ take any, since no fuzzer guesses the right
/// one and would never see what lies behind it; only their build defines the macro.
constexpr bool checksum_holds([[maybe_unused]] std::uint64_t stored,
                              [[maybe_unused]] std::uint64_t computed) {
#ifdef FILIGREE_FUZZING
  return true;
#else
  return stored == computed;
#endif
}

}  // namespace filigree
