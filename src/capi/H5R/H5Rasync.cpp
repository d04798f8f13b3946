// SPDX-License-Identifier: Apache-2.0
//
// Asynchronous functions on references.
#include "capi/H5ES/async_call.hpp"

using namespace filigree::capi;

hid_t H5Ropen_object_async(const char* app_file, const char* app_func, unsigned app_line, H5R_ref_t* ref_ptr,
                           hid_t rapl_id, hid_t oapl_id, hid_t es_id) {
  return call_and_insert(FILIGREE_ASYNC_CALL("ref_ptr, rapl_id, oapl_id"), H5Ropen_object, ref_ptr, rapl_id,
                         oapl_id);
}

hid_t H5Ropen_region_async(const char* app_file, const char* app_func, unsigned app_line, H5R_ref_t* ref_ptr,
                           hid_t rapl_id, hid_t oapl_id, hid_t es_id) {
  return call_async(FILIGREE_ASYNC_CALL("ref_ptr, rapl_id, oapl_id"), H5I_DATASPACE, H5Ropen_region, ref_ptr,
                    PlistId{rapl_id, PlistType::reference_access},
                    PlistId{oapl_id, PlistType::dataset_access});
}

hid_t H5Ropen_attr_async(const char* app_file, const char* app_func, unsigned app_line, H5R_ref_t* ref_ptr,
                         hid_t rapl_id, hid_t aapl_id, hid_t es_id) {
  return call_async(FILIGREE_ASYNC_CALL("ref_ptr, rapl_id, aapl_id"), H5I_ATTR, H5Ropen_attr, ref_ptr,
                    PlistId{rapl_id, PlistType::reference_access},
                    PlistId{aapl_id, PlistType::attribute_access});
}
