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

namespace filigree::model {

class File;

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
  /// The dataset has gone, or has another extent.
  void forget(Address header);

 private:
  std::mutex mutex_;
  std::unordered_map<std::uint64_t, std::shared_ptr<chunk::ChunkStore>> stores_;
};

}  // namespace filigree::model
