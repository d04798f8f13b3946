// SPDX-License-Identifier: Apache-2.0
//
// The elements of a transfer one behind the other, where something has to be done to them on their way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <filigree/dataset.hpp>

namespace filigree::capi {

/// The same transfer to or from packed elements.
TransferOptions packed(TransferOptions options);
/// Room for so many elements.
std::vector<std::byte> room_for(std::size_t element_bytes, std::uint64_t elements);
/// The elements that a transfer takes from memory, in its order.
std::vector<std::byte> gather(const void* memory, std::size_t element_bytes, const TransferOptions& options,
                              std::uint64_t elements);
/// Puts them where the transfer has them in memory.
void scatter(const std::vector<std::byte>& values, void* memory, std::size_t element_bytes,
             const TransferOptions& options, std::uint64_t elements);

}  // namespace filigree::capi
