// SPDX-License-Identifier: Apache-2.0
//
// Asynchronous functions on links.
#include "capi/H5ES/async_call.hpp"

using namespace filigree::capi;

namespace {

herr_t link_exists(hid_t location, const char* name, hbool_t* exists, hid_t access) {
  const htri_t found = H5Lexists(location, name, access);
  if (found >= 0) *exists = found > 0;
  return found < 0 ? -1 : 0;
}

}  // namespace

herr_t H5Lcreate_hard_async(const char* app_file, const char* app_func, unsigned app_line, hid_t cur_loc_id,
                            const char* cur_name, hid_t new_loc_id, const char* new_name, hid_t lcpl_id,
                            hid_t lapl_id, hid_t es_id) {
  return call_async(FILIGREE_ASYNC_CALL("cur_loc_id, cur_name, new_loc_id, new_name, lcpl_id, lapl_id"),
                    H5Lcreate_hard, LinkLocationId{cur_loc_id}, cur_name, LinkLocationId{new_loc_id},
                    new_name, PlistId{lcpl_id, PlistType::link_create},
                    PlistId{lapl_id, PlistType::link_access});
}

herr_t H5Lcreate_soft_async(const char* app_file, const char* app_func, unsigned app_line,
                            const char* link_target, hid_t link_loc_id, const char* link_name, hid_t lcpl_id,
                            hid_t lapl_id, hid_t es_id) {
  return call_async(FILIGREE_ASYNC_CALL("link_target, link_loc_id, link_name, lcpl_id, lapl_id"),
                    H5Lcreate_soft, link_target, LocationId{link_loc_id}, link_name,
                    PlistId{lcpl_id, PlistType::link_create}, PlistId{lapl_id, PlistType::link_access});
}

herr_t H5Ldelete_async(const char* app_file, const char* app_func, unsigned app_line, hid_t loc_id,
                       const char* name, hid_t lapl_id, hid_t es_id) {
  return call_async(FILIGREE_ASYNC_CALL("loc_id, name, lapl_id"), H5Ldelete, LocationId{loc_id}, name,
                    PlistId{lapl_id, PlistType::link_access});
}

herr_t H5Ldelete_by_idx_async(const char* app_file, const char* app_func, unsigned app_line, hid_t loc_id,
                              const char* group_name, H5_index_t idx_type, H5_iter_order_t order, hsize_t n,
                              hid_t lapl_id, hid_t es_id) {
  return call_async(FILIGREE_ASYNC_CALL("loc_id, group_name, idx_type, order, n, lapl_id"), H5Ldelete_by_idx,
                    LocationId{loc_id}, group_name, idx_type, order, n,
                    PlistId{lapl_id, PlistType::link_access});
}

herr_t H5Lexists_async(const char* app_file, const char* app_func, unsigned app_line, hid_t loc_id,
                       const char* name, hbool_t* exists, hid_t lapl_id, hid_t es_id) {
  return call_async(FILIGREE_ASYNC_CALL("loc_id, name, exists, lapl_id"), link_exists, LocationId{loc_id},
                    name, Needed{exists, "exists"}, PlistId{lapl_id, PlistType::link_access});
}

herr_t H5Literate_async(const char* app_file, const char* app_func, unsigned app_line, hid_t group_id,
                        H5_index_t idx_type, H5_iter_order_t order, hsize_t* idx_p, H5L_iterate2_t op,
                        void* op_data, hid_t es_id) {
  return call_async(FILIGREE_ASYNC_CALL("group_id, idx_type, order, idx_p, op, op_data"), H5Literate2,
                    LocationId{group_id}, idx_type, order, idx_p, op, op_data);
}
