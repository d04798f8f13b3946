// SPDX-License-Identifier: Apache-2.0
//
// Properties of object creation, group creation, and of names of links and attributes.
#include "capi/H5P/plist_calls.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

void check_phases(unsigned max_compact, unsigned min_dense) {
  if (max_compact < min_dense) out_of_range("max_compact is below min_dense");
  if (max_compact > 65535) out_of_range("max_compact is at most 65535");
}

void check_order(unsigned flags) {
  if ((flags & H5P_CRT_ORDER_TRACKED) == 0 && (flags & H5P_CRT_ORDER_INDEXED) != 0)
    bad_value("an index by creation order needs the order to be tracked");
}

}  // namespace

herr_t H5Pset_attr_phase_change(hid_t plist_id, unsigned max_compact, unsigned min_dense) {
  return api_call(plist_call("H5Pset_attr_phase_change"), [&] {
    check_phases(max_compact, min_dense);
    change_settings<ObjectCreationSettings>(plist_id, {"max compact attr", "min dense attr"}, [&](auto& s) {
      s.object.attributes.max_compact = static_cast<std::uint16_t>(max_compact);
      s.object.attributes.min_dense = static_cast<std::uint16_t>(min_dense);
    });
  });
}

herr_t H5Pget_attr_phase_change(hid_t plist_id, unsigned* max_compact, unsigned* min_dense) {
  return api_call(plist_call("H5Pget_attr_phase_change"), [&] {
    const AttributeStorage storage = get_settings<ObjectCreationSettings>(plist_id)->object.attributes;
    store_if(max_compact, storage.max_compact);
    store_if(min_dense, storage.min_dense);
  });
}

herr_t H5Pset_attr_creation_order(hid_t plist_id, unsigned crt_order_flags) {
  return api_call(plist_call("H5Pset_attr_creation_order"), [&] {
    check_order(crt_order_flags);
    change_settings<ObjectCreationSettings>(plist_id, {"object header flags"}, [&](auto& s) {
      s.object.attributes.track_order = (crt_order_flags & H5P_CRT_ORDER_TRACKED) != 0;
      s.object.attributes.index_order = (crt_order_flags & H5P_CRT_ORDER_INDEXED) != 0;
    });
  });
}

herr_t H5Pget_attr_creation_order(hid_t plist_id, unsigned* crt_order_flags) {
  return api_call(plist_call("H5Pget_attr_creation_order"), [&] {
    const AttributeStorage storage = get_settings<ObjectCreationSettings>(plist_id)->object.attributes;
    store_if(crt_order_flags, (storage.track_order ? H5P_CRT_ORDER_TRACKED : 0) |
                                  (storage.index_order ? H5P_CRT_ORDER_INDEXED : 0));
  });
}

herr_t H5Pset_obj_track_times(hid_t plist_id, hbool_t track_times) {
  return api_call(plist_call("H5Pset_obj_track_times"), [&] {
    change_settings<ObjectCreationSettings>(plist_id, {"object header flags"},
                                            [&](auto& s) { s.object.track_times = track_times; });
  });
}

herr_t H5Pget_obj_track_times(hid_t plist_id, hbool_t* track_times) {
  return api_call(plist_call("H5Pget_obj_track_times"), [&] {
    store_if(track_times, get_settings<ObjectCreationSettings>(plist_id)->object.track_times);
  });
}

herr_t H5Pset_local_heap_size_hint(hid_t plist_id, size_t size_hint) {
  return api_call(plist_call("H5Pset_local_heap_size_hint"), [&] {
    change_settings<GroupCreationSettings>(plist_id, {"group info"},
                                           [&](auto& s) { s.local_heap_bytes = size_hint; });
  });
}

herr_t H5Pget_local_heap_size_hint(hid_t plist_id, size_t* size_hint) {
  return api_call(plist_call("H5Pget_local_heap_size_hint"), [&] {
    if (size_hint != nullptr) *size_hint = get_settings<GroupCreationSettings>(plist_id)->local_heap_bytes;
  });
}

herr_t H5Pset_link_phase_change(hid_t plist_id, unsigned max_compact, unsigned min_dense) {
  return api_call(plist_call("H5Pset_link_phase_change"), [&] {
    check_phases(max_compact, min_dense);
    change_settings<GroupCreationSettings>(plist_id, {"group info"}, [&](auto& s) {
      s.max_compact = max_compact;
      s.min_dense = min_dense;
    });
  });
}

herr_t H5Pget_link_phase_change(hid_t plist_id, unsigned* max_compact, unsigned* min_dense) {
  return api_call(plist_call("H5Pget_link_phase_change"), [&] {
    const auto settings = get_settings<GroupCreationSettings>(plist_id);
    store_if(max_compact, settings->max_compact);
    store_if(min_dense, settings->min_dense);
  });
}

herr_t H5Pset_est_link_info(hid_t plist_id, unsigned est_num_entries, unsigned est_name_len) {
  return api_call(plist_call("H5Pset_est_link_info"), [&] {
    if (est_num_entries > 65535) out_of_range("est_num_entries is at most 65535");
    if (est_name_len > 65535) out_of_range("est_name_len is at most 65535");
    change_settings<GroupCreationSettings>(plist_id, {"group info"}, [&](auto& s) {
      s.expected_links = est_num_entries;
      s.expected_name_bytes = est_name_len;
    });
  });
}

herr_t H5Pget_est_link_info(hid_t plist_id, unsigned* est_num_entries, unsigned* est_name_len) {
  return api_call(plist_call("H5Pget_est_link_info"), [&] {
    const auto settings = get_settings<GroupCreationSettings>(plist_id);
    store_if(est_num_entries, settings->expected_links);
    store_if(est_name_len, settings->expected_name_bytes);
  });
}

herr_t H5Pset_link_creation_order(hid_t plist_id, unsigned crt_order_flags) {
  return api_call(plist_call("H5Pset_link_creation_order"), [&] {
    check_order(crt_order_flags);
    change_settings<GroupCreationSettings>(plist_id, {"link info"}, [&](auto& s) {
      s.creation_order = crt_order_flags & (H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    });
  });
}

herr_t H5Pget_link_creation_order(hid_t plist_id, unsigned* crt_order_flags) {
  return api_call(plist_call("H5Pget_link_creation_order"), [&] {
    if (crt_order_flags != nullptr)
      *crt_order_flags = get_settings<GroupCreationSettings>(plist_id)->creation_order;
  });
}

herr_t H5Pset_char_encoding(hid_t plist_id, H5T_cset_t encoding) {
  return api_call(plist_call("H5Pset_char_encoding"), [&] {
    if (encoding <= H5T_CSET_ERROR || encoding >= H5T_NCSET) out_of_range("unknown character encoding");
    change_settings<StringCreationSettings>(plist_id, {"character_encoding"},
                                            [&](auto& s) { s.charset = encoding; });
  });
}

herr_t H5Pget_char_encoding(hid_t plist_id, H5T_cset_t* encoding) {
  return api_call(plist_call("H5Pget_char_encoding"),
                  [&] { store_if(encoding, get_settings<StringCreationSettings>(plist_id)->charset); });
}

herr_t H5Pset_create_intermediate_group(hid_t plist_id, unsigned crt_intmd) {
  return api_call(plist_call("H5Pset_create_intermediate_group"), [&] {
    change_settings<LinkCreationSettings>(plist_id, {"intermediate_group"},
                                          [&](auto& s) { s.create_parents = crt_intmd != 0; });
  });
}

herr_t H5Pget_create_intermediate_group(hid_t plist_id, unsigned* crt_intmd) {
  return api_call(plist_call("H5Pget_create_intermediate_group"), [&] {
    store_if(crt_intmd, get_settings<LinkCreationSettings>(plist_id)->create_parents ? 1u : 0u);
  });
}

herr_t H5Pset_copy_object(hid_t plist_id, unsigned copy_options) {
  return api_call(plist_call("H5Pset_copy_object"), [&] {
    if ((copy_options & ~static_cast<unsigned>(H5O_COPY_ALL)) != 0) bad_value("unknown option");
    change_settings<ObjectCopySettings>(plist_id, {"copy object"}, [&](auto& s) { s.flags = copy_options; });
  });
}

herr_t H5Pget_copy_object(hid_t plist_id, unsigned* copy_options) {
  return api_call(plist_call("H5Pget_copy_object"),
                  [&] { store_if(copy_options, get_settings<ObjectCopySettings>(plist_id)->flags); });
}

herr_t H5Padd_merge_committed_dtype_path(hid_t plist_id, const char* path) {
  return api_call(plist_call("H5Padd_merge_committed_dtype_path"), [&] {
    if (path == nullptr || *path == '\0') bad_value("no path is given");
    change_settings<ObjectCopySettings>(plist_id, {"merge committed dtype list"},
                                        [&](auto& s) { s.merge_paths.emplace_back(path); });
  });
}

herr_t H5Pfree_merge_committed_dtype_paths(hid_t plist_id) {
  return api_call(plist_call("H5Pfree_merge_committed_dtype_paths"), [&] {
    change_settings<ObjectCopySettings>(plist_id, {"merge committed dtype list"},
                                        [&](auto& s) { s.merge_paths.clear(); });
  });
}

herr_t H5Pset_mcdt_search_cb(hid_t plist_id, H5O_mcdt_search_cb_t func, void* op_data) {
  return api_call(plist_call("H5Pset_mcdt_search_cb"), [&] {
    if (func == nullptr && op_data != nullptr) bad_value("data is given without a function");
    change_settings<ObjectCopySettings>(plist_id, {"committed dtype list search"}, [&](auto& s) {
      s.merge_callback = func;
      s.merge_data = op_data;
    });
  });
}

herr_t H5Pget_mcdt_search_cb(hid_t plist_id, H5O_mcdt_search_cb_t* func, void** op_data) {
  return api_call(plist_call("H5Pget_mcdt_search_cb"), [&] {
    const auto settings = get_settings<ObjectCopySettings>(plist_id);
    store_if(func, settings->merge_callback);
    store_if(op_data, settings->merge_data);
  });
}
