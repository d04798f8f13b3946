// SPDX-License-Identifier: Apache-2.0
//
// Single blocks of LZ4, as filters 32004 and 32008 store them.
#pragma once

#include "base/bytes.hpp"

namespace filigree::filter::lz4 {

/// The largest uncompressed size of a block.
std::size_t most_unfiltered_bytes();

/// The largest compressed size of `unfiltered_bytes`. *Requires* at most most_unfiltered_bytes().
std::size_t most_stored_bytes(std::size_t unfiltered_bytes);

/// Compresses into `to` and returns the number of bytes written. *Requires* that `to` has
/// most_stored_bytes().
std::size_t compress(Bytes unfiltered, MutableBytes to);

/// Decompresses into `to`. *Throws* Error(corrupt) unless `stored` decodes to exactly `to.size()` bytes.
void decompress(Bytes stored, MutableBytes to);

/// *Throws* Error(corrupt) if `stored_bytes` of LZ4 blocks cannot decode to `unfiltered_bytes`.
void check_ratio(std::size_t stored_bytes, std::uint64_t unfiltered_bytes);

}  // namespace filigree::filter::lz4
