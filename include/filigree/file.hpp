// SPDX-License-Identifier: Apache-2.0
//
// An HDF5 file.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <filigree/check.hpp>
#include <filigree/driver_types.hpp>
#include <filigree/export.hpp>
#include <filigree/group.hpp>
#include <filigree/options.hpp>

namespace filigree {

namespace model {
class File;
}

/// Statistics of a page buffer since the file was opened.
struct PageBufferInfo {
  /// The counters of one page type.
  struct Kind {
    std::uint64_t hits = 0, misses = 0;  ///< in pages
    std::uint64_t evictions = 0;         ///< in pages
    std::uint64_t bypasses = 0;          ///< requests that touch more pages than fit into the buffer
  };
  Kind metadata, raw;
};

/// Properties of an open file.
struct FileInfo {
  std::uint8_t superblock_version = 0;
  std::uint64_t file_bytes = 0;
  std::uint64_t user_block_bytes = 0;
  std::uint8_t offset_bytes = 8;  ///< the size of an address in this file
  std::uint8_t length_bytes = 8;  ///< the size of a length in this file
  SpaceOptions space;
  std::uint64_t superblock_bytes = 0;
  std::uint64_t extension_bytes = 0;            ///< the size of the superblock extension
  std::uint64_t reusable_bytes = 0;             ///< free space that new allocations use
  std::uint64_t free_space_metadata_bytes = 0;  ///< the size of persistent free-space managers
  /// The sizes of the table, the indexes and the heaps of shared messages.
  std::uint64_t shared_message_table_bytes = 0, shared_message_index_bytes = 0, shared_message_heap_bytes = 0;
  VersionBounds versions;  ///< in effect; a newer file raises the lower bound
  std::optional<PageBufferInfo> page_buffer;
  /// The metadata cache image that the file was opened with; no address if there was none.
  std::optional<std::uint64_t> cache_image_address;
  std::uint64_t cache_image_bytes = 0;
};

/// A range of the file that is free, and that a new structure of the type may use.
struct FreeSection {
  MemoryType type = MemoryType::unspecified;
  std::uint64_t address = 0;  ///< relative to the base address
  std::uint64_t bytes = 0;
  bool large = false;  ///< in a file with pages: a range of whole pages
};

/// What happened to one structure in the metadata cache of a file.
struct MetadataEvent {
  enum class Action : std::uint8_t {
    load,    ///< read from the file
    create,  ///< new in the file
    change,  ///< changed for the first time since it was written
    write,   ///< written to the file
    evict,   ///< dropped from memory, unchanged
    free,    ///< deleted
    move,    ///< has a new address
  };
  Action action = Action::load;
  std::string structure;      ///< such as "object header"
  std::uint64_t address = 0;  ///< relative to the base address
  std::size_t memory_bytes = 0;
};

/// A structure that a SWMR reader had to read more than once because the writer was updating it.
struct ReadRetries {
  std::string structure;
  unsigned failed = 0;  ///< attempts that failed
};

/// What a program must understand to read all of a file. No release of HDF5 understands structured chunks.
struct Requirements {
  Version version = Version::earliest;  ///< the oldest HDF5 release that reads everything else
  bool structured_chunks = false;
  /// The filters of all datasets, by ascending number, each once.
  std::vector<FilterChoice> filters;
  /// The number of objects that could not be read, and so are not considered.
  std::uint64_t unreadable = 0;
};

/// The forms of sparse datasets; see DatasetOptions::portable.
enum class SparseForm : std::uint8_t { structured, portable };

/// A dataset that File::copy_contents_to() is about to copy, or has stored in another way.
struct CopiedDataset {
  const Dataset& source;
  const Dataset* converted = nullptr;  ///< the copy with other storage; null before it is made
  const Error* refused = nullptr;      ///< why it keeps its storage; null if it does not have to
};

/// A box of a dataset that is not sparse, and its elements in row-major order.
struct DenseBox {
  const std::vector<std::uint64_t>& start;
  const std::vector<std::uint64_t>& count;
  const Datatype& type;  ///< that of the file; the native type if it has variable length
  const std::byte* values;
  std::size_t elements = 0;
};

/// Another way to store a dataset; see ContentsOptions::change_storage.
struct StorageChange {
  DatasetOptions options;
  /// The same dimensions with other maximum dimensions; unset: those of the source.
  std::optional<Dataspace> space = std::nullopt;
  /// Chooses the elements of a box that a sparse copy of a dataset that is not sparse defines: runs of their
  /// ordinals in the box, in ascending order. Null: all that the source stores.
  std::function<std::vector<Selection::Run>(const DenseBox&)> choose_defined = nullptr;
  /// Returns whether choose_defined() may choose elements of a box in which nothing was written: they read as
  /// the fill value. Null: it does not. It is called for large boxes first, then for parts of those.
  std::function<bool(const Selection& box)> choose_unwritten = nullptr;
};

/// Options of File::copy_contents_to().
struct ContentsOptions {
  std::optional<SparseForm> sparse_form;  ///< the form of sparse datasets in the copy; unset: as they are
  /// Called once for each dataset; returns how the copy is stored, or nothing for a dataset that only
  /// `sparse_form` applies to.
  ///
  /// Elements are transferred in boxes of whole chunks of the copy, of at most 64 MiB unless a chunk is
  /// larger, and only where the source stores something. All cores decode and encode.
  std::function<std::optional<StorageChange>(const Dataset& source)> change_storage;
  /// Returns whether an object is not copied. There are no links to it in the copy.
  std::function<bool(const Object& source)> leave_out;
  /// Called before each dataset is copied, and again for each that got other storage or should have got it.
  /// An exception ends the copy. These functions must not use the destination otherwise.
  std::function<void(const CopiedDataset&)> on_dataset;
};

/// A handle to an open file. Copies refer to the same open file.
///
/// The file is flushed and closed by close(), or when the last handle to it or to an object in it is
/// destroyed. Only close() can report that writing failed.
///
/// Thread safety: any number of threads may use one file. Calls that only read share the file lock; calls
/// that modify the file take it exclusively.
class FILIGREE_EXPORT File {
 public:
  /// Opens an existing file.
  /// Throws: Error(not_found, not_hdf5, truncated, permission); Error(locked) for a file that another process
  /// writes, or that was not closed properly.
  static File open(const std::string& path, OpenMode mode = OpenMode::read_only,
                   const AccessOptions& access = {});
  /// Creates a file.
  /// Throws: Error(already_exists) if the file exists and the mode is `exclusive`.
  static File create(const std::string& path, CreateMode mode = CreateMode::exclusive,
                     const CreateOptions& options = {}, const AccessOptions& access = {});
  /// Creates a file in memory. image() returns its bytes.
  static File create_in_memory(const CreateOptions& options = {}, const AccessOptions& access = {});
  /// Opens a file image in memory. Changes stay in memory.
  static File open_image(std::vector<std::byte> image, OpenMode mode = OpenMode::read_only,
                         const AccessOptions& access = {});
  /// Opens a file for SWMR reading, while a SWMR writer (start_swmr_write(), or HDF5) may append to it.
  ///
  /// Each structure is read as the writer's last flush left it. refresh() makes later flushes visible.
  /// `attempts` limits how often a structure is read while the writer is updating it.
  /// Throws: Error(locked) for a file that a writer without SWMR has open.
  static File open_swmr(const std::string& path, const AccessOptions& access = {}, unsigned attempts = 100);
  /// Returns whether the file at `path` has an HDF5 signature.
  /// Throws: Error if the file cannot be read.
  static bool is_hdf5(const std::string& path);
  /// Removes the write mark of a file that was not closed properly; see AccessOptions::ignore_write_mark.
  /// Data that was written after the last flush may be incomplete. Nothing else in the file changes. Returns
  /// false if the file has no mark.
  static bool clear_write_mark(const std::string& path, const AccessOptions& access = {});

  /// Returns the root group.
  Group root() const;
  // Objects without a link. Such an object is freed with its last handle, unless link_hard() links it.
  /// Creates a group without a link; see Group::create_group().
  Group create_unlinked_group(const GroupOptions& options = {});
  /// Creates a dataset without a link; see Group::create_dataset().
  Dataset create_unlinked_dataset(const Datatype& type, const Dataspace& space,
                                  const DatasetOptions& options = {});
  /// Commits a datatype without a link; see Group::commit().
  CommittedDatatype commit_unlinked(const Datatype& type, const CommitOptions& options = {});
  /// Opens an object by its path from the root group; see Group::open().
  Object open_object(std::string_view path) const { return root().open(path); }
  /// Opens the object that a reference in this file points to.
  /// Throws: Error(not_found) for a null or dangling reference.
  Object open_object(const ObjectReference& reference) const;
  /// Opens the dataset region that a reference in this file points to.
  /// Throws: Error(not_found) for a null or dangling reference.
  Region open_region(const RegionReference& reference) const;
  /// Returns the path that the file was opened with.
  const std::string& name() const;
  /// Returns whether the file was created or opened for writing.
  bool writable() const;
  /// Returns the current properties of the file.
  FileInfo info() const;
  /// Returns the creation options, as far as the file stores them.
  CreateOptions creation_options() const;
  /// Visits all objects, and returns what a program must understand to read them. Reads no chunk.
  Requirements requirements() const;
  /// Walks all structures of the file: verifies checksums, references and counts of links, and finds space
  /// that two structures use, or none. Goes on behind damage as far as possible. Memory is bounded, whatever
  /// the file says. A file that is open for writing is flushed first, and locked meanwhile.
  CheckReport check(const CheckOptions& options = {}) const;
  /// Describes the structure at an address, relative to the base address: what the walk through the file
  /// finds there, or what its signature tells. `as` names the kind of structure instead, as structure_kinds()
  /// lists them. Throws: Error(invalid_argument) for another kind, or an address beyond the end of the file.
  StructureDescription describe(std::uint64_t address, std::string_view as = {}) const;
  /// Returns the kinds of structures that describe() can be told to assume.
  static std::vector<std::string> structure_kinds();
  /// Copies everything that the root group leads to into an empty file: attributes, comments, links of all
  /// kinds, committed datatypes, and datasets of all layouts, whose chunks are not decoded.
  ///
  /// Each object is copied once, whatever number of links it has. References lead to the copies; they become
  /// null if no link leads to their target. Datasets may get other storage. One that cannot be stored so, as
  /// sparse ones that have no portable form (see DatasetOptions::portable), stays as it is.
  /// Requires: `to` has the same sizes of offsets and lengths as this file.
  /// Throws: Error(invalid_argument) if `to` has links; Error(unsupported) for datasets with references
  /// within elements of variable length. What was copied so far stays in `to`.
  void copy_contents_to(File& to, const ContentsOptions& options = {}) const;

  /// Writes all cached metadata and chunks to the driver. The file on disk is consistent afterwards. The
  /// data may still be in the operating system's cache.
  void flush();
  /// Flushes and closes the file.
  /// Throws: Error if writing fails. The file stays open then, so that the caller can free disk space and
  /// try again.
  /// Invalidates: all handles to the file and its objects; they throw Error(closed) from now on.
  void close();
  /// Enters SWMR write mode until the file is closed: other processes may open the file with open_swmr().
  ///
  /// Every flush writes metadata in an order that keeps the file readable at any moment. The mode is meant
  /// for appending to existing chunked datasets. Freed space is not reused. The file lock is released.
  /// Requires: a superblock of version 3; see VersionBounds.
  /// Throws: Error(read_only); Error(unsupported) for an older superblock, or for a driver that several
  /// processes cannot share; Error(invalid_argument) if SWMR write mode is already active.
  void start_swmr_write();
  /// Returns whether SWMR write mode is active.
  bool is_swmr_writer() const;
  /// Drops cached metadata of a file that was opened for reading. Later calls see extents and elements as the
  /// writer's last flush left them. Has no effect on a file that is open for writing.
  void refresh();
  /// Returns how often structures had to be read again because a SWMR writer was updating them.
  std::vector<ReadRetries> read_retries() const;
  /// Flushes a file in memory and returns its file image.
  std::vector<std::byte> image() const;
  /// Returns the file descriptor; empty if the driver has none, or several.
  std::optional<int> descriptor() const;
  /// Gives the file itself a form that HDF5 1.8 reads (H5Fformat_convert): a superblock of version 2 at most,
  /// and free space that is not stored. Dataset::downgrade() converts datasets.
  void downgrade();
  /// Returns the free sections that new structures may use.
  std::vector<FreeSection> free_sections() const;
  /// Moves the end of the allocated space `bytes` beyond the end of the file. The skipped bytes stay unused.
  /// Throws: Error(read_only).
  void move_end(std::uint64_t bytes);
  /// Keeps changed metadata in memory until flush() or close(), however much it is. Each call needs a call of
  /// release_metadata().
  void hold_metadata();
  void release_metadata();
  /// Drops metadata from memory that is unchanged and that no call is using.
  void evict_metadata();
  /// Calls `log` for everything that happens in the metadata cache from now on; an empty one ends this. Calls
  /// are serialised. `log` must not use the file.
  void set_metadata_log(std::function<void(const MetadataEvent&)> log);
  /// Sets the version bounds for structures that are created from now on.
  void set_versions(const VersionBounds& versions);

  friend bool operator==(const File& a, const File& b) { return a.impl_ == b.impl_; }

 private:
  friend class Object;
  friend class Group;
  explicit File(std::shared_ptr<model::File> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<model::File> impl_;
};

}  // namespace filigree
