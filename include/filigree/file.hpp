// SPDX-License-Identifier: Apache-2.0
//
// An HDF5 file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <filigree/export.hpp>
#include <filigree/group.hpp>
#include <filigree/options.hpp>

namespace filigree {

namespace model {
class File;
}

/// What a page buffer has done since the file was opened.
struct PageBufferInfo {
  /// Of one kind of pages.
  struct Kind {
    std::uint64_t hits = 0, misses = 0;  ///< pages
    std::uint64_t evictions = 0;
    std::uint64_t bypasses = 0;  ///< requests that touched more pages than fit
  };
  Kind metadata, raw;
};

/// Facts about an open file.
struct FileInfo {
  std::uint8_t superblock_version = 0;
  std::uint64_t file_bytes = 0;
  std::uint64_t user_block_bytes = 0;
  std::uint8_t offset_bytes = 8;
  std::uint8_t length_bytes = 8;
  SpaceOptions space;
  std::uint64_t superblock_bytes = 0;
  std::uint64_t extension_bytes = 0;  ///< of the object that newer superblocks keep more in
  std::uint64_t reusable_bytes = 0;   ///< free space that new data will use
  VersionBounds versions;             ///< in force; a newer file raises the lower one
  std::optional<PageBufferInfo> page_buffer;
};

/// A structure of a followed file that was read while it was written.
struct ReadRetries {
  std::string structure;
  unsigned failed = 0;  ///< attempts
};

/// A handle on an open file; copies share it. The file is written and closed by close(), or when the
/// last handle on it or on anything in it goes away; only close() can report that writing failed.
class FILIGREE_EXPORT File {
 public:
  /// Throws Error: not_found, not_hdf5, truncated, permission; locked for a file that somebody writes, or
  /// that was not closed.
  static File open(const std::string& path, OpenMode mode = OpenMode::read_only,
                   const AccessOptions& access = {});
  /// Throws Error(already_exists) unless the mode says to replace what is there.
  static File create(const std::string& path, CreateMode mode = CreateMode::exclusive,
                     const CreateOptions& options = {}, const AccessOptions& access = {});
  /// A file in memory; image() gives its bytes.
  static File create_in_memory(const CreateOptions& options = {}, const AccessOptions& access = {});
  /// A file whose bytes are in memory; changes stay there.
  static File open_image(std::vector<std::byte> image, OpenMode mode = OpenMode::read_only,
                         const AccessOptions& access = {});
  /// Opens for reading a file that a single writer (start_single_writer(), or SWMR of HDF5) may be appending
  /// to. What is there is seen as the writer's last flush left it when it is first looked at, or when
  /// refresh() was last called. `attempts`: how often a structure that is just being written is read before
  /// that is an error. Throws Error(locked) for a file that is written in another way.
  static File follow(const std::string& path, const AccessOptions& access = {}, unsigned attempts = 100);
  /// Whether the file at `path` has an HDF5 signature. Throws Error when it cannot be read.
  static bool is_hdf5(const std::string& path);
  /// Removes the mark of a file that was not closed (see AccessOptions::ignore_write_mark) and changes
  /// nothing else; what was written after the last flush may be incomplete. False when the file has no mark.
  static bool clear_write_mark(const std::string& path, const AccessOptions& access = {});

  /// The group that everything is reached from.
  Group root() const;
  // Objects without a name. Each is freed with its last handle, unless link_hard() has given it one.
  /// As Group::create_group().
  Group create_unlinked_group(const GroupOptions& options = {});
  /// As Group::create_dataset().
  Dataset create_unlinked_dataset(const Datatype& type, const Dataspace& space,
                                  const DatasetOptions& options = {});
  /// As Group::commit().
  CommittedDatatype commit_unlinked(const Datatype& type, const CommitOptions& options = {});
  /// As Group::open() from the root.
  Object open_object(std::string_view path) const { return root().open(path); }
  /// What a reference that is stored in this file points to. Throws Error(not_found) for one that points
  /// nowhere.
  Object open_object(const ObjectReference& reference) const;
  /// Throws Error(not_found) for a reference that points nowhere.
  Region open_region(const RegionReference& reference) const;
  /// The path that it was opened with.
  const std::string& name() const;
  /// Whether it was made, or opened for writing.
  bool writable() const;
  /// As it is now.
  FileInfo info() const;
  /// What the file was made with, as far as it tells.
  CreateOptions creation_options() const;

  /// Brings the file in order on the device's cache: everything a reader needs is there.
  void flush();
  /// Flushes and closes. Handles that still refer to the file throw Error(closed) from then on. On
  /// failure the file stays open, so that the caller may make room and try again.
  void close();
  /// From now on, until it is closed, other processes may follow the file (see follow()) while this one
  /// writes. Every flush leaves what they need in an order that lets them read at any moment. Meant for
  /// appending to datasets in chunks that exist already; space that is freed is not used again. Needs a
  /// superblock of version 3 (VersionBounds), and releases the lock of the file. Throws Error:
  /// read_only; unsupported for an older file, or a driver that several processes cannot use at once;
  /// invalid_argument when it was called before.
  void start_single_writer();
  /// Whether start_single_writer() was called.
  bool single_writer() const;
  /// Has a file that was opened for reading looked at again: extents and elements are as the last flush of
  /// its writer left them. Does nothing for a file that is written here.
  void refresh();
  /// How often structures were read in vain before they could be understood; see follow().
  std::vector<ReadRetries> read_retries() const;
  /// The bytes of a file in memory, flushed.
  std::vector<std::byte> image() const;
  /// The system's number for the open file; nothing where the driver has none, or several.
  std::optional<int> descriptor() const;
  /// Which versions new structures take from now on.
  void set_versions(const VersionBounds& versions);

  friend bool operator==(const File& a, const File& b) { return a.impl_ == b.impl_; }

 private:
  friend class Object;
  friend class Group;
  explicit File(std::shared_ptr<model::File> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<model::File> impl_;
};

}  // namespace filigree
