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
  std::optional<NameSet> made_with;  ///< what the creation list has set, of a file that was made
  int descriptor = -1;               ///< for H5Fget_vfd_handle, which gives out its address
  std::atomic<int> opens{0};         ///< OpenFiles whose last user has not gone
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

/// Ids of things in a file.
class InFileHandle : public Handle {
 public:
  explicit InFileHandle(const std::shared_ptr<OpenFile>& open);
  ~InFileHandle() override;
  /// Null for datatypes that are in no file.
  std::shared_ptr<OpenFile> open() const;
  void close() override;
  /// A datatype is committed: from now on it is in that file.
  void attach(const std::shared_ptr<OpenFile>& open);

  /// The path by which it was reached and is still found; empty when there is none.
  std::string name() const;
  void set_name(std::string name);

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<OpenFile> open_;
  std::string name_;
  bool closed_ = false;
};

class FileHandle final : public InFileHandle {
 public:
  explicit FileHandle(const std::shared_ptr<OpenFile>& open) : InFileHandle(open) { set_name("/"); }
  H5I_type_t type() const override { return H5I_FILE; }
  void close() override;  ///< as the close degree says
};

/// Groups and datasets.
class ObjectHandle : public InFileHandle {
 public:
  ObjectHandle(const std::shared_ptr<OpenFile>& open, Object reached)
      : InFileHandle(open), object(std::move(reached)) {
    if (object.path().starts_with('/')) set_name(object.path());
  }
  const Object object;
};

class GroupHandle final : public ObjectHandle {
 public:
  GroupHandle(const std::shared_ptr<OpenFile>& open, const Group& reached)
      : ObjectHandle(open, reached), group(reached) {}
  H5I_type_t type() const override { return H5I_GROUP; }
  Group group;
};

class DatasetHandle final : public ObjectHandle {
 public:
  DatasetHandle(const std::shared_ptr<OpenFile>& open, const Dataset& reached,
                std::shared_ptr<const DatasetAccessSettings> settings)
      : ObjectHandle(open, reached), dataset(reached), access(std::move(settings)) {}
  H5I_type_t type() const override { return H5I_DATASET; }
  Dataset dataset;
  const std::shared_ptr<const DatasetAccessSettings> access;
  /// Of a dataset that this id was made with.
  std::shared_ptr<const DatasetCreationSettings> creation;
};

class AttributeHandle final : public InFileHandle {
 public:
  AttributeHandle(const std::shared_ptr<OpenFile>& open, Object of, Attribute reached)
      : InFileHandle(open), owner(std::move(of)), attribute(std::move(reached)) {
    if (owner.path().starts_with('/')) set_name(owner.path());
  }
  H5I_type_t type() const override { return H5I_ATTR; }
  const Object owner;
  Attribute attribute;
};

/// Where a path starts, or ends: any id of a file or of something in it.
struct Location {
  std::shared_ptr<OpenFile> open;
  Object object;        ///< the root group for files, the owner for attributes
  std::string name;     ///< as H5Iget_name tells it; its object's path() is the same
  Group group() const;  ///< throws Failure when it is no group
};
/// Throws bad_type().
Location location(hid_t id);
/// That of a file, or of anything in one. Throws bad_type().
std::shared_ptr<OpenFile> file_of(hid_t id);
/// The root group of the file that nothing is mounted over.
Location root_of(const std::shared_ptr<OpenFile>& open);

/// A new id for an object, of the type that the object has.
hid_t add_object(const Location& at);
hid_t add_object(const Object& object);

/// A path to the object, for which the file is searched; empty when no path leads to it.
std::string find_path(const Location& at);
/// As H5Iget_name; empty when there is none. Throws bad_type().
std::string name_of(hid_t id);
/// Open ids follow a link that has another name now.
void names_moved(const OpenFile& in, const std::string& from, const std::string& to);
/// Open ids lose a name that is no more.
void names_gone(const OpenFile& in, const std::string& name);

/// Open ids of things in the file (all files for null), as H5Fget_obj_ids counts them.
std::vector<hid_t> ids_in(const OpenFile* open, unsigned types);

}  // namespace filigree::capi
