// SPDX-License-Identifier: Apache-2.0
//
// Calls of connectors for files, groups, links and objects.
#include "capi/H5VL/connector_call.hpp"

using namespace filigree::capi;

namespace {

Code code(const hid_t* minor) { return {&H5E_VOL_g, minor}; }

/// Returns the connector of a file access property list, or an invalid id.
hid_t connector_of_list(hid_t plist) {
  try {
    const auto list = ids().find_as<PropertyListHandle>(plist);
    const auto access =
        list == nullptr ? nullptr : std::dynamic_pointer_cast<const FileAccessSettings>(list->settings());
    return access == nullptr ? H5I_INVALID_HID : chosen_connector(*access).id;
  } catch (const Failure&) {
    return H5I_INVALID_HID;
  }
}

}  // namespace

void* H5VLfile_create(const char* name, unsigned flags, hid_t fcpl_id, hid_t fapl_id, hid_t dxpl_id,
                      void** req) {
  return connector_call<void*>(
      nullptr, {__func__, code(&H5E_CANTCREATE_g), "unable to create file"}, connector_of_list(fapl_id),
      [](auto& c) { return c.file_cls.create; },
      [&](auto call) { return call(name, flags, fcpl_id, fapl_id, dxpl_id, req); });
}

void* H5VLfile_open(const char* name, unsigned flags, hid_t fapl_id, hid_t dxpl_id, void** req) {
  return connector_call<void*>(
      nullptr, {__func__, code(&H5E_CANTOPENOBJ_g), "unable to open file"}, connector_of_list(fapl_id),
      [](auto& c) { return c.file_cls.open; },
      [&](auto call) { return call(name, flags, fapl_id, dxpl_id, req); });
}

herr_t H5VLfile_get(void* file, hid_t connector_id, H5VL_file_get_args_t* args, hid_t dxpl_id, void** req) {
  return object_call(
      herr_t{-1}, {__func__, code(&H5E_CANTGET_g), "unable to get file information"}, file, connector_id,
      [](auto& c) { return c.file_cls.get; }, [&](auto call) { return call(file, args, dxpl_id, req); });
}

herr_t H5VLfile_specific(void* obj, hid_t connector_id, H5VL_file_specific_args_t* args, hid_t dxpl_id,
                         void** req) {
  return connector_call(
      herr_t{-1}, {__func__, code(&H5E_CANTOPERATE_g), "unable to execute file operation"}, connector_id,
      [](auto& c) { return c.file_cls.specific; }, [&](auto call) { return call(obj, args, dxpl_id, req); });
}

herr_t H5VLfile_optional(void* obj, hid_t connector_id, H5VL_optional_args_t* args, hid_t dxpl_id,
                         void** req) {
  return object_call(
      herr_t{-1}, {__func__, code(&H5E_CANTOPERATE_g), "unable to execute optional operation"}, obj,
      connector_id, [](auto& c) { return c.file_cls.optional; },
      [&](auto call) { return call(obj, args, dxpl_id, req); });
}

herr_t H5VLfile_close(void* file, hid_t connector_id, hid_t dxpl_id, void** req) {
  return object_call(
      herr_t{-1}, {__func__, code(&H5E_CANTCLOSEFILE_g), "unable to close file"}, file, connector_id,
      [](auto& c) { return c.file_cls.close; }, [&](auto call) { return call(file, dxpl_id, req); });
}

void* H5VLgroup_create(void* obj, const H5VL_loc_params_t* loc_params, hid_t connector_id, const char* name,
                       hid_t lcpl_id, hid_t gcpl_id, hid_t gapl_id, hid_t dxpl_id, void** req) {
  return object_call<void*>(
      nullptr, {__func__, code(&H5E_CANTCREATE_g), "unable to create group"}, obj, connector_id,
      [](auto& c) { return c.group_cls.create; },
      [&](auto call) { return call(obj, loc_params, name, lcpl_id, gcpl_id, gapl_id, dxpl_id, req); });
}

void* H5VLgroup_open(void* obj, const H5VL_loc_params_t* loc_params, hid_t connector_id, const char* name,
                     hid_t gapl_id, hid_t dxpl_id, void** req) {
  return object_call<void*>(
      nullptr, {__func__, code(&H5E_CANTINIT_g), "unable to open group"}, obj, connector_id,
      [](auto& c) { return c.group_cls.open; },
      [&](auto call) { return call(obj, loc_params, name, gapl_id, dxpl_id, req); });
}

herr_t H5VLgroup_get(void* obj, hid_t connector_id, H5VL_group_get_args_t* args, hid_t dxpl_id, void** req) {
  return object_call(
      herr_t{-1}, {__func__, code(&H5E_CANTGET_g), "unable to get group information"}, obj, connector_id,
      [](auto& c) { return c.group_cls.get; }, [&](auto call) { return call(obj, args, dxpl_id, req); });
}

herr_t H5VLgroup_specific(void* obj, hid_t connector_id, H5VL_group_specific_args_t* args, hid_t dxpl_id,
                          void** req) {
  return object_call(
      herr_t{-1}, {__func__, code(&H5E_CANTOPERATE_g), "unable to execute group operation"}, obj,
      connector_id, [](auto& c) { return c.group_cls.specific; },
      [&](auto call) { return call(obj, args, dxpl_id, req); });
}

herr_t H5VLgroup_optional(void* obj, hid_t connector_id, H5VL_optional_args_t* args, hid_t dxpl_id,
                          void** req) {
  return object_call(
      herr_t{-1}, {__func__, code(&H5E_CANTOPERATE_g), "unable to execute optional operation"}, obj,
      connector_id, [](auto& c) { return c.group_cls.optional; },
      [&](auto call) { return call(obj, args, dxpl_id, req); });
}

herr_t H5VLgroup_close(void* grp, hid_t connector_id, hid_t dxpl_id, void** req) {
  return object_call(
      herr_t{-1}, {__func__, code(&H5E_CANTCLOSEOBJ_g), "unable to close group"}, grp, connector_id,
      [](auto& c) { return c.group_cls.close; }, [&](auto call) { return call(grp, dxpl_id, req); });
}

herr_t H5VLlink_create(H5VL_link_create_args_t* args, void* obj, const H5VL_loc_params_t* loc_params,
                       hid_t connector_id, hid_t lcpl_id, hid_t lapl_id, hid_t dxpl_id, void** req) {
  return connector_call(
      herr_t{-1}, {__func__, code(&H5E_CANTCREATE_g), "unable to create link"}, connector_id,
      [](auto& c) { return c.link_cls.create; },
      [&](auto call) { return call(args, obj, loc_params, lcpl_id, lapl_id, dxpl_id, req); });
}

herr_t H5VLlink_copy(void* src_obj, const H5VL_loc_params_t* loc_params1, void* dst_obj,
                     const H5VL_loc_params_t* loc_params2, hid_t connector_id, hid_t lcpl_id, hid_t lapl_id,
                     hid_t dxpl_id, void** req) {
  return connector_call(
      herr_t{-1}, {__func__, code(&H5E_CANTCOPY_g), "unable to copy link"}, connector_id,
      [](auto& c) { return c.link_cls.copy; },
      [&](auto call) {
        return call(src_obj, loc_params1, dst_obj, loc_params2, lcpl_id, lapl_id, dxpl_id, req);
      });
}

herr_t H5VLlink_move(void* src_obj, const H5VL_loc_params_t* loc_params1, void* dst_obj,
                     const H5VL_loc_params_t* loc_params2, hid_t connector_id, hid_t lcpl_id, hid_t lapl_id,
                     hid_t dxpl_id, void** req) {
  return connector_call(
      herr_t{-1}, {__func__, code(&H5E_CANTMOVE_g), "unable to move link"}, connector_id,
      [](auto& c) { return c.link_cls.move; },
      [&](auto call) {
        return call(src_obj, loc_params1, dst_obj, loc_params2, lcpl_id, lapl_id, dxpl_id, req);
      });
}

herr_t H5VLlink_get(void* obj, const H5VL_loc_params_t* loc_params, hid_t connector_id,
                    H5VL_link_get_args_t* args, hid_t dxpl_id, void** req) {
  return object_call(
      herr_t{-1}, {__func__, code(&H5E_CANTGET_g), "unable to get link information"}, obj, connector_id,
      [](auto& c) { return c.link_cls.get; },
      [&](auto call) { return call(obj, loc_params, args, dxpl_id, req); });
}

herr_t H5VLlink_specific(void* obj, const H5VL_loc_params_t* loc_params, hid_t connector_id,
                         H5VL_link_specific_args_t* args, hid_t dxpl_id, void** req) {
  return object_call(
      herr_t{-1}, {__func__, code(&H5E_CANTOPERATE_g), "unable to execute link operation"}, obj, connector_id,
      [](auto& c) { return c.link_cls.specific; },
      [&](auto call) { return call(obj, loc_params, args, dxpl_id, req); });
}

herr_t H5VLlink_optional(void* obj, const H5VL_loc_params_t* loc_params, hid_t connector_id,
                         H5VL_optional_args_t* args, hid_t dxpl_id, void** req) {
  return object_call(
      herr_t{-1}, {__func__, code(&H5E_CANTOPERATE_g), "unable to execute optional operation"}, obj,
      connector_id, [](auto& c) { return c.link_cls.optional; },
      [&](auto call) { return call(obj, loc_params, args, dxpl_id, req); });
}

void* H5VLobject_open(void* obj, const H5VL_loc_params_t* loc_params, hid_t connector_id,
                      H5I_type_t* opened_type, hid_t dxpl_id, void** req) {
  return object_call<void*>(
      nullptr, {__func__, code(&H5E_CANTOPENOBJ_g), "unable to open object"}, obj, connector_id,
      [](auto& c) { return c.object_cls.open; },
      [&](auto call) { return call(obj, loc_params, opened_type, dxpl_id, req); });
}

herr_t H5VLobject_copy(void* src_obj, const H5VL_loc_params_t* loc_params1, const char* src_name,
                       void* dst_obj, const H5VL_loc_params_t* loc_params2, const char* dst_name,
                       hid_t connector_id, hid_t ocpypl_id, hid_t lcpl_id, hid_t dxpl_id, void** req) {
  return object_call(
      herr_t{-1}, {__func__, code(&H5E_CANTCOPY_g), "unable to copy object"},
      src_obj == nullptr ? nullptr : dst_obj, connector_id, [](auto& c) { return c.object_cls.copy; },
      [&](auto call) {
        return call(src_obj, loc_params1, src_name, dst_obj, loc_params2, dst_name, ocpypl_id, lcpl_id,
                    dxpl_id, req);
      });
}

herr_t H5VLobject_get(void* obj, const H5VL_loc_params_t* loc_params, hid_t connector_id,
                      H5VL_object_get_args_t* args, hid_t dxpl_id, void** req) {
  return object_call(
      herr_t{-1}, {__func__, code(&H5E_CANTGET_g), "unable to get object information"}, obj, connector_id,
      [](auto& c) { return c.object_cls.get; },
      [&](auto call) { return call(obj, loc_params, args, dxpl_id, req); });
}

herr_t H5VLobject_specific(void* obj, const H5VL_loc_params_t* loc_params, hid_t connector_id,
                           H5VL_object_specific_args_t* args, hid_t dxpl_id, void** req) {
  return object_call(
      herr_t{-1}, {__func__, code(&H5E_CANTOPERATE_g), "unable to execute object operation"}, obj,
      connector_id, [](auto& c) { return c.object_cls.specific; },
      [&](auto call) { return call(obj, loc_params, args, dxpl_id, req); });
}

herr_t H5VLobject_optional(void* obj, const H5VL_loc_params_t* loc_params, hid_t connector_id,
                           H5VL_optional_args_t* args, hid_t dxpl_id, void** req) {
  return object_call(
      herr_t{-1}, {__func__, code(&H5E_CANTOPERATE_g), "unable to execute optional operation"}, obj,
      connector_id, [](auto& c) { return c.object_cls.optional; },
      [&](auto call) { return call(obj, loc_params, args, dxpl_id, req); });
}
