// SPDX-License-Identifier: Apache-2.0
//
// H5F: creating, opening and closing files, and their open objects.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "capi/H5ES/operations.hpp"
#include "capi/H5F/file_ids.hpp"
#include "capi/H5FD/user_driver.hpp"
#include "capi/H5P/options.hpp"
#include "capi/H5VL/connectors.hpp"
#include "capi/core/strings.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

constexpr Code cannot_open() { return {&H5E_FILE_g, &H5E_CANTOPENFILE_g}; }

std::shared_ptr<const FileAccessSettings> access_of(hid_t plist) {
  try {
    auto access = get_settings<FileAccessSettings>(plist, "a file access property list");
    require_native(*access);
    return access;
  } catch (const NestedFailure&) {
    throw;
  } catch (const Failure& failure) {
    throw NestedFailure({&H5E_ARGS_g, &H5E_BADTYPE_g}, failure.what());
  }
}

const char* file_name(const char* name) {
  if (name == nullptr || *name == '\0') bad_value("invalid file name");
  wait_for_file(name);
  return name;
}

/// Checks that the file uses paged allocation, which the page buffer needs.
void check_page_buffer(const FileAccessSettings& access, const SpaceOptions& space) {
  if (access.options.page_buffer_bytes != 0 && space.strategy != SpaceStrategy::paged)
    throw NestedFailure({&H5E_FILE_g, &H5E_CANTINIT_g},
                        "a page buffer needs a file with the strategy of pages");
}

htri_t is_accessible(const char* name, hid_t plist) {
  const auto access = access_of(plist);
  const AccessOptions options = access_options(*access);
  try {
    if (const auto driver = user_driver(*access)) {
      open_through(*driver, name, OpenMode::read_only, options);
      return 1;
    }
    if (!options.driver.name().empty() && options.driver.options<MemoryDriver>() == nullptr) {
      File::open(name, OpenMode::read_only, options);
      return 1;
    }
    return File::is_hdf5(name) ? 1 : 0;
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::not_hdf5) return 0;
    if (error.kind() == ErrorKind::not_found)
      throw NestedFailure(cannot_open(),
                          fmt::format("unable to open file: name = '{}', errno = {}, error message = '{}'",
                                      name, ENOENT, std::strerror(ENOENT)));
    throw;
  }
}

/// Returns the info of a user-defined driver from its open file. As in HDF5, there is none without a callback
/// for it.
std::shared_ptr<const void> reported_info(const OpenFile& open, const DriverFile& file) {
  const H5FD_class_t& calls = file.calls();
  const hid_t driver = open.access->driver.driver;
  if (calls.fapl_get == nullptr) return copy_driver_info(driver, nullptr);
  void* const info = file.call([](const H5FD_class_t& c, H5FD_t* f) { return c.fapl_get(f); });
  const std::shared_ptr<void> owned(info, [release = calls.fapl_free](void* old) {
    if (old == nullptr) return;
    release != nullptr ? static_cast<void>(release(old)) : std::free(old);
  });
  return copy_driver_info(driver, info);
}

/// Returns the properties that HDF5 sets in the creation property list of a file, beside those of the
/// program.
PropertyNames set_in_file(const SharedFile& file, const FileCreationSettings& settings) {
  const unsigned version = settings.superblock_version;
  if (file.kept_names) return version == 0 ? PropertyNames{} : PropertyNames{"super_version"};
  PropertyNames names{"block_size", "super_version", "obj_byte_num", "addr_byte_num"};
  if (version < 2) names.insert(names.end(), {"btree_rank", "symbol_leaf"});
  if (!settings.options.shared_messages.empty())
    names.insert(names.end(), {"num_shmsg_indexes", "shmsg_message_types", "shmsg_message_minsize",
                               "shmsg_list_max", "shmsg_btree_min"});
  const SpaceOptions& space = settings.options.space;
  if (space.strategy != SpaceStrategy::free_list || space.persist || space.threshold != 1 ||
      space.page_bytes != SpaceOptions{}.page_bytes)
    names.insert(names.end(), {"file_space_strategy", "free_space_persist", "num_shmsg_indexes"});
  return names;
}

/// The properties that HDF5 sets in the access property list of every file.
const PropertyNames set_in_access = {"align",
                                     "metadata_read_attempts",
                                     "mdc_initCacheImageCfg",
                                     "rdcc_w0",
                                     "efc_size",
                                     "close_degree",
                                     "sdata_block_size",
                                     "mdc_log_location",
                                     "meta_block_size",
                                     "sieve_buf_size",
                                     "libver_high_bound",
                                     "libver_low_bound",
                                     "object_flush_cb",
                                     "mdc_initCacheCfg",
                                     "rdcc_nbytes",
                                     "rdcc_nslots",
                                     "file_image_info",
                                     "threshold",
                                     "vfd_info",
                                     "gc_ref"};

void flush_with_mounted(OpenFile& open) {
  if (open.intent == flags::read_write) open.file.flush();
  for (const auto& child : open.shared->mounted()) flush_with_mounted(*child);
}

const OpenFile* counted_file(hid_t id, std::shared_ptr<OpenFile>& keep) {
  if (id == static_cast<hid_t>(H5F_OBJ_ALL)) return nullptr;
  keep = get_file(id, {&H5E_ARGS_g, &H5E_BADVALUE_g});
  return keep.get();
}

}  // namespace

hid_t H5Fcreate(const char* filename, unsigned given, hid_t fcpl_id, hid_t fapl_id) {
  return api_call({"H5Fcreate", cannot_open(), "unable to create file"}, [&] {
    file_name(filename);
    if ((given & ~(flags::exclusive | flags::truncate | flags::swmr_write)) != 0) bad_value("invalid flags");
    if ((given & flags::exclusive) != 0 && (given & flags::truncate) != 0)
      bad_value("mutually exclusive flags for file creation");
    const auto creation = get_settings<FileCreationSettings>(fcpl_id, "a file creation property list");
    const auto access = access_of(fapl_id);
    check_page_buffer(*access, creation->options.space);
    return OpenFile::create(filename, given, *creation, access)->retain_id();
  });
}

hid_t H5Fopen(const char* filename, unsigned given, hid_t fapl_id) {
  return api_call({"H5Fopen", cannot_open(), "unable to open file"}, [&] {
    file_name(filename);
    if ((given & ~(flags::read_write | flags::swmr_write | flags::swmr_read)) != 0)
      bad_value("invalid file open flags");
    if ((given & flags::swmr_write) != 0 && (given & flags::read_write) == 0)
      throw Failure(cannot_open(), "SWMR write access on a file open for read-only access is not allowed");
    if ((given & flags::swmr_read) != 0 && (given & flags::read_write) != 0)
      throw Failure(cannot_open(), "SWMR read access on a file open for read-write access is not allowed");
    const auto access = access_of(fapl_id);
    const auto open = OpenFile::open(filename, given, access);
    if (access->options.page_buffer_bytes != 0)
      check_page_buffer(*access, open->file.creation_options().space);
    return open->retain_id();
  });
}

hid_t H5Freopen(hid_t file_id) {
  return api_call({"H5Freopen", cannot_open(), "unable to reopen file"},
                  [&] { return get_file(file_id)->again()->retain_id(); });
}

herr_t H5Fclose(hid_t file_id) {
  return api_call({"H5Fclose", {&H5E_FILE_g, &H5E_CANTCLOSEFILE_g}, "closing file ID failed"}, [&] {
    if (IdTable::type_of(file_id) != H5I_FILE) bad_type("not a file ID");
    if (ids().find_as<FileHandle>(file_id) == nullptr)
      throw NestedFailure({&H5E_ID_g, &H5E_BADID_g}, "the file is closed already");
    ids().release(file_id);
  });
}

herr_t H5Fflush(hid_t object_id, H5F_scope_t scope) {
  return api_call({"H5Fflush", {&H5E_FILE_g, &H5E_CANTFLUSH_g}, "unable to flush file"}, [&] {
    const std::shared_ptr<OpenFile> open = file_of(object_id);
    if (scope == H5F_SCOPE_GLOBAL) return flush_with_mounted(*open->topmost());
    if (open->intent == flags::read_write) open->file.flush();
  });
}

herr_t H5Fdelete(const char* filename, hid_t fapl_id) {
  return api_call({"H5Fdelete", {&H5E_FILE_g, &H5E_CANTDELETEFILE_g}, "unable to delete the file"}, [&] {
    file_name(filename);
    if (is_accessible(filename, fapl_id) != 1)
      throw NestedFailure({&H5E_FILE_g, &H5E_NOTHDF5_g}, "not an HDF5 file");
    const auto access = access_of(fapl_id);
    const bool is_parallel = driver_of(access->driver)->functions.value == H5_VFD_MPIO;
    if (is_parallel || user_driver(*access)) return delete_by_driver(filename, fapl_id);
    if (std::remove(filename) != 0)
      throw NestedFailure({&H5E_FILE_g, &H5E_CANTDELETEFILE_g},
                          fmt::format("unable to delete '{}'", filename));
  });
}

htri_t H5Fis_accessible(const char* container_name, hid_t fapl_id) {
  return api_call({"H5Fis_accessible",
                   {&H5E_FILE_g, &H5E_NOTHDF5_g},
                   "unable to determine if file is accessible as HDF5"},
                  [&] { return is_accessible(file_name(container_name), fapl_id); });
}

htri_t H5Fis_hdf5(const char* filename) {
  return api_call(
      {"H5Fis_hdf5", {&H5E_FILE_g, &H5E_NOTHDF5_g}, "unable to determine if file is accessible as HDF5"},
      [&] {
        if (filename == nullptr || *filename == '\0')
          throw Failure({&H5E_ARGS_g, &H5E_BADRANGE_g}, "no filename specified");
        return is_accessible(file_name(filename), H5P_DEFAULT);
      });
}

ssize_t H5Fget_name(hid_t obj_id, char* name, size_t size) {
  return api_call({"H5Fget_name", {&H5E_FILE_g, &H5E_CANTGET_g}, "unable to get file name"}, [&] {
    const auto handle = ids().find_as<InFileHandle>(obj_id);
    const auto open = handle == nullptr ? nullptr : handle->open();
    if (open == nullptr) bad_value("not a valid object ID");
    return copy_string(open->name, name, size);
  });
}

herr_t H5Fget_intent(hid_t file_id, unsigned* intent) {
  return api_call({"H5Fget_intent", {&H5E_FILE_g, &H5E_CANTGET_g}, "unable to get file's intent"}, [&] {
    const unsigned known = get_file(file_id)->flags();
    if (intent != nullptr) *intent = known;
  });
}

hid_t H5Fget_create_plist(hid_t file_id) {
  return api_call(
      {"H5Fget_create_plist", {&H5E_FILE_g, &H5E_CANTINIT_g}, "unable to create file creation properties"},
      [&] {
        const auto open = get_file(file_id);
        auto settings = creation_settings(open->file);
        if (open->shared->kept_names) {
          settings->set_kept_names(*open->shared->kept_names);
        } else {  // As in HDF5, a file that was opened does not tell how its root group was created.
          static_cast<GroupCreationSettings&>(*settings) = GroupCreationSettings();
        }
        const PropertyNames names = set_in_file(*open->shared, *settings);
        return add_object_plist(std::move(settings), names);
      });
}

hid_t H5Fget_access_plist(hid_t file_id) {
  return api_call(
      {"H5Fget_access_plist", {&H5E_FILE_g, &H5E_CANTINIT_g}, "can't get file access property list"}, [&] {
        const std::shared_ptr<OpenFile> open = get_file(file_id);
        auto settings = std::make_unique<FileAccessSettings>(*open->access);
        settings->close_degree = open->shared->close_degree;
        if (const auto file = class_driver_file(open->file))
          settings->driver.info = reported_info(*open, *file);
        const VersionBounds versions = open->file.info().versions;
        settings->low = from_version(versions.low);
        settings->high = from_version(versions.high);
        if (open->shared->swmr_flags.load() != 0 && settings->metadata_read_attempts == 0)
          settings->metadata_read_attempts = 100;
        std::uint64_t& pages = settings->options.page_buffer_bytes;
        if (pages != 0) pages -= pages % open->file.creation_options().space.page_bytes;
        return add_object_plist(std::move(settings), set_in_access);
      });
}

ssize_t H5Fget_obj_count(hid_t file_id, unsigned types) {
  return api_call({"H5Fget_obj_count", {&H5E_FILE_g, &H5E_BADITER_g}, "can't count open ids"}, [&] {
    std::shared_ptr<OpenFile> keep;
    const OpenFile* const open = counted_file(file_id, keep);
    if ((types & H5F_OBJ_ALL) == 0) bad_value("not an object type");
    return static_cast<ssize_t>(ids_in(open, types).size());
  });
}

ssize_t H5Fget_obj_ids(hid_t file_id, unsigned types, size_t max_objs, hid_t* obj_id_list) {
  return api_call({"H5Fget_obj_ids", {&H5E_FILE_g, &H5E_BADITER_g}, "can't list open ids"}, [&] {
    std::shared_ptr<OpenFile> keep;
    const OpenFile* const open = counted_file(file_id, keep);
    if ((types & H5F_OBJ_ALL) == 0) bad_value("not an object type");
    if (obj_id_list == nullptr) bad_value("object ID list is NULL");
    const std::vector<hid_t> found = ids_in(open, types);
    const std::size_t count = std::min(found.size(), max_objs);
    std::copy_n(found.begin(), count, obj_id_list);
    return static_cast<ssize_t>(count);
  });
}
