// SPDX-License-Identifier: Apache-2.0
//
// One open HDF5 file: its superblock, what its superblock extension says, and the parts of store/
// that belong to a whole file.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <filigree/options.hpp>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "base/file_lock.hpp"
#include "base/mutex.hpp"
#include "format/messages/file_messages.hpp"
#include "format/superblock/superblock.hpp"
#include "model/dataset/file_prefixes.hpp"
#include "model/file/file_driver.hpp"
#include "model/file/formats.hpp"

namespace filigree::io {
class PageBufferFile;
class VirtualFile;
}  // namespace filigree::io
namespace filigree::store {
class FileSpace;
class FileStore;
class GlobalHeap;
class SharedMessages;
}  // namespace filigree::store

namespace filigree::model {

class DatasetChunks;
class File;
class VirtualDatasets;

/// Files that reach each other by external links and virtual datasets. They share what is open, so that a
/// link back into the first file finds it, with its unsaved changes.
class FileSet {
 public:
  /// The open file of that device and inode, or null.
  std::shared_ptr<File> find(std::uint64_t device, std::uint64_t inode);
  void add(std::uint64_t device, std::uint64_t inode, const std::shared_ptr<File>& file);
  /// The one file of the set that holds others open as sources of virtual datasets. If every file did, two
  /// that are each other's sources would never be closed. `asking` becomes it when there is none.
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

class File : public std::enable_shared_from_this<File> {
 public:
  /// With `swmr_read_attempts` a file that a single writer may be changing: structures that are read while
  /// they are written get so many attempts.
  static std::shared_ptr<File> open(std::unique_ptr<io::VirtualFile> file, const AccessOptions& access,
                                    std::shared_ptr<FileSet> set = nullptr, unsigned swmr_read_attempts = 0);
  static std::shared_ptr<File> create(std::unique_ptr<io::VirtualFile> file, const CreateOptions& options,
                                      const AccessOptions& access);
  /// Opens the file at `path` through the driver that `access` asks for, or finds it in `set`.
  static std::shared_ptr<File> open_path(const std::string& path, OpenMode mode, const AccessOptions& access,
                                         std::shared_ptr<FileSet> set = nullptr,
                                         unsigned swmr_read_attempts = 0);
  static std::shared_ptr<File> create_path(const std::string& path, CreateMode mode,
                                           const CreateOptions& options, const AccessOptions& access);
  ~File();

  const std::string& name() const { return name_; }
  bool writable() const { return writable_; }
  bool closed() const { return store_ == nullptr; }
  /// Throws Error(closed) after close().
  store::FileStore& store() const;
  store::GlobalHeap& global_heap() const { return *global_heap_; }
  /// Null when the file shares no messages.
  store::SharedMessages* shared_messages() const { return shared_messages_.get(); }
  DatasetChunks& chunks() const { return *chunks_; }
  VirtualDatasets& virtuals() const { return *virtuals_; }
  /// In place of those of access(), for files of virtual sources and of external data.
  DatasetPrefixes& virtual_prefixes() const { return virtual_prefixes_; }
  DatasetPrefixes& external_prefixes() const { return external_prefixes_; }
  /// Reading calls hold it in shared mode, changing calls in exclusive mode.
  FileLock& lock() const { return lock_; }
  const Formats& formats() const { return formats_; }
  /// Throws Error(invalid_argument) for bounds that exclude the file itself.
  void set_versions(VersionBounds versions);
  const AccessOptions& access() const { return access_; }
  const format::Superblock& superblock() const { return superblock_; }
  std::uint64_t superblock_bytes() const { return stored_superblock_.size(); }
  const std::shared_ptr<FileSet>& set() const { return set_; }
  Address root() const { return superblock_.root.header; }
  SpaceOptions space_options() const;
  std::uint64_t reusable_bytes() const;
  /// Null when there is none.
  const io::PageBufferFile* page_buffer() const { return page_buffer_; }

  /// Must stand before every change: refuses on read-only and closed files, and brings the account of
  /// free space in. `doing` completes "cannot ...".
  void begin_change(std::string_view doing);
  /// Must follow every change: frees objects whose last handle has gone, keeps the cache in its budget.
  void end_change();
  /// The root group's header has a new set of messages: superblocks 0 and 1 repeat some of them.
  void root_changed();

  void flush();
  void close();

  /// Flushes, and from now on others may follow the file while it is written.
  void start_swmr_write();
  bool is_swmr_writer() const { return swmr_writer_; }
  /// 0 when it is not followed.
  unsigned swmr_read_attempts() const { return swmr_read_attempts_; }
  /// Drops what is known of a file that was opened for reading.
  void refresh();
  /// Of a file that was opened in spite of its mark: nothing else is changed. False when there is none.
  bool remove_write_mark();
  /// The bytes of a file in memory.
  Buffer image();

  /// Handles keep objects alive that have no links any more.
  void handle_opened(Address header);
  void handle_closed(Address header);
  bool has_handles(Address header) const;
  /// The object has no links left: it is freed now, or when its last handle goes.
  void orphaned(Address header);
  /// The object is being freed, or has been with others in the same operation.
  bool doomed(Address header) const { return doomed_.contains(to_number(header)); }
  /// An orphan has been linked to again.
  void revived(Address header);

 private:
  File();
  /// Returns how many bytes the file should have and has not.
  std::uint64_t read_superblock(const io::VirtualFile& file);
  std::uint64_t read_superblock_patiently(const io::VirtualFile& file);
  void load(std::unique_ptr<io::VirtualFile> file);
  void decode_superblock(Bytes start);
  /// Before the first change since the last flush, so that a reader knows if no other flush follows.
  void mark_file();
  /// Sets up store and space as superblock_ and space_info_ say; again with no file when they have changed.
  void attach(std::unique_ptr<io::VirtualFile> file, std::uint64_t end);
  void read_extension();
  void add_page_buffer();
  void read_cache_image(const format::CacheImageMessage& message);
  void read_driver_info(const DriverInfo& stored);
  /// What the file must say about its driver now.
  std::optional<DriverInfo> current_driver_info() const;
  void store_driver_info();
  void make_superblock(const CreateOptions& options);
  void make_contents(const CreateOptions& options);
  void make_extension(const CreateOptions& options, bool odd_k);
  void take_over_free_space();
  void store_space_info();
  /// What the file should say now, with a driver info block that goes with it.
  Buffer superblock_image(bool marked);
  void write_superblock(bool marked);
  void write_out(bool closing);
  void write_out_in_order(bool closing);
  void settle_space(bool closing);
  void end_mark();
  void destroy_orphans(bool all);
  /// Before anything else: the thread does not hold the lock meanwhile.
  void flush_sources();
  void destroy(Address header);

  std::string name_;
  bool writable_ = false;
  bool changed_ = false;
  bool swmr_writer_ = false;
  unsigned swmr_read_attempts_ = 0;
  AccessOptions access_;
  Formats formats_;
  format::Superblock superblock_;
  Buffer stored_superblock_;      ///< its bytes as last read or written, and those of a driver info block
  bool superblock_torn_ = false;  ///< writing it failed: the file may have any part of it
  bool has_driver_info_ = false;
  std::uint64_t position_ = 0;  ///< of the superblock: the file's true base
  format::FileSpaceInfo space_info_;
  bool has_space_info_ = false;
  bool drop_cache_image_ = false;
  std::shared_ptr<FileSet> set_;
  std::unique_ptr<store::FileStore> store_;
  store::FileSpace* space_ = nullptr;                ///< owned by store_
  const io::PageBufferFile* page_buffer_ = nullptr;  ///< owned by store_
  std::unique_ptr<DatasetChunks> chunks_;            ///< goes before store_
  std::unique_ptr<VirtualDatasets> virtuals_;
  std::unique_ptr<store::GlobalHeap> global_heap_;
  std::unique_ptr<store::SharedMessages> shared_messages_;

  mutable DatasetPrefixes virtual_prefixes_, external_prefixes_;

  mutable FileLock lock_;
  mutable Mutex handles_mutex_;
  std::unordered_map<std::uint64_t, std::size_t> handles_ FILIGREE_GUARDED_BY(handles_mutex_);
  std::unordered_set<std::uint64_t> orphans_ FILIGREE_GUARDED_BY(handles_mutex_);
  std::unordered_set<std::uint64_t> doomed_;  ///< during destroy()
  std::vector<Address> waiting_;              ///< doomed, but still there
};

struct FoundSuperblock {
  std::uint64_t position = 0;
  Buffer start;  ///< what stands there, at least as much as the largest superblock unless the file ends
};

/// Where the superblock stands, if the file has one. One read where it is at the start.
std::optional<FoundSuperblock> find_superblock(const io::VirtualFile& file);

/// Throws Error(invalid_argument) for options that no file can have.
void check_create_options(const CreateOptions& options, const AccessOptions& access);

/// Brackets one change, alone with the file.
class Change {
 public:
  Change(File& file, std::string_view doing) : exclusive_(file.lock()), file_(file) {
    file.begin_change(doing);
  }
  ~Change() noexcept(false) {
    if (std::uncaught_exceptions() == 0) file_.end_change();
  }
  Change(const Change&) = delete;
  Change& operator=(const Change&) = delete;

 private:
  const FileLock::Exclusive exclusive_;
  File& file_;
};

}  // namespace filigree::model
