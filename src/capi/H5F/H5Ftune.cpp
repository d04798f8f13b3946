// SPDX-License-Identifier: Apache-2.0
//
// H5F: what tunes an open file, and looks at its space and at its metadata cache.
#include <algorithm>
#include <bit>
#include <tuple>

#include "capi/H5F/file_ids.hpp"
#include "capi/H5F/mdc_log.hpp"
#include "capi/H5P/options.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

Code logging() { return {&H5E_FILE_g, &H5E_LOGGING_g}; }
Code cannot_get() { return {&H5E_FILE_g, &H5E_CANTGET_g}; }
Code cannot_set() { return {&H5E_FILE_g, &H5E_CANTSET_g}; }

bool has_feature(const OpenFile& open, unsigned long feature) {
  unsigned long features = 0;
  const auto query = driver_of(open.access->driver)->functions.query;
  return query != nullptr && query(nullptr, &features) >= 0 && (features & feature) != 0;
}

MdcLog& log_of(const OpenFile& open) {
  if (open.shared->mdc_log == nullptr)
    throw NestedFailure(logging(), "the file was opened without a log of its metadata cache");
  return *open.shared->mdc_log;
}

/// HDF5 lists the sections of a manager by powers of two of their sizes, then by size and address.
auto section_order(const FreeSection& section) {
  return std::tuple(section.large, section.type, std::bit_width(section.bytes), section.bytes,
                    section.address);
}

}  // namespace

herr_t H5Fset_dset_no_attrs_hint(hid_t file_id, hbool_t minimize) {
  return api_call({__func__, cannot_set(), "unable to set the hint"},
                  [&] { get_file(file_id)->shared->minimises_headers = minimize; });
}

herr_t H5Fget_dset_no_attrs_hint(hid_t file_id, hbool_t* minimize) {
  return api_call({__func__, cannot_get(), "unable to get the hint"}, [&] {
    required(minimize, "minimize");
    *minimize = get_file(file_id)->shared->minimises_headers.load();
  });
}

herr_t H5Fset_latest_format(hid_t file_id, hbool_t latest_format) {
  return api_call({__func__, cannot_set(), "can't set low/high bounds"}, [&] {
    const auto open = get_file(file_id, {&H5E_FILE_g, &H5E_BADVALUE_g});
    const H5F_libver_t low = latest_format ? H5F_LIBVER_LATEST : H5F_LIBVER_EARLIEST;
    open->file.set_versions({to_version(low), to_version(H5F_LIBVER_LATEST)});
  });
}

herr_t H5Fincrement_filesize(hid_t file_id, hsize_t increment) {
  return api_call({__func__, cannot_set(), "unable to increment file size"}, [&] {
    const auto open = get_file(file_id);
    if (!has_feature(*open, H5FD_FEAT_SUPPORTS_SWMR_IO))
      throw Failure({&H5E_FILE_g, &H5E_BADVALUE_g}, "the file's driver does not support SWMR");
    // HDF5 accepts this for a file that cannot grow, too.
    if (open->intent == flags::read_write) open->file.move_end(increment);
  });
}

ssize_t H5Fget_free_sections(hid_t file_id, H5F_mem_t type, size_t nsects, H5F_sect_info_t* sect_info) {
  return api_call({__func__, cannot_get(), "unable to get file free sections"}, [&] {
    const auto open = get_file(file_id);
    if (sect_info != nullptr && nsects == 0) bad_value("nsects must be > 0");
    if (type < H5FD_MEM_DEFAULT || type >= H5FD_MEM_NTYPES) bad_value("unknown type of space");
    std::vector<FreeSection> sections = open->file.free_sections();
    if (type != H5FD_MEM_DEFAULT)
      std::erase_if(sections, [&](const FreeSection& s) { return s.type != static_cast<MemoryType>(type); });
    std::ranges::sort(sections, {}, section_order);
    if (sect_info != nullptr)
      for (std::size_t i = 0; i < std::min(nsects, sections.size()); ++i)
        sect_info[i] = {sections[i].address, sections[i].bytes};
    return static_cast<ssize_t>(sections.size());
  });
}

herr_t H5Fget_mdc_image_info(hid_t file_id, haddr_t* image_addr, hsize_t* image_size) {
  return api_call({__func__, cannot_get(), "can't retrieve cache image info"}, [&] {
    const FileInfo info = get_file(file_id)->file.info();
    if (image_addr != nullptr) *image_addr = info.cache_image_address.value_or(HADDR_UNDEF);
    if (image_size != nullptr) *image_size = info.cache_image_bytes;
  });
}

herr_t H5Fstart_mdc_logging(hid_t file_id) {
  return api_call({__func__, logging(), "unable to start mdc logging"}, [&] {
    const auto open = get_file(file_id);
    log_of(*open).start(open->file);
  });
}

herr_t H5Fstop_mdc_logging(hid_t file_id) {
  return api_call({__func__, logging(), "unable to stop mdc logging"}, [&] {
    const auto open = get_file(file_id);
    MdcLog& log = log_of(*open);
    if (!log.is_logging()) throw NestedFailure(logging(), "nothing is being logged");
    log.stop(open->file);
  });
}

herr_t H5Fget_mdc_logging_status(hid_t file_id, hbool_t* is_enabled, hbool_t* is_currently_logging) {
  return api_call({__func__, logging(), "unable to get logging status"}, [&] {
    const auto log = get_file(file_id)->shared->mdc_log;
    if (is_enabled != nullptr) *is_enabled = log != nullptr;
    if (is_currently_logging != nullptr) *is_currently_logging = log != nullptr && log->is_logging();
  });
}
