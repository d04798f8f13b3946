// SPDX-License-Identifier: Apache-2.0
//
// Copies the chunks of a dataset into a file, as they are stored.
#pragma once

#include "base/function_ref.hpp"
#include "chunk/table/chunk_table.hpp"
#include "format/messages/layout.hpp"
#include "index/chunk_index.hpp"

namespace filigree::chunk {

/// *Thread safety*: needs the source's lock in shared mode and the target's lock exclusively.
class ChunkCopier {
 public:
  using Adapt = FunctionRef<void(MutableBytes)>;

  explicit ChunkCopier(const ChunkTable& from) : from_(from) {}

  /// Copies chunks and index into `target`, for a dataset with these properties. `adapt`, if given, changes
  /// the elements on the way. Returns the layout of the copy. After a failure all allocated space is free.
  format::LayoutMessage copy_to(store::FileStore& target, const index::DatasetFacts& facts,
                                Adapt* adapt) const;

 private:
  class Batch;

  const ChunkTable& from_;
};

}  // namespace filigree::chunk
