// SPDX-License-Identifier: Apache-2.0
#include "capi/H5F/file_ids.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "capi/H5T/datatype.hpp"

namespace filigree::capi {
namespace {

constexpr H5I_type_t types_in_files[] = {H5I_ATTR, H5I_DATASET, H5I_GROUP, H5I_DATATYPE};

bool below(const std::string& name, const std::string& path) {
  return name.starts_with(path) && (name.size() == path.size() || name[path.size()] == '/');
}

/// Calls `work` for every id of an object in the file, through whichever OpenFile it was opened.
template <class Work>
void for_each_in(const SharedFile& file, Work&& work) {
  for (const H5I_type_t type : types_in_files) {
    for (const hid_t id : ids().of_type(type)) {
      const auto handle = ids().peek_as<InFileHandle>(id);
      if (handle == nullptr) continue;
      if (const auto open = handle->open(); open != nullptr && open->shared.get() == &file) work(*handle);
    }
  }
}

/// Calls `work` for every id of a group, dataset or datatype that was opened through `open`. The paths of
/// attributes do not change when files are mounted and unmounted, as in HDF5.
template <class Work>
void for_each_named(const OpenFile& open, Work&& work) {
  for (const H5I_type_t type : {H5I_DATASET, H5I_GROUP, H5I_DATATYPE}) {
    for (const hid_t id : ids().of_type(type)) {
      const auto handle = ids().peek_as<InFileHandle>(id);
      if (handle != nullptr && handle->open().get() == &open) work(*handle);
    }
  }
}

/// Returns the handle as what refers into a file, or null. Only such handles have these types.
const InFileHandle* in_file(const Handle* handle) {
  if (handle == nullptr) return nullptr;
  const H5I_type_t type = handle->type();
  const bool is = type == H5I_FILE || std::ranges::find(types_in_files, type) != std::end(types_in_files);
  return is ? static_cast<const InFileHandle*>(handle) : nullptr;
}

std::string without_prefix(const std::string& path, const std::string& prefix) {
  return !prefix.empty() && below(path, prefix) ? path.substr(prefix.size()) : path;
}

void close_objects(const OpenFile& open) {
  for (const hid_t id : ids_in(&open, H5F_OBJ_LOCAL | (H5F_OBJ_ALL & ~H5F_OBJ_FILE))) {
    const auto handle = ids().look(id).handle;
    if (handle == nullptr) continue;
    handle->close();
    ids().remove(id);
  }
}

/// What ends with the last id of an object: metadata that are held back, and those that stay in memory.
void object_closed(const InFileHandle& closed, OpenFile& open) {
  const auto address = closed.object_address();
  const bool evicts = open.access->evict_on_close;
  if (!address || (!evicts && open.shared->held_objects.get()->empty())) return;
  bool open_elsewhere = false;
  for_each_in(*open.shared, [&](const InFileHandle& other) {
    if (!other.is_closed() && other.object_address() == address) open_elsewhere = true;
  });
  if (open_elsewhere) return;
  open.release_object(*address);
  try {
    if (evicts) open.file.evict_metadata();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::closed) throw;
  }
}

}  // namespace

InFileHandle::InFileHandle(const std::shared_ptr<OpenFile>& open)
    : open_(open == nullptr ? nullptr
                            : open->shared_from_this()) {  // not the pointer that in_use() wraps around it
  if (open_ != nullptr) open_->add_user();
}

InFileHandle::~InFileHandle() {
  if (closed_ || open_ == nullptr) return;
  try {
    open_->remove_user();
  } catch (...) {  // Programs that need the result call close().
  }
}

std::shared_ptr<OpenFile> InFileHandle::open() const {
  const MutexLock lock(mutex_);
  return open_;
}

FileOrders InFileHandle::orders() const {
  const std::shared_ptr<OpenFile> in = open();
  return in == nullptr ? FileOrders{} : in->orders();
}

void InFileHandle::close() {
  std::shared_ptr<OpenFile> open;
  {
    const MutexLock lock(mutex_);
    if (closed_ || open_ == nullptr) return;
    closed_ = true;
    open = open_;
  }
  object_closed(*this, *open);
  try {
    open->remove_user();
  } catch (...) {
    const MutexLock lock(mutex_);
    closed_ = false;
    throw;
  }
}

bool InFileHandle::is_closed() const {
  const MutexLock lock(mutex_);
  return closed_;
}

void flush_object(hid_t id, OpenFile& open) {
  if (open.intent == flags::read_write) open.file.flush();
  const FileAccessSettings& access = *open.access;
  if (access.flush_callback != nullptr && access.flush_callback(id, access.flush_data) < 0)
    throw NestedFailure({&H5E_FILE_g, &H5E_CANTINIT_g}, "the callback for flushed objects failed");
}

void InFileHandle::attach(const std::shared_ptr<OpenFile>& open) {
  open->add_user();
  const MutexLock lock(mutex_);
  open_ = open->shared_from_this();
}

std::string InFileHandle::name() const {
  const MutexLock lock(mutex_);
  return name_;
}

void InFileHandle::set_name(std::string name) {
  const MutexLock lock(mutex_);
  name_ = std::move(name);
}

DatasetHandle::DatasetHandle(const std::shared_ptr<OpenFile>& open, const Dataset& reached,
                             std::shared_ptr<const DatasetAccessSettings> settings, bool virtual_layout)
    : ObjectHandle(open, reached),
      dataset(reached),
      access(std::move(settings)),
      is_virtual(virtual_layout) {}

void DatasetHandle::close() {
  const auto uses_sources = [&](hid_t id) {
    const auto other = ids().peek_as<DatasetHandle>(id);
    return other != nullptr && other.get() != this && other->is_virtual;
  };
  // As in HDF5, source files are closed with the virtual dataset, so that programs can replace them.
  if (is_virtual && std::ranges::none_of(ids().of_type(H5I_DATASET), uses_sources)) dataset.close_sources();
  InFileHandle::close();
}

bool InFileHandle::is_hidden() const {
  const MutexLock lock(mutex_);
  return hidden_ > 0;
}

void InFileHandle::hide(int mounts) {
  const MutexLock lock(mutex_);
  hidden_ = std::max(0, hidden_ + mounts);
}

/// The close degree counts for the last file id of a mount hierarchy, all files of which have the same.
void FileHandle::close() {
  const std::shared_ptr<OpenFile> file = open();
  const auto hierarchy = file->topmost()->mounted_below();
  int users = 0;
  bool is_last_file = true;
  for (const auto& one : hierarchy) {
    users += one->users();
    if (one != file && one->has_id()) is_last_file = false;
  }
  const H5F_close_degree_t degree = file->shared->close_degree;
  if (is_last_file && degree == H5F_CLOSE_SEMI && users > 1) {
    throw NestedFailure({&H5E_FILE_g, &H5E_CANTCLOSEFILE_g},
                        "can't close file, there are objects still open");
  }
  if (is_last_file && degree == H5F_CLOSE_STRONG)
    for (const auto& one : hierarchy) close_objects(*one);
  InFileHandle::close();
  file->forget_id();
}

void FileHandle::moved_to(hid_t id) { open()->set_id(id); }

std::vector<hid_t> ids_in(const OpenFile* open, unsigned types) {
  struct Kind {
    unsigned flag;
    H5I_type_t type;
  };
  constexpr Kind kinds[] = {{H5F_OBJ_FILE, H5I_FILE},
                            {H5F_OBJ_DATASET, H5I_DATASET},
                            {H5F_OBJ_GROUP, H5I_GROUP},
                            {H5F_OBJ_DATATYPE, H5I_DATATYPE},
                            {H5F_OBJ_ATTR, H5I_ATTR}};
  std::vector<hid_t> found;
  for (const Kind& kind : kinds) {
    if ((types & kind.flag) == 0) continue;
    for (const hid_t id : ids().of_type(kind.type)) {
      const auto handle = ids().peek_as<InFileHandle>(id);
      const auto in = handle == nullptr ? nullptr : handle->open();
      if (in == nullptr) continue;
      const bool local = (types & H5F_OBJ_LOCAL) != 0;
      if (open == nullptr || (local ? in.get() == open : in->shared == open->shared)) found.push_back(id);
    }
  }
  return found;
}

Group Location::group() const {
  if (object.kind() != ObjectKind::group) throw NestedFailure({&H5E_SYM_g, &H5E_BADTYPE_g}, "not a group");
  return Group(object);
}

Location root_of(const std::shared_ptr<OpenFile>& open) {
  // As in HDF5, a file that is mounted on a root group itself is never visible.
  std::shared_ptr<OpenFile> top = open->topmost();
  // The given pointer may be the one of in_use(), which alone keeps the file open.
  top = top == open ? open : in_use(top);
  Object root = top->root();
  return {std::move(top), std::move(root), "/"};
}

Location location(hid_t id) {
  const std::shared_ptr<Handle> found = ids().find(id);
  const InFileHandle* const handle = in_file(found.get());
  auto open = handle == nullptr ? nullptr : handle->open();
  if (open == nullptr) bad_type("not a location: no id of a file, or of something in a file");
  switch (handle->type()) {
    case H5I_FILE:
      return root_of(open);
    case H5I_ATTR:
      return {std::move(open), static_cast<const AttributeHandle*>(handle)->owner, handle->name()};
    case H5I_DATATYPE: {
      const auto& type = static_cast<const TypeHandle&>(*handle);
      if (type.committed == nullptr) bad_type("not a location: the datatype is not committed");
      return {std::move(open), *type.committed, handle->name()};
    }
    default:
      return {std::move(open), static_cast<const ObjectHandle*>(handle)->object, handle->name()};
  }
}

std::shared_ptr<OpenFile> file_of(hid_t id) {
  const std::shared_ptr<Handle> found = ids().find(id);
  const InFileHandle* const handle = in_file(found.get());
  auto open = handle == nullptr ? nullptr : handle->open();
  if (open == nullptr) bad_type("not a file or file object");
  return open;
}

hid_t add_object(const Location& at) {
  std::shared_ptr<InFileHandle> handle;
  switch (at.object.kind()) {
    case ObjectKind::group:
      handle = std::make_shared<GroupHandle>(at.open, Group(at.object));
      break;
    case ObjectKind::dataset: {
      const Dataset dataset(at.object);
      // As in HDF5, a dataset whose messages cannot be decoded is not opened.
      static_cast<void>(dataset.fill_bytes());
      handle = std::make_shared<DatasetHandle>(
          at.open, dataset, std::make_shared<const DatasetAccessSettings>(), dataset.is_virtual());
      break;
    }
    case ObjectKind::datatype:
      handle = std::make_shared<TypeHandle>(at.open, CommittedDatatype(at.object));
      break;
  }
  handle->set_name(at.name);
  return ids().add(std::move(handle));
}

hid_t add_object(const Object& object) {
  std::shared_ptr<OpenFile> open = OpenFile::of(object);
  if (open == nullptr) bad_value("the object is in no file that is open");
  return add_object({std::move(open), object, object.path().starts_with('/') ? object.path() : ""});
}

std::string find_path(const Location& at) {
  std::string path;
  const std::string mount_path = at.open->mount_path();
  // As in HDF5, the root group of a mounted file is not found: its path leads to the mount point.
  if (at.object.address() == at.open->file.root().address()) return mount_path.empty() ? "/" : "";
  at.open->file.root().visit(
      [&](const Visited& visited) {
        if (!visited.object || visited.object->address() != at.object.address()) return true;
        path = mount_path + "/" + visited.path;
        return false;
      },
      {.keep_going = true});
  return path;
}

std::string name_of(hid_t id) {
  const auto handle = ids().find_as<InFileHandle>(id);
  if (handle == nullptr) bad_type("not an object with a name");
  if (handle->is_hidden()) return "";
  // An object that was opened through a reference, or whose link was removed, may have another path. It is
  // searched for each time, because mounts change paths.
  const std::string name = handle->name();
  return name.empty() && handle->open() != nullptr ? find_path(location(id)) : name;
}

void hide_names(OpenFile& in, const std::string& mount_path) {
  for (const auto& open : in.topmost()->mounted_below())
    for_each_named(*open, [&](InFileHandle& handle) {
      if (handle.name() != mount_path && below(handle.name(), mount_path)) handle.hide(1);
    });
}

void show_names(OpenFile& in, const std::string& mount_path, OpenFile& unmounted) {
  for (const auto& open : in.topmost()->mounted_below())
    for_each_named(*open, [&](InFileHandle& handle) {
      if (handle.name() != mount_path && below(handle.name(), mount_path)) handle.hide(-1);
    });
  for (const auto& open : unmounted.mounted_below())
    for_each_named(*open, [&](InFileHandle& handle) {
      if (below(handle.name(), mount_path)) handle.set_name("");
    });
}

void update_moved_names(const OpenFile& in, const std::string& from, const std::string& to) {
  const std::string mount_path = in.mount_path();
  for_each_in(*in.shared, [&](InFileHandle& handle) {
    const std::string name = handle.name();
    if (below(name, from)) handle.set_name(to + name.substr(from.size()));
    // Ids that were opened before their file was mounted have paths without that of the mount point.
    const std::string own_from = without_prefix(from, mount_path), own_to = without_prefix(to, mount_path);
    if (own_from != from && below(name, own_from)) handle.set_name(own_to + name.substr(own_from.size()));
  });
}

void clear_deleted_names(const OpenFile& in, const std::string& path) {
  const std::string own_path = without_prefix(path, in.mount_path());
  for_each_in(*in.shared, [&](InFileHandle& handle) {
    if (below(handle.name(), path) || below(handle.name(), own_path)) handle.set_name("");
  });
}

std::shared_ptr<OpenFile> get_file(hid_t id, Code code) {
  const auto handle = ids().find_as<FileHandle>(id);
  if (handle == nullptr) throw Failure(code, "not a file ID");
  return handle->open();
}

std::shared_ptr<OpenFile> get_file(hid_t id) { return get_file(id, {&H5E_ARGS_g, &H5E_BADTYPE_g}); }

}  // namespace filigree::capi
