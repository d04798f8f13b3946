// SPDX-License-Identifier: Apache-2.0
//
// Properties of link access and dataset access.
#include <algorithm>

#include "capi/H5P/options.hpp"
#include "capi/H5P/plist_calls.hpp"
#include "capi/core/strings.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

std::string text_of(const char* text) { return text == nullptr ? std::string() : std::string(text); }

}  // namespace

herr_t H5Pset_nlinks(hid_t plist_id, size_t nlinks) {
  return api_call(plist_call("H5Pset_nlinks"), [&] {
    if (nlinks == 0) bad_value("the number of links must be positive");
    change_settings<LinkAccessSettings>(plist_id, {"max soft links"}, [&](auto& s) { s.max_links = nlinks; });
  });
}

herr_t H5Pget_nlinks(hid_t plist_id, size_t* nlinks) {
  return api_call(plist_call("H5Pget_nlinks"), [&] {
    if (nlinks == nullptr) bad_value("nlinks cannot be NULL");
    *nlinks = get_settings<LinkAccessSettings>(plist_id)->max_links;
  });
}

herr_t H5Pset_elink_prefix(hid_t plist_id, const char* prefix) {
  return api_call(plist_call("H5Pset_elink_prefix"), [&] {
    change_settings<LinkAccessSettings>(plist_id, {"external link prefix"},
                                        [&](auto& s) { s.external_prefix = text_of(prefix); });
  });
}

ssize_t H5Pget_elink_prefix(hid_t plist_id, char* prefix, size_t size) {
  return api_call(plist_call("H5Pget_elink_prefix"), [&] {
    return copy_string(get_settings<LinkAccessSettings>(plist_id)->external_prefix, prefix, size);
  });
}

herr_t H5Pset_elink_fapl(hid_t lapl_id, hid_t fapl_id) {
  return api_call(plist_call("H5Pset_elink_fapl"), [&] {
    const bool is_default = lapl_id == H5P_DEFAULT;
    get_settings<LinkAccessSettings>(is_default ? H5I_INVALID_HID : lapl_id, "a link access property list");
    std::shared_ptr<const FileAccessSettings> access;
    if (fapl_id != H5P_DEFAULT) {
      const auto plist = ids().find_as<PropertyListHandle>(fapl_id);
      if (plist != nullptr) access = std::dynamic_pointer_cast<const FileAccessSettings>(plist->settings());
      if (access == nullptr)
        throw Failure({&H5E_PLIST_g, &H5E_CANTSET_g}, "fapl_id is not a file access property list");
      auto copy = std::make_shared<FileAccessSettings>(*access);
      copy->make_own_copies();
      access = std::move(copy);
    }
    change_settings<LinkAccessSettings>(lapl_id, {"external link fapl"},
                                        [&](auto& s) { s.external_access = access; });
  });
}

hid_t H5Pget_elink_fapl(hid_t lapl_id) {
  return api_call(plist_call("H5Pget_elink_fapl"), [&] {
    const auto access = get_settings<LinkAccessSettings>(lapl_id)->external_access;
    if (access == nullptr) return hid_t{H5P_DEFAULT};
    std::unique_ptr<Settings> copy = access->clone();
    copy->make_own_copies();
    return add_plist(std::move(copy));
  });
}

herr_t H5Pset_elink_acc_flags(hid_t lapl_id, unsigned flags) {
  return api_call(plist_call("H5Pset_elink_acc_flags"), [&] {
    const bool known = flags == H5F_ACC_DEFAULT || flags == H5F_ACC_RDONLY || flags == H5F_ACC_RDWR ||
                       flags == (H5F_ACC_RDWR | H5F_ACC_SWMR_WRITE) ||
                       flags == (H5F_ACC_RDONLY | H5F_ACC_SWMR_READ);
    if (!known) bad_value("these flags do not open files");
    change_settings<LinkAccessSettings>(lapl_id, {"external link flags"},
                                        [&](auto& s) { s.external_flags = flags; });
  });
}

herr_t H5Pget_elink_acc_flags(hid_t lapl_id, unsigned* flags) {
  return api_call(plist_call("H5Pget_elink_acc_flags"),
                  [&] { store_if(flags, get_settings<LinkAccessSettings>(lapl_id)->external_flags); });
}

herr_t H5Pset_elink_cb(hid_t lapl_id, H5L_elink_traverse_t func, void* op_data) {
  return api_call(plist_call("H5Pset_elink_cb"), [&] {
    if (func == nullptr && op_data != nullptr) bad_value("op_data is for a callback, and func is NULL");
    change_settings<LinkAccessSettings>(lapl_id, {"external link callback"}, [&](auto& s) {
      s.external_callback = func;
      s.external_callback_data = op_data;
    });
  });
}

herr_t H5Pget_elink_cb(hid_t lapl_id, H5L_elink_traverse_t* func, void** op_data) {
  return api_call(plist_call("H5Pget_elink_cb"), [&] {
    const auto settings = get_settings<LinkAccessSettings>(lapl_id);
    store_if(func, settings->external_callback);
    store_if(op_data, settings->external_callback_data);
  });
}

herr_t H5Pset_chunk_cache(hid_t dapl_id, size_t rdcc_nslots, size_t rdcc_nbytes, double rdcc_w0) {
  return api_call(plist_call("H5Pset_chunk_cache"), [&] {
    if (!(rdcc_w0 <= 1.0)) bad_value("rdcc_w0 is from 0 to 1, or H5D_CHUNK_CACHE_W0_DEFAULT");
    change_settings<DatasetAccessSettings>(dapl_id, {"rdcc_nslots", "rdcc_nbytes", "rdcc_w0"}, [&](auto& s) {
      s.cache_slots = rdcc_nslots;
      s.cache_bytes = rdcc_nbytes;
      s.cache_w0 = rdcc_w0;
    });
  });
}

herr_t H5Pget_chunk_cache(hid_t dapl_id, size_t* rdcc_nslots, size_t* rdcc_nbytes, double* rdcc_w0) {
  return api_call(plist_call("H5Pget_chunk_cache"), [&] {
    const auto of_file = get_settings<FileAccessSettings>(H5P_DEFAULT, "");
    const ChunkCacheValues values = chunk_cache(*get_settings<DatasetAccessSettings>(dapl_id), *of_file);
    store_if(rdcc_nslots, values.slots);
    store_if(rdcc_nbytes, values.bytes);
    store_if(rdcc_w0, values.w0);
  });
}

herr_t H5Pset_append_flush(hid_t dapl_id, unsigned ndims, const hsize_t boundary[], H5D_append_cb_t func,
                           void* udata) {
  return api_call(plist_call("H5Pset_append_flush"), [&] {
    if (ndims == 0 || ndims > H5S_MAX_RANK) bad_value("ndims is from 1 to 32");
    if (boundary == nullptr) bad_value("boundary cannot be NULL");
    if (func == nullptr && udata != nullptr) bad_value("udata is for a callback, and func is NULL");
    const std::vector<hsize_t> wanted(boundary, boundary + ndims);
    if (std::ranges::any_of(wanted, [](hsize_t b) { return b > 0xffffffff; }))
      out_of_range("each boundary must be less than 2^32");
    change_settings<DatasetAccessSettings>(dapl_id, {"append_flush"}, [&](auto& s) {
      s.append_boundary = wanted;
      s.append_callback = func;
      s.append_data = udata;
    });
  });
}

herr_t H5Pget_append_flush(hid_t dapl_id, unsigned dims, hsize_t boundary[], H5D_append_cb_t* func,
                           void** udata) {
  return api_call(plist_call("H5Pget_append_flush"), [&] {
    const auto settings = get_settings<DatasetAccessSettings>(dapl_id);
    const std::vector<hsize_t>& given = settings->append_boundary;
    if (boundary != nullptr)
      for (unsigned d = 0; d < dims; ++d) boundary[d] = d < given.size() ? given[d] : 0;
    if (func != nullptr) *func = settings->append_callback;
    if (udata != nullptr) *udata = settings->append_data;
  });
}

herr_t H5Pset_virtual_view(hid_t dapl_id, H5D_vds_view_t view) {
  return api_call(plist_call("H5Pset_virtual_view"), [&] {
    if (view != H5D_VDS_FIRST_MISSING && view != H5D_VDS_LAST_AVAILABLE) bad_value("unknown view");
    change_settings<DatasetAccessSettings>(dapl_id, {"vds_view"}, [&](auto& s) { s.view = view; });
  });
}

herr_t H5Pget_virtual_view(hid_t dapl_id, H5D_vds_view_t* view) {
  return api_call(plist_call("H5Pget_virtual_view"),
                  [&] { store_if(view, get_settings<DatasetAccessSettings>(dapl_id)->view); });
}

herr_t H5Pset_virtual_printf_gap(hid_t dapl_id, hsize_t gap_size) {
  return api_call(plist_call("H5Pset_virtual_printf_gap"), [&] {
    if (gap_size == HSIZE_UNDEF) bad_value("gap_size is not a valid number of files");
    change_settings<DatasetAccessSettings>(dapl_id, {"vds_printf_gap"},
                                           [&](auto& s) { s.printf_gap = gap_size; });
  });
}

herr_t H5Pget_virtual_printf_gap(hid_t dapl_id, hsize_t* gap_size) {
  return api_call(plist_call("H5Pget_virtual_printf_gap"),
                  [&] { store_if(gap_size, get_settings<DatasetAccessSettings>(dapl_id)->printf_gap); });
}

herr_t H5Pset_virtual_spatial_tree(hid_t dapl_id, bool use_tree) {
  return api_call(plist_call("H5Pset_virtual_spatial_tree"), [&] {
    change_settings<DatasetAccessSettings>(dapl_id, {}, [&](auto& s) { s.spatial_tree = use_tree; });
  });
}

herr_t H5Pget_virtual_spatial_tree(hid_t dapl_id, bool* use_tree) {
  return api_call(plist_call("H5Pget_virtual_spatial_tree"), [&] {
    if (use_tree == nullptr) bad_value("use_tree cannot be NULL");
    *use_tree = get_settings<DatasetAccessSettings>(dapl_id)->spatial_tree;
  });
}

herr_t H5Pset_virtual_prefix(hid_t dapl_id, const char* prefix) {
  return api_call(plist_call("H5Pset_virtual_prefix"), [&] {
    change_settings<DatasetAccessSettings>(dapl_id, {"vds_prefix"},
                                           [&](auto& s) { s.virtual_prefix = text_of(prefix); });
  });
}

ssize_t H5Pget_virtual_prefix(hid_t dapl_id, char* prefix, size_t size) {
  return api_call(plist_call("H5Pget_virtual_prefix"), [&] {
    return copy_string(get_settings<DatasetAccessSettings>(dapl_id)->virtual_prefix, prefix, size);
  });
}

herr_t H5Pset_efile_prefix(hid_t dapl_id, const char* prefix) {
  return api_call(plist_call("H5Pset_efile_prefix"), [&] {
    change_settings<DatasetAccessSettings>(dapl_id, {"external file prefix"},
                                           [&](auto& s) { s.external_prefix = text_of(prefix); });
  });
}

ssize_t H5Pget_efile_prefix(hid_t dapl_id, char* prefix, size_t size) {
  return api_call(plist_call("H5Pget_efile_prefix"), [&] {
    return copy_string(get_settings<DatasetAccessSettings>(dapl_id)->external_prefix, prefix, size);
  });
}
