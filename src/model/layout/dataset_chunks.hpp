// SPDX-License-Identifier: Apache-2.0
//
// The chunks of datasets, as long as their file is open.
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
#include "model/dataset/dataset.hpp"

namespace filigree::chunk {
class ChunkTable;
}
namespace filigree::index {
struct DatasetFacts;
}

namespace filigree::model {

class File;

/// The properties of a dataset that its index needs, for a file with this superblock.
index::DatasetFacts chunk_facts(File& file, const DatasetMessages& parts);
/// Whether the values of variable length of the chunks' elements are in the global heap. In stored chunks
/// every element has its own values; in the cache, unwritten elements may share those of the fill value.
bool owns_heap_values(const DatasetMessages& parts);
/// Frees the heap values of the elements `before` that their successors `now`, if any, do not share.
void release_chunk_values(File& file, const DatasetMessages& parts, Bytes before, Bytes now);

/// A table for every chunked dataset of a file that was used, so that the next operation finds its cached
/// chunks.
///
/// *Thread safety*: all functions.
class DatasetChunks {
 public:
  DatasetChunks() = default;
  ~DatasetChunks();
  DatasetChunks(const DatasetChunks&) = delete;
  DatasetChunks& operator=(const DatasetChunks&) = delete;

  /// *Throws* Error(corrupt) when layout, filters and extent contradict each other.
  std::shared_ptr<chunk::ChunkTable> open(File& file, Address header, const DatasetMessages& parts);
  /// Null for a dataset that was not opened before.
  std::shared_ptr<chunk::ChunkTable> find(Address header) const;
  /// Gives the dataset a cache of its own, or without limits that of the process. Flushes the old one.
  void set_cache(Address header, const std::optional<chunk::ChunkCacheLimits>& limits);
  /// Writes all dirty chunks. *Requires*: the exclusive lock.
  void flush();
  /// Drops all tables of a file that is open for reading: another process may have changed it.
  void refresh();
  /// For a dataset that was deleted or got another layout.
  void forget(Address header);

 private:
  mutable Mutex mutex_;
  std::unordered_map<std::uint64_t, std::shared_ptr<chunk::ChunkTable>> tables_ FILIGREE_GUARDED_BY(mutex_);
  std::unordered_map<std::uint64_t, chunk::ChunkCacheLimits> limits_
      FILIGREE_GUARDED_BY(mutex_);  ///< of datasets with a cache of their own
};

/// The exclusive lock of a file for one write to one dataset.
class DatasetExclusiveAccess final : public chunk::ExclusiveAccess {
 public:
  /// *Requires*: the lock in shared mode. `table` and `extent` are those that the write was prepared for.
  DatasetExclusiveAccess(File& file, Address header, std::shared_ptr<chunk::ChunkTable> table,
                         const std::vector<std::uint64_t>& extent)
      : file_(file), header_(header), table_(std::move(table)), extent_(extent) {}

  bool run(FunctionRef<void()> work) override;
  void run_best_effort(FunctionRef<void()> work) noexcept override;

 private:
  File& file_;
  const Address header_;
  const std::shared_ptr<chunk::ChunkTable> table_;
  const std::vector<std::uint64_t>& extent_;
};

}  // namespace filigree::model
