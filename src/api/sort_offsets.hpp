// SPDX-License-Identifier: Apache-2.0
//
// Sorting of linear offsets that come with values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace filigree::api {

/// Brings offsets into ascending order. `order` lists the items in that order, or stays empty if the offsets
/// ascend already. Of items with one offset the last one is kept.
std::vector<std::uint64_t> sort_offsets(std::vector<std::uint64_t> offsets, std::vector<std::size_t>& order);

}  // namespace filigree::api
