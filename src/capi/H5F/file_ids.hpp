// SPDX-License-Identifier: Apache-2.0
//
// Ids of files, and of objects and attributes in files.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "capi/H5F/open_file.hpp"

namespace filigree::capi {

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

/// Returns the file of a file id.
/// *Throws* Failure with `code`; the functions of H5F differ in it.
std::shared_ptr<OpenFile> get_file(hid_t id, Code code);
/// *Throws* bad_type().
std::shared_ptr<OpenFile> get_file(hid_t id);

}  // namespace filigree::capi
