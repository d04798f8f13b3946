// SPDX-License-Identifier: Apache-2.0
//
// H5F: mounting files on groups of other files.
#include "capi/H5F/file_ids.hpp"
#include "capi/H5G/traverse.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

Code failed_mount() { return {&H5E_FILE_g, &H5E_MOUNT_g}; }

Location start_of(hid_t loc) {
  const H5I_type_t type = ids().find(loc) == nullptr ? H5I_BADID : IdTable::type_of(loc);
  if (type != H5I_FILE && type != H5I_GROUP) bad_type("loc_id parameter not a file or group ID");
  return location(loc);
}

/// Checks the mount point. Like HDF5, this accepts groups, and other objects while they are open.
void require_mount_point(const Location& at) {
  if (at.object.kind() == ObjectKind::group) return;
  for (const hid_t id : ids_in(nullptr, H5F_OBJ_DATASET | H5F_OBJ_DATATYPE)) {
    const Location other = location(id);
    if (other.open->shared == at.open->shared && other.object == at.object) return;
  }
  throw NestedFailure({&H5E_SYM_g, &H5E_BADTYPE_g}, "not a group");
}

void refuse_cycles(const Location& at, const OpenFile& child) {
  for (std::shared_ptr<OpenFile> above = at.open; above != nullptr; above = above->parent())
    if (above->shared == child.shared) throw NestedFailure(failed_mount(), "mount would introduce a cycle");
}

/// Returns the path of an object in the mount hierarchy, also if it was opened before its file was mounted.
std::string full_path(const Location& at) {
  const std::string mount_path = at.open->mount_path();
  return at.name.starts_with(mount_path) ? at.name : mount_path + at.name;
}

/// Returns the file whose root group the object is, or which is mounted on it; null if there is none.
std::shared_ptr<OpenFile> mounted_at(const Location& at) {
  if (at.open->parent() != nullptr && at.object == at.open->file.root()) return at.open;
  // The group of the location itself is taken as it is, not the root of a file that is mounted on it.
  return at.open->shared->mounted_on(at.object.address());
}

}  // namespace

herr_t H5Fmount(hid_t loc, const char* name, hid_t child, hid_t plist) {
  return api_call({"H5Fmount", failed_mount(), "unable to mount file"}, [&] {
    const Location start = start_of(loc);
    required_string(name, "name");
    const auto handle = ids().find_as<FileHandle>(child);
    if (handle == nullptr) bad_type("child_id parameter not a file ID");
    get_settings<MountSettings>(plist, "a file mount property list");
    const std::shared_ptr<OpenFile> mounted = handle->open();
    if (mounted->parent() != nullptr) throw NestedFailure(failed_mount(), "file is already mounted");
    const Location at = traverse(start, name, link_access(H5P_DEFAULT));
    require_mount_point(at);
    refuse_cycles(at, *mounted);
    if (at.open->shared->close_degree != mounted->shared->close_degree)
      throw NestedFailure(failed_mount(), "mounted file has different file close degree than parent");
    const std::string path = full_path(at);
    if (!at.open->shared->mount(at.object.address(), mounted))
      throw NestedFailure(failed_mount(), "mount point is already in use");
    hide_names(*at.open, path);
    mounted->set_parent(at.open->shared_from_this(), path.substr(at.open->mount_path().size()));
  });
}

herr_t H5Funmount(hid_t loc, const char* name) {
  return api_call({"H5Funmount", failed_mount(), "unable to unmount file"}, [&] {
    const Location start = start_of(loc);
    required_string(name, "name");
    const Location at = traverse(start, name, link_access(H5P_DEFAULT));
    const auto child = mounted_at(at);
    if (child == nullptr) throw NestedFailure(failed_mount(), "not a mount point");
    const std::shared_ptr<OpenFile> parent = child->parent();
    const std::string path = child->mount_path();
    parent->shared->unmount(*child);
    child->set_parent(nullptr);
    show_names(*parent, path, *child);
    child->close_unused();
    parent->close_unused();
  });
}
