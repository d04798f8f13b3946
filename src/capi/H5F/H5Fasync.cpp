// SPDX-License-Identifier: Apache-2.0
//
// Asynchronous functions on files.
#include "capi/H5ES/async_call.hpp"

using namespace filigree::capi;

hid_t H5Fcreate_async(const char* app_file, const char* app_func, unsigned app_line, const char* filename,
                      unsigned flags, hid_t fcpl_id, hid_t fapl_id, hid_t es_id) {
  return call_async(FILIGREE_ASYNC_CALL("filename, flags, fcpl_id, fapl_id"), H5I_FILE, H5Fcreate,
                    FilePath{filename}, flags, PlistId{fcpl_id, PlistType::file_create},
                    PlistId{fapl_id, PlistType::file_access});
}

hid_t H5Fopen_async(const char* app_file, const char* app_func, unsigned app_line, const char* filename,
                    unsigned flags, hid_t fapl_id, hid_t es_id) {
  return call_async(FILIGREE_ASYNC_CALL("filename, flags, fapl_id"), H5I_FILE, H5Fopen, FilePath{filename},
                    flags, PlistId{fapl_id, PlistType::file_access});
}

hid_t H5Freopen_async(const char* app_file, const char* app_func, unsigned app_line, hid_t file_id,
                      hid_t es_id) {
  return call_async(FILIGREE_ASYNC_CALL("file_id"), H5I_FILE, H5Freopen, FileId{file_id});
}

herr_t H5Fflush_async(const char* app_file, const char* app_func, unsigned app_line, hid_t object_id,
                      H5F_scope_t scope, hid_t es_id) {
  return call_async(FILIGREE_ASYNC_CALL("object_id, scope"), H5Fflush, LocationId{object_id}, scope);
}

herr_t H5Fclose_async(const char* app_file, const char* app_func, unsigned app_line, hid_t file_id,
                      hid_t es_id) {
  return close_async(FILIGREE_ASYNC_CALL("file_id"), H5Fclose, {H5I_FILE}, file_id);
}
