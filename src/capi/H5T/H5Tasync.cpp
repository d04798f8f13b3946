// SPDX-License-Identifier: Apache-2.0
//
// Asynchronous functions on committed datatypes.
#include "capi/H5ES/async_call.hpp"

using namespace filigree::capi;

herr_t H5Tcommit_async(const char* app_file, const char* app_func, unsigned app_line, hid_t loc_id,
                       const char* name, hid_t type_id, hid_t lcpl_id, hid_t tcpl_id, hid_t tapl_id,
                       hid_t es_id) {
  return call_async(FILIGREE_ASYNC_CALL("loc_id, name, type_id, lcpl_id, tcpl_id, tapl_id"), H5Tcommit2,
                    LocationId{loc_id}, name, CommittedTypeId{type_id},
                    PlistId{lcpl_id, PlistType::link_create}, PlistId{tcpl_id, PlistType::datatype_create},
                    PlistId{tapl_id, PlistType::datatype_access});
}

hid_t H5Topen_async(const char* app_file, const char* app_func, unsigned app_line, hid_t loc_id,
                    const char* name, hid_t tapl_id, hid_t es_id) {
  return call_async(FILIGREE_ASYNC_CALL("loc_id, name, tapl_id"), H5I_DATATYPE, H5Topen2, LocationId{loc_id},
                    name, PlistId{tapl_id, PlistType::datatype_access});
}

herr_t H5Tclose_async(const char* app_file, const char* app_func, unsigned app_line, hid_t type_id,
                      hid_t es_id) {
  return close_async(FILIGREE_ASYNC_CALL("type_id"), H5Tclose, {H5I_DATATYPE}, type_id);
}
