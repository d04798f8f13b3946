// SPDX-License-Identifier: Apache-2.0
//
// H5F: information on open files, metadata cache and page buffer.
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include <filigree/error.hpp>

#include "capi/H5F/file_ids.hpp"
#include "capi/H5F/mdc_config.hpp"
#include "capi/H5FD/image_driver.hpp"
#include "capi/H5FD/mpio.hpp"
#include "capi/H5FD/user_driver.hpp"
#include "capi/H5P/options.hpp"
#include "capi/core/nested_error.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

Code cannot_get() { return {&H5E_FILE_g, &H5E_CANTGET_g}; }
Code cannot_set() { return {&H5E_FILE_g, &H5E_CANTSET_g}; }
Code bad_argument() { return {&H5E_ARGS_g, &H5E_BADVALUE_g}; }

std::shared_ptr<OpenFile> file_of_object(hid_t id) {
  const auto handle = ids().find_as<InFileHandle>(id);
  auto open = handle == nullptr ? nullptr : handle->open();
  if (open == nullptr) bad_type("invalid object identifier");
  return open;
}

std::shared_ptr<OpenFile> parallel_file(hid_t id) {
  auto open = get_file(id, bad_argument());
  if (!open->is_parallel())
    throw Failure({&H5E_FILE_g, &H5E_BADVALUE_g}, "the file's driver is not that of MPI");
  return open;
}

PageBufferInfo page_buffer_of(const OpenFile& open) {
  const auto info = open.file.info().page_buffer;
  if (!info) bad_type("page buffering not enabled on file");
  return *info;
}

void store_pair(unsigned out[2], std::uint64_t metadata, std::uint64_t raw) {
  out[0] = static_cast<unsigned>(metadata);
  out[1] = static_cast<unsigned>(raw);
}

/// Returns the bin that counts a number of read attempts: its decimal digits.
unsigned bin_of(unsigned attempts) {
  unsigned bin = 0;
  for (; attempts >= 10; attempts /= 10) ++bin;
  return bin;
}

/// Returns the index of a structure in H5F_retry_info_t, or -1 for structures without a checksum.
int retry_index(std::string_view structure) {
  constexpr std::pair<std::string_view, int> indexes[] = {
      {"object header", 0},
      {"version 2 B-tree header", 2},
      {"version 2 B-tree node", 4},
      {"fractal heap header", 5},
      {"fractal heap direct block", 6},
      {"fractal heap indirect block", 7},
      {"free-space manager", 8},
      {"shared message table", 10},
      {"shared message list", 11},
      {"extensible array header", 12},
      {"extensible array index block", 13},
      {"extensible array super block", 14},
      {"extensible array data block", 15},
      {"page of a chunk array", 16},
      {"fixed array header", 17},
      {"fixed array data block", 18},
  };
  for (const auto& [name, index] : indexes)
    if (name == structure) return index;
  return -1;
}

void store_handle(const DriverFile& file, hid_t fapl, void** handle) {
  if (file.calls().get_handle == nullptr)
    throw NestedFailure({&H5E_VFL_g, &H5E_UNSUPPORTED_g}, "file driver has no 'get_handle' method");
  if (fapl == H5P_DEFAULT) fapl = H5P_LST_FILE_ACCESS_ID_g;
  if (file.call([&](const H5FD_class_t& calls, H5FD_t* f) { return calls.get_handle(f, fapl, handle); }) < 0)
    throw NestedFailure({&H5E_VFL_g, &H5E_CANTGET_g}, "driver get_handle request failed");
}

}  // namespace

herr_t H5Fget_filesize(hid_t file_id, hsize_t* size) {
  return api_call({"H5Fget_filesize", cannot_get(), "unable to get file size"}, [&] {
    const std::uint64_t bytes = get_file(file_id, bad_argument())->file.info().file_bytes;
    if (size != nullptr) *size = bytes;
  });
}

hssize_t H5Fget_freespace(hid_t file_id) {
  return api_call({"H5Fget_freespace", cannot_get(), "unable to check free space for file"},
                  [&] { return static_cast<hssize_t>(get_file(file_id)->file.info().reusable_bytes); });
}

ssize_t H5Fget_file_image(hid_t file_id, void* buf_ptr, size_t buf_len) {
  return api_call({"H5Fget_file_image", cannot_get(), "unable to get file image"}, [&] {
    const std::vector<std::byte> image = get_file(file_id, bad_argument())->file.image();
    if (buf_ptr != nullptr) {
      if (buf_len < image.size())
        throw NestedFailure({&H5E_FILE_g, &H5E_BADVALUE_g}, "supplied buffer too small");
      std::memcpy(buf_ptr, image.data(), image.size());
    }
    return static_cast<ssize_t>(image.size());
  });
}

herr_t H5Fget_info2(hid_t obj_id, H5F_info2_t* file_info) {
  return api_call({"H5Fget_info2", cannot_get(), "unable to retrieve file info"}, [&] {
    if (file_info == nullptr) bad_value("file info pointer can't be NULL");
    const FileInfo known = file_of_object(obj_id)->file.info();
    *file_info = {};
    file_info->super.version = known.superblock_version;
    file_info->super.super_size = known.superblock_bytes;
    file_info->super.super_ext_size = known.extension_bytes;
    file_info->free.tot_space = known.reusable_bytes;
    file_info->free.meta_size = known.free_space_metadata_bytes;
    file_info->sohm.hdr_size = known.shared_message_table_bytes;
    file_info->sohm.msgs_info = {known.shared_message_index_bytes, known.shared_message_heap_bytes};
  });
}

herr_t H5Fget_info1(hid_t obj_id, H5F_info1_t* file_info) {
  return api_call({"H5Fget_info1", cannot_get(), "unable to retrieve file info"}, [&] {
    if (file_info == nullptr) bad_value("file info pointer can't be NULL");
    *file_info = {};
    const auto open = with_error_code({&H5E_ARGS_g, &H5E_BADVALUE_g}, [&] { return file_of_object(obj_id); });
    const FileInfo known = open->file.info();
    file_info->super_ext_size = known.extension_bytes;
    file_info->sohm.hdr_size = known.shared_message_table_bytes;
    file_info->sohm.msgs_info = {known.shared_message_index_bytes, known.shared_message_heap_bytes};
  });
}

herr_t H5Fget_eoa(hid_t file_id, haddr_t* eoa) {
  return api_call({"H5Fget_eoa", cannot_get(), "unable to get EOA"}, [&] {
    const FileInfo known = get_file(file_id)->file.info();
    if (eoa != nullptr) *eoa = known.file_bytes - known.user_block_bytes;
  });
}

herr_t H5Fget_fileno(hid_t file_id, unsigned long* fileno) {
  return api_call({"H5Fget_fileno", cannot_get(), "unable to get file number"}, [&] {
    required(fileno, "fileno");
    *fileno = get_file(file_id)->shared->number;
  });
}

herr_t H5Fset_libver_bounds(hid_t file_id, H5F_libver_t low, H5F_libver_t high) {
  return api_call({"H5Fset_libver_bounds", cannot_set(), "can't set low/high bounds"}, [&] {
    const auto open = get_file(file_id, {&H5E_FILE_g, &H5E_BADVALUE_g});
    if (low < H5F_LIBVER_EARLIEST || low >= H5F_LIBVER_NBOUNDS || high < H5F_LIBVER_EARLIEST ||
        high >= H5F_LIBVER_NBOUNDS || high < low || high == H5F_LIBVER_EARLIEST)
      bad_value("invalid version bounds");
    open->file.set_versions({to_version(low), to_version(high)});
  });
}

herr_t H5Fformat_convert(hid_t fid) {
  return api_call({"H5Fformat_convert", {&H5E_FILE_g, &H5E_CANTCONVERT_g}, "can't convert file format"}, [&] {
    get_file(fid, {&H5E_ARGS_g, &H5E_BADTYPE_g})->file.downgrade();
  });
}

herr_t H5Fclear_elink_file_cache(hid_t file_id) {
  // Files that were opened through external links are closed with their last object.
  return api_call(
      {"H5Fclear_elink_file_cache", {&H5E_FILE_g, &H5E_CANTRELEASE_g}, "can't release external file cache"},
      [&] { get_file(file_id, bad_argument()); });
}

herr_t H5Fget_vfd_handle(hid_t file_id, hid_t fapl, void** file_handle) {
  return api_call({"H5Fget_vfd_handle", cannot_get(), "can't get VFD handle"}, [&] {
    if (file_handle == nullptr) bad_value("invalid file handle pointer");
    const auto open = get_file(file_id);
    if (const auto file = class_driver_file(open->file)) return store_handle(*file, fapl, file_handle);
    if (ImageFile* const image = image_file(open->file)) {
      *file_handle = image->memory();
      return;
    }
    if (open->is_parallel()) {
      *file_handle = mpio_library()->handle(open->file);
      return;
    }
    const auto number = open->file.descriptor();
    if (!number)
      throw NestedFailure({&H5E_FILE_g, &H5E_UNSUPPORTED_g}, "the file's driver has no handle to give");
    open->shared->descriptor.number = *number;
    *file_handle = &open->shared->descriptor;
  });
}

herr_t H5Fstart_swmr_write(hid_t file_id) {
  return api_call({"H5Fstart_swmr_write", {&H5E_FILE_g, &H5E_SYSTEM_g}, "unable to start SWMR writing"},
                  [&] { get_file(file_id)->start_swmr_write(); });
}

herr_t H5Fget_metadata_read_retry_info(hid_t file_id, H5F_retry_info_t* info) {
  return api_call({"H5Fget_metadata_read_retry_info", cannot_get(), "can't get retry info"}, [&] {
    const auto open = get_file(file_id, bad_argument());
    if (info == nullptr) bad_value("no info struct");
    *info = {};
    unsigned attempts = open->access->metadata_read_attempts;
    if (attempts == 0) attempts = open->shared->swmr_flags.load() != 0 ? 100 : 1;
    if (attempts > 1) info->nbins = bin_of(attempts - 1) + 1;
    for (const ReadRetries& one : open->file.read_retries()) {
      const int index = retry_index(one.structure);
      if (index < 0 || one.failed == 0 || bin_of(one.failed) >= info->nbins) continue;
      std::uint32_t*& bins = info->retries[index];
      // The program frees the array with H5free_memory().
      if (bins == nullptr) bins = static_cast<std::uint32_t*>(std::calloc(info->nbins, sizeof *bins));
      if (bins != nullptr) ++bins[bin_of(one.failed)];
    }
  });
}

herr_t H5Fget_mdc_config(hid_t file_id, H5AC_cache_config_t* config_ptr) {
  return api_call({"H5Fget_mdc_config", cannot_get(), "unable to get metadata cache configuration"}, [&] {
    if (config_ptr == nullptr || config_ptr->version != H5AC__CURR_CACHE_CONFIG_VERSION)
      bad_value("Bad config_ptr");
    *config_ptr = mdc_config_of(*get_file(file_id, bad_argument()));
  });
}

herr_t H5Fset_mdc_config(hid_t file_id, const H5AC_cache_config_t* config_ptr) {
  return api_call({"H5Fset_mdc_config", cannot_set(), "unable to set metadata cache configuration"}, [&] {
    const auto open = get_file(file_id);
    set_mdc_config(*open, config_ptr);
  });
}

herr_t H5Fget_mdc_hit_rate(hid_t file_id, double* hit_rate_ptr) {
  return api_call({"H5Fget_mdc_hit_rate", cannot_get(), "unable to get metadata cache hit rate"}, [&] {
    if (hit_rate_ptr == nullptr) bad_value("NULL hit rate pointer");
    get_file(file_id, bad_argument());
    *hit_rate_ptr = 0.0;  // Hits are not counted.
  });
}

herr_t H5Freset_mdc_hit_rate_stats(hid_t file_id) {
  return api_call({"H5Freset_mdc_hit_rate_stats", cannot_set(), "can't reset cache hit rate"},
                  [&] { get_file(file_id); });
}

herr_t H5Fget_mdc_size(hid_t file_id, size_t* max_size_ptr, size_t* min_clean_size_ptr, size_t* cur_size_ptr,
                       int* cur_num_entries_ptr) {
  return api_call({"H5Fget_mdc_size", cannot_get(), "unable to get metadata cache size"}, [&] {
    const H5AC_cache_config_t config = mdc_config_of(*get_file(file_id, bad_argument()));
    if (max_size_ptr != nullptr) *max_size_ptr = config.initial_size;
    if (min_clean_size_ptr != nullptr)
      *min_clean_size_ptr =
          static_cast<std::size_t>(static_cast<double>(config.initial_size) * config.min_clean_fraction);
    // The size of Filigree's own metadata cache follows other rules, and is not reported here.
    if (cur_size_ptr != nullptr) *cur_size_ptr = 0;
    if (cur_num_entries_ptr != nullptr) *cur_num_entries_ptr = 0;
  });
}

herr_t H5Fget_page_buffering_stats(hid_t file_id, unsigned accesses[2], unsigned hits[2], unsigned misses[2],
                                   unsigned evictions[2], unsigned bypasses[2]) {
  return api_call(
      {"H5Fget_page_buffering_stats", cannot_get(), "can't retrieve stats for page buffering"}, [&] {
        const auto open = get_file(file_id, bad_argument());
        const PageBufferInfo now = page_buffer_of(*open);
        if (accesses == nullptr || hits == nullptr || misses == nullptr || evictions == nullptr ||
            bypasses == nullptr)
          bad_value("NULL input parameters for stats");
        const PageBufferInfo start = *open->shared->page_buffer_start.get();
        const auto since = [&](std::uint64_t PageBufferInfo::Kind::*member, unsigned out[2]) {
          store_pair(out, now.metadata.*member - start.metadata.*member, now.raw.*member - start.raw.*member);
        };
        since(&PageBufferInfo::Kind::hits, hits);
        since(&PageBufferInfo::Kind::misses, misses);
        since(&PageBufferInfo::Kind::evictions, evictions);
        since(&PageBufferInfo::Kind::bypasses, bypasses);
        store_pair(accesses, std::uint64_t{hits[0]} + misses[0], std::uint64_t{hits[1]} + misses[1]);
      });
}

herr_t H5Freset_page_buffering_stats(hid_t file_id) {
  return api_call({"H5Freset_page_buffering_stats", cannot_set(), "can't reset stats for page buffering"},
                  [&] {
                    const auto open = get_file(file_id);
                    open->shared->page_buffer_start.set(page_buffer_of(*open));
                  });
}

herr_t H5Fset_mpi_atomicity(hid_t file_id, hbool_t flag) {
  return api_call({"H5Fset_mpi_atomicity", cannot_set(), "can't set atomicity flag"},
                  [&] { mpio_library()->set_atomicity(parallel_file(file_id)->file, flag); });
}

herr_t H5Fget_mpi_atomicity(hid_t file_id, hbool_t* flag) {
  return api_call({"H5Fget_mpi_atomicity", cannot_get(), "can't get atomicity flag"}, [&] {
    const auto open = parallel_file(file_id);
    *required(flag, "flag") = mpio_library()->atomicity(open->file);
  });
}
