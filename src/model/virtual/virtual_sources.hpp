// SPDX-License-Identifier: Apache-2.0
//
// The virtual datasets of an open file: their mappings, and the files of their sources.
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
#include "model/dataset/dataset.hpp"
#include "model/link/path.hpp"
#include "model/virtual/virtual_layout.hpp"

namespace filigree::model {

class File;

/// Mappings are decoded once for every dataset that is used. Files of sources are opened once, and stay open
/// until the file that was opened first is closed, or until too many are. Thread-safe.
class VirtualDatasets {
 public:
  VirtualDatasets() = default;
  ~VirtualDatasets();
  VirtualDatasets(const VirtualDatasets&) = delete;
  VirtualDatasets& operator=(const VirtualDatasets&) = delete;

  /// Throws Error(corrupt) for mappings that contradict themselves.
  std::shared_ptr<const VirtualLayout> layout(File& file, Address header, const DatasetMessages& parts);
  /// The dataset has gone.
  void forget(Address header);

  /// Blocks of a numbered mapping that have been found: sources do not go, so the search goes on from there.
  std::uint64_t known_blocks(Address header, std::size_t mapping);
  void set_known_blocks(Address header, std::size_t mapping, std::uint64_t blocks);

  /// How far the dataset reaches, where its user says otherwise than the file's; none: as the file's.
  void set_view(Address header, const std::optional<VirtualView>& view);
  std::optional<VirtualView> view(Address header);

  /// The file that `name` means to a virtual dataset of `of`, which may be any file of the set, sought first
  /// in the folder `prefix`; null when there is none.
  std::shared_ptr<File> find_file(File& of, const std::string& name, const std::string& prefix);
  /// Writes what has been changed in files of sources.
  void flush_sources();
  void release_sources();

 private:
  struct Kept {
    std::string key;
    std::string path;
    std::shared_ptr<File> file;
    std::int64_t changed = 0;  ///< when, in the file system's units
    std::uint64_t bytes = 0;
  };

  std::shared_ptr<File> find_kept(const std::string& key);
  /// The file that has to go for it, if one has.
  std::shared_ptr<File> keep(Kept kept);
  std::shared_ptr<File> open_file(File& of, const std::string& key, const std::string& name,
                                  const std::string& prefix, std::shared_ptr<File>& dropped);

  Mutex opening_mutex_;  ///< held while a file is opened, so that no two threads open one
  Mutex mutex_;
  std::unordered_map<std::uint64_t, std::shared_ptr<const VirtualLayout>> layouts_
      FILIGREE_GUARDED_BY(mutex_);
  std::unordered_map<std::uint64_t, std::unordered_map<std::size_t, std::uint64_t>> blocks_
      FILIGREE_GUARDED_BY(mutex_);
  std::unordered_map<std::uint64_t, VirtualView> views_ FILIGREE_GUARDED_BY(mutex_);
  std::list<Kept> kept_ FILIGREE_GUARDED_BY(mutex_);  ///< used last at the front
};

/// The dataset `dataset` of the file that `name` means to the virtual dataset `user` of `of`. Nothing when
/// there is no such file, or no such dataset in it.
std::optional<ObjectLocation> find_source(File& of, Address user, const std::string& name,
                                          const std::string& dataset);

}  // namespace filigree::model
