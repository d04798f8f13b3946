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
    if (!at.open->shared->mount(at.object.address(), mounted))
      throw NestedFailure(failed_mount(), "mount point is already in use");
    mounted->add_user();
    mounted->set_parent(at.open->shared_from_this());
  });
}

herr_t H5Funmount(hid_t loc, const char* name) {
  return api_call({"H5Funmount", failed_mount(), "unable to unmount file"}, [&] {
    const Location start = start_of(loc);
    required_string(name, "name");
    const Location at = traverse(start, name, link_access(H5P_DEFAULT));
    const std::shared_ptr<OpenFile> parent = at.open->parent();
    const bool is_root = at.object == at.open->file.root();
    auto child = parent == nullptr || !is_root ? nullptr : parent->shared->unmount(*at.open);
    // The group of the location itself is taken as it is, not the root of a file that is mounted on it.
    if (const auto here = at.open->shared->mounted_on(at.object.address());
        child == nullptr && here != nullptr)
      child = at.open->shared->unmount(*here);
    if (child == nullptr) throw NestedFailure(failed_mount(), "not a mount point");
    child->set_parent(nullptr);
    child->remove_user();
  });
}
