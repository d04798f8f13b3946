// SPDX-License-Identifier: Apache-2.0
//
// Properties of file access that are about metadata: eviction, flushes, log and image of the metadata cache.
#include <algorithm>
#include <cstring>

#include "capi/H5F/mdc_config.hpp"
#include "capi/H5P/plist_calls.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

using Access = FileAccessSettings;

ApiFunction eviction_call(const char* function) {
  return property_call(function, &H5E_CANTREGISTER_g, "property list is not a file access plist");
}

ApiFunction log_call(const char* function) {
  return {function, {&H5E_ARGS_g, &H5E_BADVALUE_g}, "plist_id is not a file access property list"};
}

}  // namespace

herr_t H5Pset_evict_on_close(hid_t fapl_id, hbool_t evict_on_close) {
  return api_call(eviction_call("H5Pset_evict_on_close"), [&] {
    change_settings<Access>(fapl_id, {"evict_on_close_flag"},
                            [&](auto& s) { s.evict_on_close = evict_on_close; });
  });
}

herr_t H5Pget_evict_on_close(hid_t fapl_id, hbool_t* evict_on_close) {
  return api_call(eviction_call("H5Pget_evict_on_close"),
                  [&] { store_if(evict_on_close, get_settings<Access>(fapl_id)->evict_on_close); });
}

herr_t H5Pset_object_flush_cb(hid_t plist_id, H5F_flush_cb_t func, void* udata) {
  return api_call(plist_call("H5Pset_object_flush_cb"), [&] {
    if (func == nullptr && udata != nullptr) bad_value("callback is NULL while user data is not");
    change_settings<Access>(plist_id, {"object_flush_cb"}, [&](auto& s) {
      s.flush_callback = func;
      s.flush_data = udata;
    });
  });
}

herr_t H5Pget_object_flush_cb(hid_t plist_id, H5F_flush_cb_t* func, void** udata) {
  return api_call(plist_call("H5Pget_object_flush_cb"), [&] {
    const auto settings = get_settings<Access>(plist_id);
    if (func != nullptr) *func = settings->flush_callback;
    if (udata != nullptr) *udata = settings->flush_data;
  });
}

herr_t H5Pset_mdc_log_options(hid_t plist_id, hbool_t is_enabled, const char* location,
                              hbool_t start_on_access) {
  return api_call(log_call("H5Pset_mdc_log_options"), [&] {
    if (plist_id == H5P_DEFAULT) bad_value("can't modify default property list");
    if (location == nullptr) bad_value("location cannot be NULL");
    change_settings<Access>(plist_id, {"use_mdc_logging", "mdc_log_location", "start_mdc_log_on_access"},
                            [&](auto& s) {
                              s.log_use = is_enabled;
                              s.log_location = location;
                              s.log_on_start = start_on_access;
                            });
  });
}

herr_t H5Pget_mdc_log_options(hid_t plist_id, hbool_t* is_enabled, char* location, size_t* location_size,
                              hbool_t* start_on_access) {
  return api_call(log_call("H5Pget_mdc_log_options"), [&] {
    const auto settings = get_settings<Access>(plist_id);
    store_if(is_enabled, settings->log_use);
    store_if(start_on_access, settings->log_on_start);
    const auto& held = settings->log_location;
    // Without the size of the buffer, nothing can be copied into it.
    if (held && location != nullptr && location_size != nullptr)
      std::memcpy(location, held->c_str(), std::min(*location_size, held->size() + 1));
    store_if(location_size, held ? held->size() + 1 : 0);
  });
}

herr_t H5Pset_mdc_image_config(hid_t plist_id, H5AC_cache_image_config_t* config_ptr) {
  return api_call(plist_call("H5Pset_mdc_image_config"), [&] {
    const auto plist = find_plist<Access>(plist_id);
    check_mdc_image_config(config_ptr);
    plist->change<Access>({"mdc_initCacheImageCfg"}, [&](auto& s) { s.cache_image = *config_ptr; });
  });
}

herr_t H5Pget_mdc_image_config(hid_t plist_id, H5AC_cache_image_config_t* config) {
  return api_call(plist_call("H5Pget_mdc_image_config"), [&] {
    const auto settings = get_settings<Access>(plist_id);
    required(config, "config");
    if (config->version != H5AC__CURR_CACHE_IMAGE_CONFIG_VERSION)
      bad_value("unknown version of the configuration");
    *config = settings->cache_image.value_or(default_mdc_image_config());
  });
}
