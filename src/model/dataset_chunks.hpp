// SPDX-License-Identifier: Apache-2.0
//
// The chunks of datasets, as long as their file is open.
#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>

#include "base/address.hpp"
#include "model/dataset.hpp"

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
/// Whether every element of the chunks has its own values of variable length. Where the fill value has such
/// values, all unwritten elements of a chunk refer to them, and nothing may be freed.
bool owns_heap_values(const DatasetParts& parts);

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
  /// Writes what is in the cache only. Metadata change.
  void flush();
  /// The dataset has gone, or its layout is another.
  void forget(Address header);

 private:
  std::mutex mutex_;
  std::unordered_map<std::uint64_t, std::shared_ptr<chunk::ChunkStore>> stores_;
};

}  // namespace filigree::model
