// SPDX-License-Identifier: Apache-2.0
//
// Asynchronous functions on attributes.
#include "capi/H5ES/async_call.hpp"

using namespace filigree::capi;

namespace {

herr_t report(htri_t found, hbool_t* exists) {
  if (found >= 0) *exists = found > 0;
  return found < 0 ? -1 : 0;
}

herr_t exists_in(hid_t object, const char* attribute, hbool_t* exists) {
  return report(H5Aexists(object, attribute), exists);
}

herr_t exists_by_name(hid_t location, const char* object, const char* attribute, hbool_t* exists,
                      hid_t access) {
  return report(H5Aexists_by_name(location, object, attribute, access), exists);
}

}  // namespace

hid_t H5Acreate_async(const char* app_file, const char* app_func, unsigned app_line, hid_t loc_id,
                      const char* attr_name, hid_t type_id, hid_t space_id, hid_t acpl_id, hid_t aapl_id,
                      hid_t es_id) {
  return call_async(FILIGREE_ASYNC_CALL("loc_id, attr_name, type_id, space_id, acpl_id, aapl_id"), H5I_ATTR,
                    H5Acreate2, LocationId{loc_id}, attr_name, TypeId{type_id}, SpaceId{space_id},
                    PlistId{acpl_id, PlistType::attribute_create},
                    PlistId{aapl_id, PlistType::attribute_access});
}

hid_t H5Acreate_by_name_async(const char* app_file, const char* app_func, unsigned app_line, hid_t loc_id,
                              const char* obj_name, const char* attr_name, hid_t type_id, hid_t space_id,
                              hid_t acpl_id, hid_t aapl_id, hid_t lapl_id, hid_t es_id) {
  return call_async(
      FILIGREE_ASYNC_CALL("loc_id, obj_name, attr_name, type_id, space_id, acpl_id, aapl_id, lapl_id"),
      H5I_ATTR, H5Acreate_by_name, LocationId{loc_id}, obj_name, attr_name, TypeId{type_id},
      SpaceId{space_id}, PlistId{acpl_id, PlistType::attribute_create},
      PlistId{aapl_id, PlistType::attribute_access}, PlistId{lapl_id, PlistType::link_access});
}

hid_t H5Aopen_async(const char* app_file, const char* app_func, unsigned app_line, hid_t obj_id,
                    const char* attr_name, hid_t aapl_id, hid_t es_id) {
  return call_async(FILIGREE_ASYNC_CALL("obj_id, attr_name, aapl_id"), H5I_ATTR, H5Aopen, LocationId{obj_id},
                    attr_name, PlistId{aapl_id, PlistType::attribute_access});
}

hid_t H5Aopen_by_name_async(const char* app_file, const char* app_func, unsigned app_line, hid_t loc_id,
                            const char* obj_name, const char* attr_name, hid_t aapl_id, hid_t lapl_id,
                            hid_t es_id) {
  return call_async(FILIGREE_ASYNC_CALL("loc_id, obj_name, attr_name, aapl_id, lapl_id"), H5I_ATTR,
                    H5Aopen_by_name, LocationId{loc_id}, obj_name, attr_name,
                    PlistId{aapl_id, PlistType::attribute_access}, PlistId{lapl_id, PlistType::link_access});
}

hid_t H5Aopen_by_idx_async(const char* app_file, const char* app_func, unsigned app_line, hid_t loc_id,
                           const char* obj_name, H5_index_t idx_type, H5_iter_order_t order, hsize_t n,
                           hid_t aapl_id, hid_t lapl_id, hid_t es_id) {
  return call_async(FILIGREE_ASYNC_CALL("loc_id, obj_name, idx_type, order, n, aapl_id, lapl_id"), H5I_ATTR,
                    H5Aopen_by_idx, LocationId{loc_id}, obj_name, idx_type, order, n,
                    PlistId{aapl_id, PlistType::attribute_access}, PlistId{lapl_id, PlistType::link_access});
}

herr_t H5Awrite_async(const char* app_file, const char* app_func, unsigned app_line, hid_t attr_id,
                      hid_t type_id, const void* buf, hid_t es_id) {
  return call_async(FILIGREE_ASYNC_CALL("attr_id, type_id, buf"), H5Awrite, AttributeId{attr_id},
                    TypeId{type_id}, Needed{buf, "buf"});
}

herr_t H5Aread_async(const char* app_file, const char* app_func, unsigned app_line, hid_t attr_id,
                     hid_t dtype_id, void* buf, hid_t es_id) {
  return call_async(FILIGREE_ASYNC_CALL("attr_id, dtype_id, buf"), H5Aread, AttributeId{attr_id},
                    TypeId{dtype_id}, Needed{buf, "buf"});
}

herr_t H5Arename_async(const char* app_file, const char* app_func, unsigned app_line, hid_t loc_id,
                       const char* old_name, const char* new_name, hid_t es_id) {
  return call_async(FILIGREE_ASYNC_CALL("loc_id, old_name, new_name"), H5Arename, LocationId{loc_id},
                    old_name, new_name);
}

herr_t H5Arename_by_name_async(const char* app_file, const char* app_func, unsigned app_line, hid_t loc_id,
                               const char* obj_name, const char* old_attr_name, const char* new_attr_name,
                               hid_t lapl_id, hid_t es_id) {
  return call_async(FILIGREE_ASYNC_CALL("loc_id, obj_name, old_attr_name, new_attr_name, lapl_id"),
                    H5Arename_by_name, LocationId{loc_id}, obj_name, old_attr_name, new_attr_name,
                    PlistId{lapl_id, PlistType::link_access});
}

herr_t H5Aexists_async(const char* app_file, const char* app_func, unsigned app_line, hid_t obj_id,
                       const char* attr_name, hbool_t* exists, hid_t es_id) {
  return call_async(FILIGREE_ASYNC_CALL("obj_id, attr_name, exists"), exists_in, LocationId{obj_id},
                    attr_name, Needed{exists, "exists"});
}

herr_t H5Aexists_by_name_async(const char* app_file, const char* app_func, unsigned app_line, hid_t loc_id,
                               const char* obj_name, const char* attr_name, hbool_t* exists, hid_t lapl_id,
                               hid_t es_id) {
  return call_async(FILIGREE_ASYNC_CALL("loc_id, obj_name, attr_name, exists, lapl_id"), exists_by_name,
                    LocationId{loc_id}, obj_name, attr_name, Needed{exists, "exists"},
                    PlistId{lapl_id, PlistType::link_access});
}

herr_t H5Aclose_async(const char* app_file, const char* app_func, unsigned app_line, hid_t attr_id,
                      hid_t es_id) {
  return close_async(FILIGREE_ASYNC_CALL("attr_id"), H5Aclose, {H5I_ATTR}, attr_id);
}
