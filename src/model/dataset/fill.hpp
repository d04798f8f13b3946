// SPDX-License-Identifier: Apache-2.0
//
// Fill values, and the tiles in which elements are processed.
#pragma once

#include <cstdint>

#include "base/bytes.hpp"
#include "model/dataset/messages.hpp"

namespace filigree::model {

class File;

/// The approximate size of the buffer in which elements are processed.
inline constexpr std::uint64_t tile_bytes = 1u << 20;
std::uint64_t elements_per_tile(const format::DatatypeMessage& type);

/// Returns `count` fill values. Variable-length data is copied for each element.
Buffer make_fill(File& file, const DatasetMessages& messages, std::uint64_t count);

}  // namespace filigree::model
