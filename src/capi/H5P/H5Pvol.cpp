// SPDX-License-Identifier: Apache-2.0
//
// The VOL connector of file access property lists.
#include "capi/H5VL/connectors.hpp"

using namespace filigree::capi;

namespace {

using Access = FileAccessSettings;

ApiFunction vol_call(const char* function, const hid_t* minor) {
  return {function, {&H5E_PLIST_g, minor}, "unable to use the VOL connector of the list"};
}

std::shared_ptr<PropertyListHandle> access_list(hid_t id) {
  const auto plist = ids().find_as<PropertyListHandle>(id);
  if (plist == nullptr) bad_type("not a property list");
  return plist;
}

std::shared_ptr<const Access> access_settings(hid_t id) {
  if (id == H5P_DEFAULT) return get_settings<Access>(id, "a file access property list");
  auto settings = std::dynamic_pointer_cast<const Access>(access_list(id)->settings());
  if (settings == nullptr) bad_type("not a file access property list");
  return settings;
}

}  // namespace

herr_t H5Pset_vol(hid_t plist_id, hid_t new_vol_id, const void* new_vol_info) {
  return api_call(vol_call(__func__, &H5E_CANTSET_g), [&] {
    const auto plist = access_list(plist_id);
    get_connector(new_vol_id);
    if (std::dynamic_pointer_cast<const Access>(plist->settings()) == nullptr)
      throw NestedFailure({&H5E_ARGS_g, &H5E_BADTYPE_g}, "not a file access property list");
    const ConnectorSetting setting = connector_setting(new_vol_id, new_vol_info);
    plist->change<Access>({}, [&](Access& access) { access.connector = setting; });
  });
}

herr_t H5Pget_vol_id(hid_t plist_id, hid_t* vol_id) {
  return api_call(vol_call(__func__, &H5E_CANTGET_g), [&] {
    const ConnectorSetting setting = chosen_connector(*access_settings(plist_id));
    required(vol_id, "vol_id");
    ids().retain(setting.id);
    *vol_id = setting.id;
  });
}

herr_t H5Pget_vol_info(hid_t plist_id, void** vol_info) {
  return api_call(vol_call(__func__, &H5E_CANTGET_g), [&] {
    if (plist_id == H5P_DEFAULT) bad_type("not a property list");
    const ConnectorSetting setting = chosen_connector(*access_settings(plist_id));
    required(vol_info, "vol_info");
    *vol_info = copy_connector_info(get_connector(setting.id)->functions(), setting.info.get());
  });
}

herr_t H5Pget_vol_cap_flags(hid_t plist_id, uint64_t* cap_flags) {
  return api_call(vol_call(__func__, &H5E_CANTGET_g), [&] {
    if (cap_flags == nullptr) return;
    const ConnectorSetting setting = chosen_connector(*access_settings(plist_id));
    *cap_flags = capabilities(get_connector(setting.id)->functions(), setting.info.get());
  });
}
