// SPDX-License-Identifier: Apache-2.0
//
// Single blocks of LZ4, as filters 32004 and 32008 store them.
#pragma once

#include "base/bytes.hpp"

namespace filigree::filter::lz4 {

/// The most that a block may stand for.
std::size_t most_plain_bytes();

/// The most that `plain_bytes` (at most most_plain_bytes()) become.
std::size_t most_stored_bytes(std::size_t plain_bytes);

/// Compresses into `to`, which has most_stored_bytes(); returns the bytes written.
std::size_t compress(Bytes plain, MutableBytes to);

/// Throws Error(corrupt) unless `stored` stands for exactly `to.size()` bytes.
void decompress(Bytes stored, MutableBytes to);

/// Throws Error(corrupt) when `stored_bytes` of LZ4 blocks cannot stand for `plain_bytes`.
void check_ratio(std::size_t stored_bytes, std::uint64_t plain_bytes);

}  // namespace filigree::filter::lz4
