// SPDX-License-Identifier: Apache-2.0
//
// The chunks of an excerpt of a dataset with 2^64 elements or more.
#pragma once

#include <memory>

#include "chunk/table/chunk_table.hpp"
#include "space/excerpt.hpp"

namespace filigree::chunk {

/// A table of the chunks in the excerpt, for one operation. Its index is that of `table`, seen through the
/// excerpt; format and budget of the cache are those of `table`, too. *Requires*: `table` outlives the
/// result, and whoever writes chunks calls flush() at the end of the operation, because no other table knows
/// of them.
std::unique_ptr<ChunkTable> make_excerpt_table(ChunkTable& table,
                                               std::shared_ptr<const space::Excerpt> excerpt);

}  // namespace filigree::chunk
