// SPDX-License-Identifier: Apache-2.0
//
// The virtual datasets of an open file: their decoded mappings and their open source files.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include <filigree/options.hpp>

#include "base/address.hpp"
#include "base/mutex.hpp"
#include "model/dataset/messages.hpp"
#include "model/link/path.hpp"
#include "model/virtual/mappings.hpp"

namespace filigree::model {

class File;

/// Caches the decoded mappings of each virtual dataset, and open source files. A source file stays open until
/// the file that keeps it is closed, or until too many are open.
/// Thread safety: any number of threads may use it.
class VirtualDatasets {
 public:
  VirtualDatasets() = default;
  ~VirtualDatasets();
  VirtualDatasets(const VirtualDatasets&) = delete;
  VirtualDatasets& operator=(const VirtualDatasets&) = delete;

  /// Returns the checked mappings of a dataset.
  /// Throws: Error(corrupt) for invalid mappings.
  std::shared_ptr<const CheckedMappings> mappings(File& file, Address header, const DatasetMessages& parts);
  /// Drops the mappings of a dataset that was deleted.
  void forget(Address header);

  /// The number of consecutive sources of a numbered mapping that exist. The next search continues there.
  std::uint64_t known_blocks(Address header, std::size_t mapping);
  void set_known_blocks(Address header, std::size_t mapping, std::uint64_t blocks);

  /// The view of a dataset; unset: the view of the file.
  void set_view(Address header, const std::optional<VirtualView>& view);
  std::optional<VirtualView> view(Address header);

  /// Opens the source file `name` of a virtual dataset in the file `of`. The folder `prefix` is searched
  /// first. Returns null if there is no such file.
  std::shared_ptr<File> find_file(File& of, const std::string& name, const std::string& prefix);
  /// Flushes the open source files.
  void flush_sources();
  void release_sources();

 private:
  /// An open source file, and what identifies its contents.
  struct OpenSource {
    std::string key;
    std::string path;
    std::shared_ptr<File> file;
    std::int64_t changed = 0;  ///< the modification time, in units of the file system
    std::uint64_t bytes = 0;
  };

  std::shared_ptr<File> find_open(const std::string& key);
  /// Adds a file. Returns the file that was evicted for it, if any.
  std::shared_ptr<File> keep(OpenSource source);
  std::shared_ptr<File> open_file(File& of, const std::string& key, const std::string& name,
                                  const std::string& prefix, std::shared_ptr<File>& dropped);

  Mutex opening_mutex_;  ///< held while a file is opened, so that no two threads open the same one
  Mutex mutex_;
  std::unordered_map<std::uint64_t, std::shared_ptr<const CheckedMappings>> mappings_
      FILIGREE_GUARDED_BY(mutex_);
  std::unordered_map<std::uint64_t, std::unordered_map<std::size_t, std::uint64_t>> blocks_
      FILIGREE_GUARDED_BY(mutex_);
  std::unordered_map<std::uint64_t, VirtualView> views_ FILIGREE_GUARDED_BY(mutex_);
  std::list<OpenSource> open_sources_ FILIGREE_GUARDED_BY(mutex_);  ///< most recently used first
};

/// Returns the source dataset `dataset` in the source file `name` of the virtual dataset `user` of the file
/// `of`; empty if the file or the dataset does not exist.
std::optional<ObjectLocation> find_source(File& of, Address user, const std::string& name,
                                          const std::string& dataset);

}  // namespace filigree::model
