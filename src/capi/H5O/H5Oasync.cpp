// SPDX-License-Identifier: Apache-2.0
//
// Asynchronous functions on objects.
#include "capi/H5ES/async_call.hpp"

using namespace filigree::capi;

herr_t H5Ocopy_async(const char* app_file, const char* app_func, unsigned app_line, hid_t src_loc_id,
                     const char* src_name, hid_t dst_loc_id, const char* dst_name, hid_t ocpypl_id,
                     hid_t lcpl_id, hid_t es_id) {
  return call_async(FILIGREE_ASYNC_CALL("src_loc_id, src_name, dst_loc_id, dst_name, ocpypl_id, lcpl_id"),
                    H5Ocopy, LocationId{src_loc_id}, src_name, LocationId{dst_loc_id}, dst_name,
                    PlistId{ocpypl_id, PlistType::object_copy}, PlistId{lcpl_id, PlistType::link_create});
}

herr_t H5Oflush_async(const char* app_file, const char* app_func, unsigned app_line, hid_t obj_id,
                      hid_t es_id) {
  return call_async(FILIGREE_ASYNC_CALL("obj_id"), H5Oflush, LocationId{obj_id});
}

herr_t H5Orefresh_async(const char* app_file, const char* app_func, unsigned app_line, hid_t oid,
                        hid_t es_id) {
  return call_async(FILIGREE_ASYNC_CALL("oid"), H5Orefresh, LocationId{oid});
}

herr_t H5Oget_info_by_name_async(const char* app_file, const char* app_func, unsigned app_line, hid_t loc_id,
                                 const char* name, H5O_info2_t* oinfo, unsigned fields, hid_t lapl_id,
                                 hid_t es_id) {
  return call_async(FILIGREE_ASYNC_CALL("loc_id, name, oinfo, fields, lapl_id"), H5Oget_info_by_name3,
                    LocationId{loc_id}, name, Needed{oinfo, "oinfo"}, fields,
                    PlistId{lapl_id, PlistType::link_access});
}

hid_t H5Oopen_async(const char* app_file, const char* app_func, unsigned app_line, hid_t loc_id,
                    const char* name, hid_t lapl_id, hid_t es_id) {
  return call_and_insert(FILIGREE_ASYNC_CALL("loc_id, name, lapl_id"), H5Oopen, loc_id, name, lapl_id);
}

hid_t H5Oopen_by_idx_async(const char* app_file, const char* app_func, unsigned app_line, hid_t loc_id,
                           const char* group_name, H5_index_t idx_type, H5_iter_order_t order, hsize_t n,
                           hid_t lapl_id, hid_t es_id) {
  return call_and_insert(FILIGREE_ASYNC_CALL("loc_id, group_name, idx_type, order, n, lapl_id"),
                         H5Oopen_by_idx, loc_id, group_name, idx_type, order, n, lapl_id);
}

herr_t H5Oclose_async(const char* app_file, const char* app_func, unsigned app_line, hid_t object_id,
                      hid_t es_id) {
  return close_async(FILIGREE_ASYNC_CALL("object_id"), H5Oclose,
                     {H5I_GROUP, H5I_DATATYPE, H5I_DATASET, H5I_MAP}, object_id);
}
