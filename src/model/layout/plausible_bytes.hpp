// SPDX-License-Identifier: Apache-2.0
//
// How many bytes a dataset can plausibly contain. A small file can declare any number of elements, so this is
// checked before memory is allocated for them.
#pragma once

#include <cstdint>

namespace filigree::model {

class Dataset;

/// The largest size of unwritten elements that is read at once.
inline constexpr std::uint64_t most_unwritten_bytes = 1u << 30;
/// The largest plausible compression ratio of chunks.
inline constexpr std::uint64_t most_compression = 1100;

/// Returns the size of elements in the dataset or in memory, whichever is larger.
/// Throws: Error(limit) on overflow.
std::uint64_t wanted_bytes(const Dataset& dataset, std::uint64_t elements, std::uint64_t memory_bytes);
/// Returns the largest size of the elements in a file of `stored` bytes.
std::uint64_t unfiltered_bytes(std::uint64_t stored);
/// Throws: Error(limit) if more bytes are wanted than are plausible.
void require_plausible(std::uint64_t wanted, std::uint64_t plausible);

}  // namespace filigree::model
