// SPDX-License-Identifier: Apache-2.0
//
// The checksums of the HDF5 format, and CRC32C.
#pragma once

#include <cstdint>

#include "base/bytes.hpp"

namespace filigree {

/// Jenkins' lookup3 ("hashlittle"), the checksum of metadata and the hash of link and attribute names.
std::uint32_t lookup3(Bytes bytes, std::uint32_t initial = 0);

/// The checksum that the fletcher32 filter appends to a chunk: ones' complement sums over big-endian byte
/// pairs.
std::uint32_t fletcher32(Bytes bytes);

/// CRC-32C (Castagnoli). `previous` is the checksum of the bytes before these. Uses the instruction of the
/// processor where it exists.
std::uint32_t crc32c(Bytes bytes, std::uint32_t previous = 0);

/// The same checksum computed with tables, as on processors without the instruction.
std::uint32_t crc32c_portable(Bytes bytes, std::uint32_t previous = 0);

/// Whether a stored checksum is accepted. Fuzzers accept any: no fuzzer guesses a checksum, and the code
/// behind the check would never run. Only their build defines FILIGREE_FUZZING.
constexpr bool checksum_holds([[maybe_unused]] std::uint64_t stored,
                              [[maybe_unused]] std::uint64_t computed) {
#ifdef FILIGREE_FUZZING
  return true;
#else
  return stored == computed;
#endif
}

}  // namespace filigree
