// SPDX-License-Identifier: Apache-2.0
//
// Packed elements of a transfer, for values that are changed between memory and file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <filigree/dataset.hpp>

namespace filigree::capi {

/// Returns the options for the same transfer to or from packed elements.
TransferOptions packed(TransferOptions options);
/// Returns a buffer for that many elements. *Throws* std::bad_alloc when the size overflows.
std::vector<std::byte> buffer_for(std::size_t element_bytes, std::uint64_t elements);
/// Returns the elements that a transfer reads from memory, packed, in the order of the transfer.
std::vector<std::byte> gather(const void* memory, std::size_t element_bytes, const TransferOptions& options,
                              std::uint64_t elements);
/// Stores packed elements at their positions in memory.
void scatter(const std::vector<std::byte>& values, void* memory, std::size_t element_bytes,
             const TransferOptions& options, std::uint64_t elements);

}  // namespace filigree::capi
