// SPDX-License-Identifier: Apache-2.0
//
// Open files. A file stays open until the last id of the file, or of an object in it, is closed. Files that
// are mounted in each other form a hierarchy, all of which stays open until the last id in any of them is
// closed.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <filigree/file.hpp>

#include "base/mutex.hpp"
#include "capi/H5F/flags.hpp"
#include "capi/H5FD/drivers.hpp"
#include "capi/H5P/property_list.hpp"
#include "capi/core/ids.hpp"

namespace filigree::capi {

class MdcLog;
class OpenFile;

/// A file that is open once or several times.
/// *Thread safety*: all functions may be called concurrently.
class SharedFile {
 public:
  SharedFile(File opened, const std::string& path, unsigned how, const FileAccessSettings& access);

  File file;
  const unsigned intent;       ///< flags::read_write or read_only
  const unsigned long number;  ///< unique among the files that the process has opened (H5Fget_fileno)
  const H5F_close_degree_t close_degree;
  const bool locks;  ///< whether the file is locked, as H5Pset_file_locking or the environment say
  const std::shared_ptr<FileOrder> order;  ///< of its asynchronous operations

  /// Returns the file that is mounted on the group at an address, or null.
  std::shared_ptr<OpenFile> mounted_on(std::uint64_t address) const;
  /// Returns false when a file is mounted there already.
  bool mount(std::uint64_t address, std::shared_ptr<OpenFile> child);
  /// Returns false when the file is not mounted here.
  bool unmount(const OpenFile& child);
  /// Returns all files that are mounted in this one.
  std::vector<std::shared_ptr<OpenFile>> mounted() const;

  /// flags::swmr_write or flags::swmr_read for SWMR access, or else zero.
  std::atomic<unsigned> swmr_flags{0};
  /// The properties that the creation list of a new file kept itself; unset for files that were opened.
  std::optional<NameSet> kept_names;
  DescriptorSlot descriptor;  ///< for H5Fget_vfd_handle, which returns its address
  std::atomic<int> opens{0};  ///< number of OpenFiles with users
  Guarded<std::optional<H5AC_cache_config_t>> mdc_config{std::nullopt};
  std::atomic<bool> minimises_headers{false};  ///< of new datasets (H5Fset_dset_no_attrs_hint)
  /// The addresses of objects whose changed metadata stay in memory (H5Odisable_mdc_flushes).
  Guarded<std::set<std::uint64_t>> held_objects{std::set<std::uint64_t>{}};
  std::shared_ptr<MdcLog> mdc_log;        ///< null: the access property list asks for none
  std::atomic<bool> cache_traced{false};  ///< a trace file is open, as far as the program knows
  Guarded<PageBufferInfo> page_buffer_start{
      PageBufferInfo{}};  ///< statistics at the last H5Freset_page_buffering_stats

 private:
  mutable Mutex mutex_;
  std::map<std::uint64_t, std::shared_ptr<OpenFile>> mounts_ FILIGREE_GUARDED_BY(mutex_);
  std::atomic<bool> has_mounts_{false};
};

/// A file as one call of H5Fopen or H5Fcreate opened it, with everything that was opened through it.
class OpenFile : public std::enable_shared_from_this<OpenFile> {
 public:
  OpenFile(std::shared_ptr<SharedFile> with, std::string path, std::shared_ptr<const FileAccessSettings> how);
  ~OpenFile();
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  /// Opens a file, or shares the one that is open already. `flags` are those of H5Fopen.
  /// *Throws* Failure and Error; with `match_degree`, also for a shared file with another close degree.
  static std::shared_ptr<OpenFile> open(const std::string& path, unsigned flags,
                                        std::shared_ptr<const FileAccessSettings> access,
                                        bool match_degree = true);
  /// Creates a file (H5Fcreate). *Throws* Failure and Error.
  static std::shared_ptr<OpenFile> create(const std::string& path, unsigned flags,
                                          const FileCreationSettings& creation,
                                          std::shared_ptr<const FileAccessSettings> access);
  /// Returns the file through which an object was opened first, or null for files that were not opened
  /// through the C API.
  static std::shared_ptr<OpenFile> of(const Object& object);
  /// Starts SWMR write access (H5Fstart_swmr_write). *Throws* Failure and Error.
  void start_swmr_write();
  /// Discards cached metadata that another process may have changed.
  void refresh();
  /// Holds the changed metadata of an object back, or no longer. Return false if nothing changes thereby.
  bool hold_object(std::uint64_t address);
  bool release_object(std::uint64_t address);
  /// Opens the same file once more (H5Freopen).
  std::shared_ptr<OpenFile> again() const;

  const std::shared_ptr<SharedFile> shared;
  File file;
  const unsigned intent;
  /// Returns the flags of H5Fopen that describe the file.
  unsigned flags() const { return intent | shared->swmr_flags.load(); }
  /// Whether the processes of an MPI communicator use the file together.
  bool is_parallel() const { return driver_of(access->driver)->functions.value == H5_VFD_MPIO; }
  const std::string name;  ///< as the program passed it
  const std::shared_ptr<const FileAccessSettings> access;

  /// Counts an id or scope that needs the file.
  void add_user();
  /// Removes a user. The last one of a hierarchy closes its files; if closing this one fails, it stays open.
  void remove_user();
  int users() const { return users_.load(); }
  /// Returns whether the file has users, or is in a mount hierarchy that has.
  bool is_open() { return users() > 0 || parent() != nullptr || mounted_below().size() > 1; }
  /// Closes the files of the hierarchy if none of them has users any more, as after unmounting.
  void close_unused();

  /// Returns the id of the file with one more reference, or a new id if it was closed.
  hid_t retain_id();
  /// Called by FileHandle when the id is closed.
  void forget_id();
  /// Called by FileHandle when it gets another id.
  void set_id(hid_t id) { id_ = id; }
  bool has_id() const { return id_.load() != H5I_INVALID_HID; }

  /// Returns the file that this one is mounted in, or null.
  std::shared_ptr<OpenFile> parent() const;
  /// Sets the parent and the path of the mount point in it, or null.
  void set_parent(std::shared_ptr<OpenFile> parent, std::string mount_point = "");
  /// Returns the root group of this file. *Throws* Error.
  Group root();
  /// Returns the topmost file of the mount hierarchy.
  std::shared_ptr<OpenFile> topmost();
  /// Returns the path of the root group in the mount hierarchy; empty for the topmost file.
  std::string mount_path() const;
  /// Returns this file and all files that are mounted below it through it, parents first.
  std::vector<std::shared_ptr<OpenFile>> mounted_below();
  /// Returns the orders of the asynchronous operations of all files of the mount hierarchy.
  FileOrders orders();

 private:
  void end_use(int users);
  /// *Requires* the mutexes of all files, which the check cannot follow.
  void close_hierarchy(const std::vector<std::shared_ptr<OpenFile>>& all) FILIGREE_NO_THREAD_SAFETY_ANALYSIS;
  void close_file() FILIGREE_REQUIRES(mutex_);

  Mutex mutex_;
  bool closed_ FILIGREE_GUARDED_BY(mutex_) = false;  ///< the last user has been removed
  mutable Mutex parent_mutex_;
  /// A cycle with the parent's mounts, which unmounting ends.
  std::shared_ptr<OpenFile> parent_ FILIGREE_GUARDED_BY(parent_mutex_);
  std::string mount_point_ FILIGREE_GUARDED_BY(parent_mutex_);    ///< in the parent
  std::optional<Group> root_ FILIGREE_GUARDED_BY(parent_mutex_);  ///< once it was asked for
  std::atomic<int> users_{0};
  std::atomic<hid_t> id_{H5I_INVALID_HID};
};

/// Returns a pointer that counts as a user of the file while it lives. It keeps a file open that has no id.
std::shared_ptr<OpenFile> in_use(const std::shared_ptr<OpenFile>& open);

}  // namespace filigree::capi
