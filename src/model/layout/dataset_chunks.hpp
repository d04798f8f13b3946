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
#include "model/dataset/dataset.hpp"

namespace filigree::chunk {
class ChunkStore;
}
namespace filigree::index {
struct DatasetFacts;
}

namespace filigree::model {

class File;

/// What an index has to know of the dataset, in a file whose superblock may say something else.
index::DatasetFacts chunk_facts(File& file, const DatasetParts& parts);
/// Whether values of variable length that belong to elements of the chunks are in the global heap. In chunks
/// that are stored every element has its own; in the cache, unwritten elements may share those of the fill
/// value.
bool owns_heap_values(const DatasetParts& parts);
/// Frees what elements `before` have in the heap and their successors `now`, where there are any, have not.
void release_chunk_values(File& file, const DatasetParts& parts, Bytes before, Bytes now);

/// One store for every chunked dataset of a file that was used, so that what it has cached serves the next
/// request. Thread-safe.
class DatasetChunks {
 public:
  DatasetChunks() = default;
  ~DatasetChunks();
  DatasetChunks(const DatasetChunks&) = delete;
  DatasetChunks& operator=(const DatasetChunks&) = delete;

  /// Throws Error(corrupt) when layout, filters and extent do not fit each other.
  std::shared_ptr<chunk::ChunkStore> open(File& file, Address header, const DatasetParts& parts);
  /// The same for a dataset that was used before: null otherwise.
  std::shared_ptr<chunk::ChunkStore> find(Address header) const;
  /// Gives the dataset a cache of its own, or with no limits the one of the process. What the old one had not
  /// written is written.
  void set_cache(Address header, const std::optional<chunk::ChunkCacheLimits>& limits);
  /// Writes what is in the cache only. Metadata change.
  void flush();
  /// Drops all stores of a file that is not written: others may have changed it.
  void refresh();
  /// The dataset has gone, or its layout is another.
  void forget(Address header);

 private:
  mutable Mutex mutex_;
  std::unordered_map<std::uint64_t, std::shared_ptr<chunk::ChunkStore>> stores_ FILIGREE_GUARDED_BY(mutex_);
  /// Of datasets with a cache of their own.
  std::unordered_map<std::uint64_t, chunk::ChunkCacheLimits> limits_ FILIGREE_GUARDED_BY(mutex_);
};

/// Has `work` done alone with the file, by a thread that shares it with others, and tells whether it was: not
/// when the dataset has other chunks or another extent by then.
bool change_chunks(File& file, Address header, const std::shared_ptr<chunk::ChunkStore>& chunks,
                   const std::vector<std::uint64_t>& extent, FunctionRef<void()> work);
/// The same in any case, to give back space; what goes wrong is not worth telling.
void tidy_chunks(File& file, FunctionRef<void()> work);

}  // namespace filigree::model
