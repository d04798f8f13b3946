// SPDX-License-Identifier: Apache-2.0
//
// Moves the chunks of a dataset from another index to a version 1 B-tree, which all releases of HDF5 read.
#pragma once

#include <memory>
#include <vector>

#include "chunk/table/chunk_table.hpp"
#include "index/chunk_index.hpp"

namespace filigree::chunk {

/// The conversion has three steps: build() creates the new index, the caller stores its layout message, and
/// finish() removes the old index. Stored chunks stay where they are. A version 1 B-tree has no unfiltered
/// partial edge chunks beside filtered ones, so these are filtered and stored again.
///
/// *Requires*: the exclusive lock; the chunks are dense, and none is dirty. *Thread safety*: one thread.
class IndexConversion {
 public:
  /// `facts` are those of the dataset.
  IndexConversion(ChunkTable& table, const index::DatasetFacts& facts);

  /// Returns the new layout message. *Throws* Error(limit) for chunks that are too large for the old format.
  /// After a failure the file is as before.
  format::LayoutMessage build();
  /// *Invalidates*: the table must not be used any more.
  void finish();

 private:
  struct Entry {
    std::vector<std::uint64_t> at;
    index::ChunkLocation location;
  };

  std::vector<Entry> next_entries(std::vector<std::uint64_t>& from, bool& more) const;
  void insert(const Entry& entry);
  bool must_filter(const Entry& entry) const;
  index::ChunkLocation store_filtered(const Entry& entry);
  void undo();
  void release_unused_preallocated();

  ChunkTable& table_;
  const bool unfiltered_edges_;  ///< partial edge chunks are unfiltered, unlike the others
  std::unique_ptr<index::ChunkIndex> made_;
  std::vector<index::ChunkLocation> replaced_;  ///< chunks that are filtered now
  std::vector<index::ChunkLocation> added_;     ///< their filtered form
};

}  // namespace filigree::chunk
