// SPDX-License-Identifier: Apache-2.0
//
// Early and late allocation: all chunks of the extent get space in the file. They are filled unless unwritten
// elements have no value.
#pragma once

#include <cstdint>
#include <span>

#include "chunk/table/chunk_table.hpp"

namespace filigree::chunk {

/// Allocates and fills every chunk of the extent, except those that the extent `before` had already.
void allocate_all_chunks(ChunkTable& table, std::span<const std::uint64_t> before = {});

/// Allocates all chunks if the dataset allocates late and this is the first write.
void allocate_before_write(ChunkTable& table);

}  // namespace filigree::chunk
