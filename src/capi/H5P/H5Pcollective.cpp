// SPDX-License-Identifier: Apache-2.0
//
// Hints for collective access to metadata. They are only kept: files that MPI processes share read and write
// metadata in one way.
#include "capi/H5P/plist_calls.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

using Fapl = FileAccessSettings;
using Lapl = LinkAccessSettings;

ApiFunction access_call(const char* function) {
  return property_call(function, &H5E_CANTREGISTER_g, "property list is not an access plist");
}

bool is_file_access(hid_t id) {
  return dynamic_cast<const Fapl*>(get_plist(id)->settings().get()) != nullptr;
}

}  // namespace

herr_t H5Pset_all_coll_metadata_ops(hid_t plist_id, hbool_t is_collective) {
  return api_call(access_call("H5Pset_all_coll_metadata_ops"), [&] {
    if (is_file_access(plist_id))
      change_settings<Fapl>(plist_id, {}, [&](auto& s) { s.collective_metadata_read = is_collective; });
    else
      change_settings<Lapl>(plist_id, {}, [&](auto& s) { s.collective_metadata = is_collective; });
  });
}

herr_t H5Pget_all_coll_metadata_ops(hid_t plist_id, hbool_t* is_collective) {
  return api_call(access_call("H5Pget_all_coll_metadata_ops"), [&] {
    store_if(is_collective, is_file_access(plist_id) ? get_settings<Fapl>(plist_id)->collective_metadata_read
                                                     : get_settings<Lapl>(plist_id)->collective_metadata);
  });
}

herr_t H5Pset_coll_metadata_write(hid_t plist_id, hbool_t is_collective) {
  return api_call(access_call("H5Pset_coll_metadata_write"), [&] {
    change_settings<Fapl>(plist_id, {}, [&](auto& s) { s.collective_metadata_write = is_collective; });
  });
}

herr_t H5Pget_coll_metadata_write(hid_t plist_id, hbool_t* is_collective) {
  return api_call(access_call("H5Pget_coll_metadata_write"),
                  [&] { store_if(is_collective, get_settings<Fapl>(plist_id)->collective_metadata_write); });
}
