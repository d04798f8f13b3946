// SPDX-License-Identifier: Apache-2.0
//
// The chunk tables of the datasets of an open file.
#pragma once

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/address.hpp"
#include "base/function_ref.hpp"
#include "base/mutex.hpp"
#include "chunk/cache/chunk_cache.hpp"
#include "chunk/table/exclusive_access.hpp"
#include "model/dataset/messages.hpp"

namespace filigree::chunk {
class ChunkTable;
}
namespace filigree::index {
struct DatasetFacts;
}

namespace filigree::model {

class Dataset;
class File;

/// Returns the properties of a dataset that its chunk index depends on.
index::DatasetFacts chunk_facts(File& file, const DatasetMessages& parts);
/// Returns whether the chunks have variable-length elements whose values are in the global heap. Each element
/// of a stored chunk has values of its own. In the cache, unwritten elements may share those of the fill
/// value.
bool owns_heap_values(const DatasetMessages& parts);
/// Frees the heap values of the elements `before`, except those that the new elements `now` still refer to.
void release_chunk_values(File& file, const DatasetMessages& parts, Bytes before, Bytes now);

/// Writes the dirty chunks of a dataset, within a Change. Requires: the shared file lock.
void flush_chunks(File& file, chunk::ChunkTable& table);

/// The chunk tables of a file. A chunked dataset gets its table at its first use and keeps it, so that the
/// next operation finds the cached chunks.
/// Thread safety: any number of threads may call all functions.
class DatasetChunks {
 public:
  DatasetChunks() = default;
  ~DatasetChunks();
  DatasetChunks(const DatasetChunks&) = delete;
  DatasetChunks& operator=(const DatasetChunks&) = delete;

  /// Returns the table of a dataset, and creates it at the first use. A dataset with an excerpt gets a new
  /// table of the excerpt.
  /// Throws: Error(corrupt) if layout, filters and extent contradict each other.
  std::shared_ptr<chunk::ChunkTable> open(const Dataset& dataset);
  /// Returns the table of a dataset, or null if it was not used yet.
  std::shared_ptr<chunk::ChunkTable> find(Address header) const;
  /// Gives the dataset a chunk cache of its own, or the shared cache if there are no limits. Dirty chunks are
  /// flushed before. Invalidates: the table of the dataset.
  void set_cache(Address header, const std::optional<chunk::ChunkCacheLimits>& limits);
  /// Writes all dirty chunks. Requires: the exclusive file lock.
  void flush();
  /// Drops all tables, because another process may have changed the file. Requires: the file is read-only.
  void refresh();
  /// Drops table and cache limits of a dataset that was deleted or has a new layout.
  void forget(Address header);

 private:
  std::shared_ptr<chunk::ChunkTable> open_all(const Dataset& dataset);

  mutable Mutex mutex_;
  std::unordered_map<std::uint64_t, std::shared_ptr<chunk::ChunkTable>> tables_ FILIGREE_GUARDED_BY(mutex_);
  std::unordered_map<std::uint64_t, chunk::ChunkCacheLimits> limits_
      FILIGREE_GUARDED_BY(mutex_);  ///< of datasets with a cache of their own
};

/// Takes the exclusive file lock for the steps of one write to one dataset.
class DatasetExclusiveAccess final : public chunk::ExclusiveAccess {
 public:
  /// The write was prepared with `table` and with the extent of the dataset's messages. The dataset must
  /// outlive this object. Requires: the shared file lock.
  DatasetExclusiveAccess(const Dataset& dataset, std::shared_ptr<chunk::ChunkTable> table)
      : dataset_(dataset), table_(std::move(table)) {}

  /// Runs `work` within a Change. Returns false, without running it, if the table or the extent has changed.
  bool run(FunctionRef<void()> work) override;
  /// Runs `work` within a Change and ignores errors.
  void run_best_effort(FunctionRef<void()> work) noexcept override;

 private:
  const Dataset& dataset_;
  const std::shared_ptr<chunk::ChunkTable> table_;
};

}  // namespace filigree::model
