// SPDX-License-Identifier: Apache-2.0
//
// Files that ids lead into. A file stays open until the last id of it, or of anything in it, is closed.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <filigree/file.hpp>

#include "capi/H5F/flags.hpp"
#include "capi/H5P/property_list.hpp"
#include "capi/core/ids.hpp"

namespace filigree::capi {

class OpenFile;

/// A file that is open, however often it was opened.
class SharedFile {
 public:
  SharedFile(File opened, unsigned how, H5F_close_degree_t degree);

  File file;
  const unsigned intent;       ///< flags::read_write or read_only
  const unsigned long number;  ///< differs from that of every other file opened so far
  const H5F_close_degree_t close_degree;

  /// The file that is mounted on the group at an address, or null.
  std::shared_ptr<OpenFile> mounted_on(std::uint64_t address) const;
  /// False when there is one already.
  bool mount(std::uint64_t address, std::shared_ptr<OpenFile> child);
  /// Null when it is not mounted here.
  std::shared_ptr<OpenFile> unmount(const OpenFile& child);
  /// All that is mounted.
  std::vector<std::shared_ptr<OpenFile>> mounted() const;
  void unmount_all(const OpenFile& parent);

  /// flags::swmr_write or swmr_read, where others read what is written meanwhile.
  std::atomic<unsigned> swmr_flags{0};
  /// The properties that the creation list of a new file kept itself; unset for files that were opened.
  std::optional<NameSet> kept_names;
  int descriptor = -1;        ///< for H5Fget_vfd_handle, which gives out its address
  std::atomic<int> opens{0};  ///< OpenFiles whose last user has not gone
  Guarded<std::optional<H5AC_cache_config_t>> mdc_config{std::nullopt};
  std::atomic<bool> cache_traced{false};                        ///< to a file, as far as the program knows
  Guarded<PageBufferInfo> page_buffer_start{PageBufferInfo{}};  ///< what H5Freset_page_buffering_stats saw

 private:
  mutable std::mutex mutex_;
  std::map<std::uint64_t, std::shared_ptr<OpenFile>> mounts_;
  std::atomic<bool> has_mounts_{false};
};

/// A file as one call has opened it, with all that was reached through it.
class OpenFile : public std::enable_shared_from_this<OpenFile> {
 public:
  OpenFile(std::shared_ptr<SharedFile> with, std::string path, std::shared_ptr<const FileAccessSettings> how);
  ~OpenFile();
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  /// Opens a file, or shares the one that is open; `flags` as for H5Fopen. Throws Failure and Error, also
  /// when a shared one has another close degree and that is to match.
  static std::shared_ptr<OpenFile> open(const std::string& path, unsigned flags,
                                        std::shared_ptr<const FileAccessSettings> access,
                                        bool match_degree = true);
  static std::shared_ptr<OpenFile> create(const std::string& path, unsigned flags,
                                          const FileCreationSettings& creation,
                                          std::shared_ptr<const FileAccessSettings> access);
  /// That of an object, as it was opened first; null when the object's file was not opened here.
  static std::shared_ptr<OpenFile> of(const Object& object);
  /// H5Fstart_swmr_write. Throws Failure and Error.
  void start_swmr_write();
  /// Reads again what another process may have changed.
  void refresh();
  /// The same file, opened once more.
  std::shared_ptr<OpenFile> again() const;

  const std::shared_ptr<SharedFile> shared;
  File file;
  const unsigned intent;
  /// As H5Fopen takes them.
  unsigned flags() const { return intent | shared->swmr_flags.load(); }
  const std::string name;  ///< as given
  const std::shared_ptr<const FileAccessSettings> access;

  void add_user();
  /// The last user closes the file; when that fails, it stays.
  void remove_user();
  int users() const { return users_.load(); }

  /// The id of the file, with one reference more; a new one when it was closed.
  hid_t retain_id();
  /// For FileHandle.
  void forget_id();
  bool has_id() const { return id_.load() != H5I_INVALID_HID; }

  /// Where it is mounted; null for most.
  std::shared_ptr<OpenFile> parent() const;
  void set_parent(const std::shared_ptr<OpenFile>& parent);
  /// The one that nothing is mounted over.
  std::shared_ptr<OpenFile> topmost();

 private:
  std::mutex mutex_;
  bool closed_ = false;  ///< the last user has gone
  mutable std::mutex parent_mutex_;
  std::weak_ptr<OpenFile> parent_;
  std::atomic<int> users_{0};
  std::atomic<hid_t> id_{H5I_INVALID_HID};
};

/// The same, with a user as long as the result lives: for files that no id may lead into meanwhile.
std::shared_ptr<OpenFile> in_use(const std::shared_ptr<OpenFile>& open);

}  // namespace filigree::capi
