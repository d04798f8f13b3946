// SPDX-License-Identifier: Apache-2.0
//
// Ids of files, and of objects and attributes in files.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/mutex.hpp"
#include "capi/H5F/open_file.hpp"

namespace filigree::capi {

/// The handle of an id that refers into a file. It is a user of the OpenFile until it is closed.
/// *Thread safety*: all functions may be called concurrently.
class InFileHandle : public Handle {
 public:
  explicit InFileHandle(const std::shared_ptr<OpenFile>& open);
  ~InFileHandle() override;
  /// Returns null for datatypes that are not committed.
  std::shared_ptr<OpenFile> open() const;
  void close() override;
  FileOrders orders() const override;
  bool is_closed() const;
  /// The address of the object header; nothing for files, attributes and transient datatypes.
  virtual std::optional<std::uint64_t> object_address() const { return std::nullopt; }
  /// Binds a datatype that was committed to its file.
  void attach(const std::shared_ptr<OpenFile>& open);

  /// Returns the path under which the object was opened and can still be found, or an empty string.
  std::string name() const;
  void set_name(std::string name);
  /// Whether a file is mounted on a group of the path, so that the path leads elsewhere.
  bool is_hidden() const;
  /// Adds a mount that hides the object, or removes one.
  void hide(int mounts);

 private:
  mutable Mutex mutex_;
  std::shared_ptr<OpenFile> open_ FILIGREE_GUARDED_BY(mutex_);
  std::string name_ FILIGREE_GUARDED_BY(mutex_);
  int hidden_ FILIGREE_GUARDED_BY(mutex_) = 0;  ///< number of mounts
  bool closed_ FILIGREE_GUARDED_BY(mutex_) = false;
};

/// The handle of a file id.
class FileHandle final : public InFileHandle {
 public:
  explicit FileHandle(const std::shared_ptr<OpenFile>& open) : InFileHandle(open) { set_name("/"); }
  H5I_type_t type() const override { return H5I_FILE; }
  void close() override;  ///< observes the close degree of the file
  void moved_to(hid_t id) override;
};

/// A group or dataset.
class ObjectHandle : public InFileHandle {
 public:
  ObjectHandle(const std::shared_ptr<OpenFile>& open, Object reached)
      : InFileHandle(open), object(std::move(reached)) {
    if (object.path().starts_with('/')) set_name(object.path());
  }
  std::optional<std::uint64_t> object_address() const override { return object.address(); }
  const Object object;
};

/// The handle of a group id.
class GroupHandle final : public ObjectHandle {
 public:
  GroupHandle(const std::shared_ptr<OpenFile>& open, const Group& reached)
      : ObjectHandle(open, reached), group(reached) {}
  H5I_type_t type() const override { return H5I_GROUP; }
  Group group;
};

/// The handle of a dataset id, with its access property list.
class DatasetHandle final : public ObjectHandle {
 public:
  DatasetHandle(const std::shared_ptr<OpenFile>& open, const Dataset& reached,
                std::shared_ptr<const DatasetAccessSettings> settings, bool virtual_layout);
  H5I_type_t type() const override { return H5I_DATASET; }
  void close() override;  ///< closes the sources of virtual datasets with the last of them
  Dataset dataset;
  const std::shared_ptr<const DatasetAccessSettings> access;
  const bool is_virtual;
  /// The creation property list, if the dataset was created through this id.
  std::shared_ptr<const DatasetCreationSettings> creation;
};

/// The handle of an attribute id.
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

/// An object in a file, and how it was reached. Paths start and end at locations.
struct Location {
  std::shared_ptr<OpenFile> open;
  Object object;        ///< the root group for files, the owner for attributes
  std::string name;     ///< the path as H5Iget_name returns it; equal to the path() of `object`
  Group group() const;  ///< *Throws* Failure for objects of another type
};
/// Returns the object of an id of a file, or of an object or attribute in one. *Throws* bad_type().
Location location(hid_t id);
/// Returns the file of an id of a file, or of an object or attribute in one. *Throws* bad_type().
std::shared_ptr<OpenFile> file_of(hid_t id);
/// Returns the root group of the topmost file of a mount hierarchy.
Location root_of(const std::shared_ptr<OpenFile>& open);

/// Returns a new id for an object, of the type that fits it.
hid_t add_object(const Location& at);
hid_t add_object(const Object& object);

/// Searches the file for a path to the object. Returns an empty string when there is none.
std::string find_path(const Location& at);
/// Returns the path that H5Iget_name reports, or an empty string. *Throws* bad_type().
std::string name_of(hid_t id);
/// Hides the open ids below a mount point.
void hide_names(OpenFile& in, const std::string& mount_path);
/// Shows the open ids below a former mount point again, and clears the paths of ids in the files that are
/// mounted no longer.
void show_names(OpenFile& in, const std::string& mount_path, OpenFile& unmounted);
/// Updates the paths of open ids after a link was renamed.
void update_moved_names(const OpenFile& in, const std::string& from, const std::string& to);
/// Clears the paths of open ids after a link was deleted.
void clear_deleted_names(const OpenFile& in, const std::string& name);

/// Flushes the file of an object, and then calls what its access property list names for this
/// (H5Pset_object_flush_cb). *Throws* Failure.
void flush_object(hid_t id, OpenFile& open);

/// Returns the open ids that H5Fget_obj_ids counts, in one file, or in all files for null.
std::vector<hid_t> ids_in(const OpenFile* open, unsigned types);

/// Returns the file of a file id.
/// *Throws* Failure with `code`; the functions of H5F differ in it.
std::shared_ptr<OpenFile> get_file(hid_t id, Code code);
/// *Throws* bad_type().
std::shared_ptr<OpenFile> get_file(hid_t id);

}  // namespace filigree::capi
