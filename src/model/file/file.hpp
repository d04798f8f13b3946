// SPDX-License-Identifier: Apache-2.0
//
// An open HDF5 file: its store, its parts, and the lock that its users share.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <filigree/options.hpp>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "base/file_lock.hpp"
#include "base/function_ref.hpp"
#include "base/mutex.hpp"
#include "format/messages/file_messages.hpp"
#include "model/dataset/file_prefixes.hpp"
#include "model/file/cache_image.hpp"
#include "model/file/derived_values.hpp"
#include "model/file/file_driver.hpp"
#include "model/file/formats.hpp"
#include "model/file/stored_space_info.hpp"
#include "model/file/stored_superblock.hpp"
#include "model/object/unlinked_objects.hpp"

namespace filigree::io {
class PageBufferFile;
class ParallelFile;
struct ParallelState;
class VirtualFile;
enum class Requests;
}  // namespace filigree::io
namespace filigree::store {
class FileSpace;
class FileStore;
class GlobalHeap;
class SharedMessages;
}  // namespace filigree::store

namespace filigree {
struct FreeSection;
}
namespace filigree::model {

class DatasetChunks;
class File;
class VirtualDatasets;

/// Files that are connected by external links and virtual datasets. They share open files, so that a link
/// back to the first file finds it with its unsaved changes. Thread safety: any number of threads may use it.
class FileSet {
 public:
  /// Returns the open file with that device and inode, or null.
  std::shared_ptr<File> find(std::uint64_t device, std::uint64_t inode);
  void add(std::uint64_t device, std::uint64_t inode, const std::shared_ptr<File>& file);
  /// Returns the file of the set that keeps source files of virtual datasets open. If every file did, two
  /// files that are each other's sources would never be closed. `asking` becomes the keeper if there is none.
  std::shared_ptr<File> keeper(File& asking);

 private:
  struct Member {
    std::uint64_t device, inode;
    std::weak_ptr<File> file;
  };
  Mutex mutex_;
  std::vector<Member> members_ FILIGREE_GUARDED_BY(mutex_);
  std::weak_ptr<File> keeper_ FILIGREE_GUARDED_BY(mutex_);
};

/// An open file. Handles of the public interface share it.
/// Thread safety: callers hold lock(), shared to read and exclusively to modify, unless a function says
/// otherwise.
class File : public std::enable_shared_from_this<File> {
 public:
  /// Opens a file. `swmr_read_attempts` over 0 opens it for SWMR reading: a structure that the writer is
  /// updating is read up to so many times.
  static std::shared_ptr<File> open(std::unique_ptr<io::VirtualFile> file, const AccessOptions& access,
                                    std::shared_ptr<FileSet> set = nullptr, unsigned swmr_read_attempts = 0);
  static std::shared_ptr<File> create(std::unique_ptr<io::VirtualFile> file, const CreateOptions& options,
                                      const AccessOptions& access);
  /// Opens the file at `path` with the driver of `access`, or returns it if it is open in `set`.
  static std::shared_ptr<File> open_path(const std::string& path, OpenMode mode, const AccessOptions& access,
                                         std::shared_ptr<FileSet> set = nullptr,
                                         unsigned swmr_read_attempts = 0);
  static std::shared_ptr<File> create_path(const std::string& path, CreateMode mode,
                                           const CreateOptions& options, const AccessOptions& access);
  ~File();

  const std::string& name() const { return name_; }
  bool writable() const { return writable_; }
  /// Thread safety: needs no lock.
  bool closed() const { return closed_.load(); }
  /// Throws: Error(closed) after close().
  store::FileStore& store() const;
  store::GlobalHeap& global_heap() const { return *global_heap_; }
  /// Returns null if the file has no shared messages.
  store::SharedMessages* shared_messages() const { return shared_messages_.get(); }
  DatasetChunks& chunks() const { return *chunks_; }
  VirtualDatasets& virtuals() const { return *virtuals_; }
  /// Per-dataset folders of source files and external files, which override those of access().
  DatasetPrefixes& virtual_prefixes() const { return virtual_prefixes_; }
  DatasetPrefixes& external_prefixes() const { return external_prefixes_; }
  /// The file lock: shared for calls that read, exclusive for calls that modify the file.
  FileLock& lock() const { return lock_; }
  const Formats& formats() const { return formats_; }
  /// Throws: Error(invalid_argument) for bounds that exclude the file itself.
  void set_versions(VersionBounds versions);
  const AccessOptions& access() const { return access_; }
  const format::Superblock& superblock() const { return *superblock_; }
  std::uint64_t superblock_bytes() const { return superblock_.stored_bytes(); }
  const std::shared_ptr<FileSet>& set() const { return set_; }
  Address root() const { return superblock_->root.header; }
  SpaceOptions space_options() const { return space_info_.options(); }
  std::uint64_t reusable_bytes() const;
  /// Returns what the free-space managers in the file account for: nothing after a modification, when they
  /// were loaded.
  FreeSpaceBytes persistent_free_space() const { return space_info_.managed_bytes(*store_); }
  /// Returns the free sections that new allocations may use: those that the file records, or those of this
  /// session once the file was changed. The numbers of the slots are those of the file space info message.
  std::vector<FreeSection> free_sections() const;
  /// Moves the end of the allocated space `bytes` beyond it and beyond the end of the file.
  void move_end(std::uint64_t bytes);
  /// Keeps changed metadata in memory, whatever the budget of the cache, until all holds are released.
  void hold_metadata() { ++holds_; }
  void release_metadata();
  const CacheImage& cache_image() const { return cache_image_; }
  /// Returns null if there is none.
  const io::PageBufferFile* page_buffer() const { return page_buffer_; }

  /// What a file with a communicator shares with its members; null for all other files.
  const std::shared_ptr<io::ParallelState>& parallel() const { return parallel_; }
  /// Throws: Error(unsupported) for a file with a communicator. `doing` completes "cannot ...".
  void require_one_process(std::string_view doing) const;
  /// Runs `work` as a collective call of all members: all meet before and after it, and what one throws, all
  /// throw. Its writes are replicated: all members make them. Just runs it for a file of one process.
  void collectively(std::string_view call, std::string_view object, std::uint64_t detail,
                    FunctionRef<void()> work);
  /// Adds a change to the history that all members have in common.
  void note_change(std::string_view operation, std::string_view object = {}, std::uint64_t detail = 0);
  /// Ends a collective transfer: takes part in the requests of the other members.
  void finish_reads() const;
  void finish_writes();
  /// The time of changes, which is the same on all members.
  std::int64_t seconds() const;

  /// Called before every modification: checks that the file is writable, sets the write mark and loads the
  /// free space managers. `doing` completes the message "cannot ...". Throws: Error(read_only, closed).
  void begin_change(std::string_view doing);
  /// Called after every modification: frees unlinked objects without handles, and trims the metadata cache.
  void end_change();
  /// Called when messages of the root group change: superblocks of versions 0 and 1 repeat some of them.
  void root_changed();

  /// Gives the file a superblock and a file space strategy that HDF5 1.8 knows; see Dataset::downgrade() for
  /// what is in it. Requires: a Change, if has_newer_form().
  void downgrade();
  bool has_newer_form() const {
    return superblock_->version > newest_superblock_of_v1_8 || space_info_.present();
  }

  void flush();
  void close();

  /// Flushes and enters SWMR write mode; see swmr.cpp for the protocol.
  void start_swmr_write();
  bool is_swmr_writer() const { return swmr_writer_; }
  /// Returns 0 unless the file is open for SWMR reading.
  unsigned swmr_read_attempts() const { return swmr_read_attempts_; }
  /// Drops all cached metadata and chunks of a file that is open for reading.
  void refresh();
  /// Removes the write mark and changes nothing else. Returns false if there is no mark.
  bool remove_write_mark();
  /// Returns the file image of a file in memory.
  Buffer image();

  /// Values that were derived from object headers. Thread safety: needs no lock.
  DerivedValues& derived_values() const { return derived_values_; }

  /// Objects without links that still have handles.
  UnlinkedObjects& unlinked() { return unlinked_; }

 private:
  static constexpr std::uint8_t newest_superblock_of_v1_8 = 2;

  friend class Change;
  File();
  /// Reports wrong environment variables when a file is opened, not in the middle of a write.
  static void check_environment();
  void load(std::unique_ptr<io::VirtualFile> file);
  void load_together(std::unique_ptr<io::VirtualFile> file);
  void create_together(std::unique_ptr<io::VirtualFile> file, const CreateOptions& options);
  /// Runs `work` with the wrapped file as the first collective call. What it throws, all members throw, and
  /// all of them have closed the file by then.
  void begin_together(std::string_view call, std::shared_ptr<io::VirtualFile> driver, io::Requests requests,
                      FunctionRef<void(std::unique_ptr<io::VirtualFile>)> work);
  void require_shareable(const io::VirtualFile& driver) const;
  void give_up(io::VirtualFile& driver) noexcept;
  void add_mark();
  void prepare_change();
  void write_changes(std::string_view doing, bool closing);
  /// Creates store and space for superblock_ and space_info_; with a null file again after they have changed.
  void attach(std::unique_ptr<io::VirtualFile> file, std::uint64_t end);
  void read_extension();
  void add_page_buffer();
  void read_driver_info(const DriverInfo& stored);
  /// Returns the driver information that the file must store.
  std::optional<DriverInfo> current_driver_info() const;
  void store_driver_info();
  void make(std::unique_ptr<io::VirtualFile> file, const CreateOptions& options);
  void make_superblock(const CreateOptions& options);
  void make_contents(const CreateOptions& options);
  void make_extension(const CreateOptions& options);
  void write_superblock(bool marked);
  void write_out(bool closing);
  void flush_together();
  void close_together();
  void release();
  void write_out_in_order(bool closing);
  void settle_space(bool closing);
  void end_mark();
  /// Flushes the sources of virtual datasets. The lock is released meanwhile, so this is the first step.
  void flush_sources();

  std::string name_;
  std::atomic<bool> closed_ = false;
  bool writable_ = false;
  bool changed_ = false;
  unsigned holds_ = 0;         ///< of metadata
  unsigned open_changes_ = 0;  ///< scopes of Change that have not ended
  bool swmr_writer_ = false;
  unsigned swmr_read_attempts_ = 0;
  AccessOptions access_;
  Formats formats_;
  StoredSuperblock superblock_;
  bool has_driver_info_ = false;
  StoredSpaceInfo space_info_;
  CacheImage cache_image_;
  std::shared_ptr<FileSet> set_;
  std::unique_ptr<store::FileStore> store_;
  store::FileSpace* space_ = nullptr;                ///< owned by store_
  const io::PageBufferFile* page_buffer_ = nullptr;  ///< owned by store_
  std::shared_ptr<io::ParallelState> parallel_;
  io::ParallelFile* parallel_file_ = nullptr;  ///< owned by store_
  std::unique_ptr<DatasetChunks> chunks_;      ///< destroyed before store_
  std::unique_ptr<VirtualDatasets> virtuals_;
  std::unique_ptr<store::GlobalHeap> global_heap_;
  std::unique_ptr<store::SharedMessages> shared_messages_;

  mutable DatasetPrefixes virtual_prefixes_, external_prefixes_;

  mutable DerivedValues derived_values_;
  mutable FileLock lock_;
  UnlinkedObjects unlinked_;
};

/// Throws: Error(invalid_argument) for creation options that no file can have.
void check_create_options(const CreateOptions& options, const AccessOptions& access);

/// The scope of one modification: takes the exclusive lock, calls begin_change() and end_change(). Changes
/// within a change are a part of it: no metadata is written before the outermost one ends.
class Change {
 public:
  Change(File& file, std::string_view doing) : exclusive_(file.lock()), file_(file) {
    file.begin_change(doing);
    ++file.open_changes_;
  }
  ~Change() noexcept(false) {
    const bool outermost = --file_.open_changes_ == 0;
    if (outermost && std::uncaught_exceptions() == 0) file_.end_change();
  }
  Change(const Change&) = delete;
  Change& operator=(const Change&) = delete;

 private:
  const FileLock::Exclusive exclusive_;
  File& file_;
};

}  // namespace filigree::model
