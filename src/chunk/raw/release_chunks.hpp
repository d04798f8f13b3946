// SPDX-License-Identifier: Apache-2.0
//
// Frees all chunks of a dataset.
#pragma once

#include "chunk/table/chunk_table.hpp"

namespace filigree::chunk {

/// Frees an index and its chunks. Space that several chunks contain stays allocated, because a damaged index
/// does not tell whose it is. *Requires*: the exclusive lock.
void release_chunks(store::FileStore& store, index::ChunkIndex& index);

/// Frees all chunks and the index of a table, and drops what is cached.
void release_chunks(ChunkTable& table);

}  // namespace filigree::chunk
