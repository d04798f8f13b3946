// SPDX-License-Identifier: Apache-2.0
//
// Asynchronous functions on groups.
#include "capi/H5ES/async_call.hpp"

using namespace filigree::capi;

hid_t H5Gcreate_async(const char* app_file, const char* app_func, unsigned app_line, hid_t loc_id,
                      const char* name, hid_t lcpl_id, hid_t gcpl_id, hid_t gapl_id, hid_t es_id) {
  return call_async(FILIGREE_ASYNC_CALL("loc_id, name, lcpl_id, gcpl_id, gapl_id"), H5I_GROUP, H5Gcreate2,
                    LocationId{loc_id}, name, PlistId{lcpl_id, PlistType::link_create},
                    PlistId{gcpl_id, PlistType::group_create}, PlistId{gapl_id, PlistType::group_access});
}

hid_t H5Gopen_async(const char* app_file, const char* app_func, unsigned app_line, hid_t loc_id,
                    const char* name, hid_t gapl_id, hid_t es_id) {
  return call_async(FILIGREE_ASYNC_CALL("loc_id, name, gapl_id"), H5I_GROUP, H5Gopen2, LocationId{loc_id},
                    name, PlistId{gapl_id, PlistType::group_access});
}

herr_t H5Gget_info_async(const char* app_file, const char* app_func, unsigned app_line, hid_t loc_id,
                         H5G_info_t* ginfo, hid_t es_id) {
  return call_async(FILIGREE_ASYNC_CALL("loc_id, ginfo"), H5Gget_info, LocationId{loc_id},
                    Needed{ginfo, "group_info"});
}

herr_t H5Gget_info_by_name_async(const char* app_file, const char* app_func, unsigned app_line, hid_t loc_id,
                                 const char* name, H5G_info_t* ginfo, hid_t lapl_id, hid_t es_id) {
  return call_async(FILIGREE_ASYNC_CALL("loc_id, name, ginfo, lapl_id"), H5Gget_info_by_name,
                    LocationId{loc_id}, name, Needed{ginfo, "group_info"},
                    PlistId{lapl_id, PlistType::link_access});
}

herr_t H5Gget_info_by_idx_async(const char* app_file, const char* app_func, unsigned app_line, hid_t loc_id,
                                const char* group_name, H5_index_t idx_type, H5_iter_order_t order, hsize_t n,
                                H5G_info_t* ginfo, hid_t lapl_id, hid_t es_id) {
  return call_async(FILIGREE_ASYNC_CALL("loc_id, group_name, idx_type, order, n, ginfo, lapl_id"),
                    H5Gget_info_by_idx, LocationId{loc_id}, group_name, idx_type, order, n,
                    Needed{ginfo, "group_info"}, PlistId{lapl_id, PlistType::link_access});
}

herr_t H5Gclose_async(const char* app_file, const char* app_func, unsigned app_line, hid_t group_id,
                      hid_t es_id) {
  return close_async(FILIGREE_ASYNC_CALL("group_id"), H5Gclose, {H5I_GROUP}, group_id);
}
