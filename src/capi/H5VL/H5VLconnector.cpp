// SPDX-License-Identifier: Apache-2.0
//
// Calls of connectors for infos, wrapping, introspection, requests, blobs and tokens.
#include <cstring>

#include "capi/H5VL/connector_call.hpp"
#include "capi/core/nested_error.hpp"

using namespace filigree::capi;

namespace {

Code code(const hid_t* minor) { return {&H5E_VOL_g, minor}; }

ApiFunction vol_function(const char* name, const hid_t* minor, const char* text) {
  return {name, code(minor), text};
}

}  // namespace

herr_t H5VLinitialize(hid_t connector_id, hid_t vipl_id) {
  const auto entry = vol_function(__func__, &H5E_CANTCLOSEOBJ_g, "VOL connector did not initialize");
  return api_call(entry, [&] {
    const auto connector = get_connector(connector_id);
    const auto initialize = connector->functions().initialize;
    if (initialize != nullptr && initialize(vipl_id) < 0) throw CallbackFailure(entry.code, entry.text);
  });
}

herr_t H5VLterminate(hid_t connector_id) {
  const auto entry = vol_function(__func__, &H5E_CANTCLOSEOBJ_g, "VOL connector did not terminate cleanly");
  return api_call(entry, [&] {
    const auto connector = get_connector(connector_id);
    const auto terminate = connector->functions().terminate;
    if (terminate != nullptr && terminate() < 0) throw CallbackFailure(entry.code, entry.text);
  });
}

herr_t H5VLget_cap_flags(hid_t connector_id, uint64_t* cap_flags) {
  return api_call(vol_function(__func__, &H5E_CANTGET_g, "can't get capabilities"), [&] {
    const auto connector = get_connector(connector_id);
    if (cap_flags != nullptr) *cap_flags = connector->functions().cap_flags;
  });
}

herr_t H5VLget_value(hid_t connector_id, H5VL_class_value_t* conn_value) {
  return api_call(vol_function(__func__, &H5E_CANTGET_g, "can't get value"), [&] {
    const auto connector = get_connector(connector_id);
    if (conn_value != nullptr) *conn_value = connector->functions().value;
  });
}

herr_t H5VLcmp_connector_cls(int* cmp, hid_t connector_id1, hid_t connector_id2) {
  return api_call(vol_function(__func__, &H5E_CANTCOMPARE_g, "can't compare connector classes"), [&] {
    const auto one = get_connector(connector_id1), two = get_connector(connector_id2);
    *required(cmp, "cmp") = compare_connectors(one->functions(), two->functions());
  });
}

herr_t H5VLcmp_connector_info(int* cmp, hid_t connector_id, const void* info1, const void* info2) {
  return api_call(vol_function(__func__, &H5E_CANTCOMPARE_g, "can't compare connector infos"), [&] {
    const auto connector = get_connector(connector_id);
    if (cmp != nullptr) *cmp = compare_connector_infos(connector->functions(), info1, info2);
  });
}

herr_t H5VLcopy_connector_info(hid_t connector_id, void** dst_vol_info, void* src_vol_info) {
  return api_call(vol_function(__func__, &H5E_CANTCOPY_g, "unable to copy connector info"), [&] {
    const auto connector = get_connector(connector_id);
    *required(dst_vol_info, "dst_vol_info") = copy_connector_info(connector->functions(), src_vol_info);
  });
}

herr_t H5VLfree_connector_info(hid_t connector_id, void* vol_info) {
  return api_call(vol_function(__func__, &H5E_CANTRELEASE_g, "unable to free connector info"), [&] {
    const auto connector = ids().find_as<ConnectorHandle>(connector_id);
    if (connector == nullptr) throw NestedFailure({&H5E_ARGS_g, &H5E_BADTYPE_g}, "not a VOL connector ID");
    free_connector_info(connector->functions(), vol_info);
  });
}

herr_t H5VLconnector_info_to_str(const void* info, hid_t connector_id, char** str) {
  const auto entry = vol_function(__func__, &H5E_CANTSERIALIZE_g, "can't serialize connector info");
  return api_call(entry, [&] {
    required(str, "str");
    *str = nullptr;
    if (info == nullptr) return;
    const auto connector = get_connector(connector_id);
    const auto to_str = connector->functions().info_cls.to_str;
    if (to_str != nullptr && to_str(info, str) < 0) throw CallbackFailure(entry.code, entry.text);
  });
}

herr_t H5VLconnector_str_to_info(const char* str, hid_t connector_id, void** info) {
  const auto entry = vol_function(__func__, &H5E_CANTDECODE_g, "can't deserialize connector info");
  return api_call(entry, [&] {
    required(info, "info");
    *info = nullptr;
    if (str == nullptr) return;
    const auto connector = ids().find_as<ConnectorHandle>(connector_id);
    if (connector == nullptr) throw NestedFailure(code(&H5E_BADTYPE_g), "not a VOL connector ID");
    const auto from_str = connector->functions().info_cls.from_str;
    if (from_str != nullptr && from_str(str, info) < 0) throw CallbackFailure(entry.code, entry.text);
  });
}

// Objects that connectors wrap. The native connector wraps none.

void* H5VLobject(hid_t obj_id) {
  return api_call_or<void*>(nullptr, vol_function(__func__, &H5E_CANTGET_g, "unable to retrieve object"),
                            [&] {
                              as_nested_error([&] { return object_in_file(obj_id); });
                              return native_object(obj_id);
                            });
}

void* H5VLget_object(void* obj, hid_t connector_id) {
  return api_call_or<void*>(nullptr, vol_function(__func__, &H5E_CANTGET_g, "can't get object"),
                            [&]() -> void* {
                              required(obj, "obj");
                              const auto connector = get_connector(connector_id);
                              const auto get = connector->functions().wrap_cls.get_object;
                              return get == nullptr ? obj : get(obj);
                            });
}

herr_t H5VLget_wrap_ctx(void* obj, hid_t connector_id, void** wrap_ctx) {
  const auto entry =
      vol_function(__func__, &H5E_CANTGET_g, "unable to retrieve VOL connector object wrap context");
  return api_call(entry, [&] {
    const auto connector = get_connector(connector_id);
    const auto get = connector->functions().wrap_cls.get_wrap_ctx;
    required(wrap_ctx, "wrap_ctx");
    *wrap_ctx = nullptr;
    if (get != nullptr && get(obj, wrap_ctx) < 0) throw CallbackFailure(entry.code, entry.text);
  });
}

void* H5VLwrap_object(void* obj, H5I_type_t obj_type, hid_t connector_id, void* wrap_ctx) {
  const auto entry = vol_function(__func__, &H5E_CANTGET_g, "unable to wrap object");
  return api_call_or<void*>(nullptr, entry, [&]() -> void* {
    required(obj, "obj");
    const auto connector = get_connector(connector_id);
    if (wrap_ctx == nullptr) return obj;
    const auto wrap = connector->functions().wrap_cls.wrap_object;
    if (wrap == nullptr) return obj;
    void* const made = wrap(obj, obj_type, wrap_ctx);
    if (made == nullptr) throw CallbackFailure(entry.code, entry.text);
    return made;
  });
}

void* H5VLunwrap_object(void* obj, hid_t connector_id) {
  const auto entry = vol_function(__func__, &H5E_CANTGET_g, "unable to unwrap object");
  return api_call_or<void*>(nullptr, entry, [&]() -> void* {
    required(obj, "obj");
    const auto connector = get_connector(connector_id);
    const auto unwrap = connector->functions().wrap_cls.unwrap_object;
    if (connector->functions().wrap_cls.wrap_object == nullptr || unwrap == nullptr) return obj;
    void* const made = unwrap(obj);
    if (made == nullptr) throw CallbackFailure(entry.code, entry.text);
    return made;
  });
}

herr_t H5VLfree_wrap_ctx(void* wrap_ctx, hid_t connector_id) {
  const auto entry = vol_function(__func__, &H5E_CANTRELEASE_g, "unable to release object wrapping context");
  return api_call(entry, [&] {
    const auto connector = get_connector(connector_id);
    const auto release = connector->functions().wrap_cls.free_wrap_ctx;
    if (wrap_ctx != nullptr && release != nullptr && release(wrap_ctx) < 0)
      throw CallbackFailure(entry.code, entry.text);
  });
}

// Introspection.

herr_t H5VLintrospect_get_conn_cls(void* obj, hid_t connector_id, H5VL_get_conn_lvl_t lvl,
                                   const H5VL_class_t** conn_cls) {
  return object_call(
      herr_t{-1}, vol_function(__func__, &H5E_CANTGET_g, "can't query connector class"),
      conn_cls == nullptr ? nullptr : obj, connector_id,
      [](auto& c) { return c.introspect_cls.get_conn_cls; },
      [&](auto call) { return call(obj, lvl, conn_cls); });
}

herr_t H5VLintrospect_get_cap_flags(const void* info, hid_t connector_id, uint64_t* cap_flags) {
  return object_call(
      herr_t{-1}, vol_function(__func__, &H5E_CANTGET_g, "can't query connector's capability flags"),
      cap_flags, connector_id, [](auto& c) { return c.introspect_cls.get_cap_flags; },
      [&](auto call) { return call(info, cap_flags); });
}

herr_t H5VLintrospect_opt_query(void* obj, hid_t connector_id, H5VL_subclass_t subcls, int opt_type,
                                uint64_t* flags) {
  return connector_call(
      herr_t{-1}, vol_function(__func__, &H5E_CANTGET_g, "can't query optional operation support"),
      connector_id, [](auto& c) { return c.introspect_cls.opt_query; },
      [&](auto call) { return flags == nullptr ? -1 : call(obj, subcls, opt_type, flags); });
}

// Tokens. Connectors without callbacks have comparable bytes, and no text.

herr_t H5VLtoken_cmp(void* obj, hid_t connector_id, const H5O_token_t* token1, const H5O_token_t* token2,
                     int* cmp_value) {
  const auto entry = vol_function(__func__, &H5E_CANTCOMPARE_g, "object token comparison failed");
  return api_call(entry, [&] {
    required(obj, "obj");
    const auto connector = get_connector(connector_id);
    required(cmp_value, "cmp_value");
    if (token1 == nullptr || token2 == nullptr) {
      *cmp_value = (token1 != nullptr) - (token2 != nullptr);
      return;
    }
    const auto compare = connector->functions().token_cls.cmp;
    if (compare == nullptr) *cmp_value = std::memcmp(token1, token2, sizeof *token1);
    if (compare != nullptr && compare(obj, token1, token2, cmp_value) < 0)
      throw CallbackFailure(entry.code, entry.text);
  });
}

herr_t H5VLtoken_to_str(void* obj, H5I_type_t obj_type, hid_t connector_id, const H5O_token_t* token,
                        char** token_str) {
  const auto entry = vol_function(__func__, &H5E_CANTSERIALIZE_g, "object token to string failed");
  return api_call(entry, [&] {
    required(obj, "obj");
    const auto connector = get_connector(connector_id);
    required(token, "token");
    *required(token_str, "token_str") = nullptr;
    const auto to_str = connector->functions().token_cls.to_str;
    const QuietScope quiet;
    if (to_str != nullptr && to_str(obj, obj_type, token, token_str) < 0)
      throw CallbackFailure(entry.code, entry.text);
  });
}

herr_t H5VLtoken_from_str(void* obj, H5I_type_t obj_type, hid_t connector_id, const char* token_str,
                          H5O_token_t* token) {
  const auto entry = vol_function(__func__, &H5E_CANTUNSERIALIZE_g, "object token from string failed");
  return api_call(entry, [&] {
    required(obj, "obj");
    const auto connector = get_connector(connector_id);
    required(token, "token");
    required(token_str, "token_str");
    const auto from_str = connector->functions().token_cls.from_str;
    const QuietScope quiet;
    if (from_str == nullptr) *token = H5O_TOKEN_UNDEF_g;
    if (from_str != nullptr && from_str(obj, obj_type, token_str, token) < 0)
      throw CallbackFailure(entry.code, entry.text);
  });
}

herr_t H5VLoptional(void* obj, hid_t connector_id, H5VL_optional_args_t* args, hid_t dxpl_id, void** req) {
  return object_call(
      herr_t{-1}, vol_function(__func__, &H5E_CANTOPERATE_g, "unable to execute generic optional callback"),
      obj, connector_id, [](auto& c) { return c.optional; },
      [&](auto call) { return call(obj, args, dxpl_id, req); });
}

// Requests and blobs. The native connector has no requests, and its blobs stay inside of datatypes.

herr_t H5VLrequest_wait(void* req, hid_t connector_id, uint64_t timeout, H5VL_request_status_t* status) {
  return connector_call(
      herr_t{-1}, {__func__, code(&H5E_CANTRELEASE_g), "unable to wait on request"}, connector_id,
      [](auto& c) { return c.request_cls.wait; }, [&](auto call) { return call(req, timeout, status); });
}

herr_t H5VLrequest_notify(void* req, hid_t connector_id, H5VL_request_notify_t cb, void* ctx) {
  return connector_call(
      herr_t{-1}, {__func__, code(&H5E_CANTSET_g), "unable to register notify callback for request"},
      connector_id, [](auto& c) { return c.request_cls.notify; },
      [&](auto call) { return call(req, cb, ctx); });
}

herr_t H5VLrequest_cancel(void* req, hid_t connector_id, H5VL_request_status_t* status) {
  return connector_call(
      herr_t{-1}, {__func__, code(&H5E_CANTRELEASE_g), "unable to cancel request"}, connector_id,
      [](auto& c) { return c.request_cls.cancel; }, [&](auto call) { return call(req, status); });
}

herr_t H5VLrequest_specific(void* req, hid_t connector_id, H5VL_request_specific_args_t* args) {
  return connector_call(
      herr_t{-1}, {__func__, code(&H5E_CANTOPERATE_g), "unable to execute request operation"}, connector_id,
      [](auto& c) { return c.request_cls.specific; }, [&](auto call) { return call(req, args); });
}

herr_t H5VLrequest_optional(void* req, hid_t connector_id, H5VL_optional_args_t* args) {
  return connector_call(
      herr_t{-1}, {__func__, code(&H5E_CANTOPERATE_g), "unable to execute optional operation"}, connector_id,
      [](auto& c) { return c.request_cls.optional; }, [&](auto call) { return call(req, args); });
}

herr_t H5VLrequest_free(void* req, hid_t connector_id) {
  return connector_call(
      herr_t{-1}, {__func__, code(&H5E_CANTRELEASE_g), "unable to free request"}, connector_id,
      [](auto& c) { return c.request_cls.free; }, [&](auto call) { return call(req); });
}

herr_t H5VLblob_put(void* obj, hid_t connector_id, const void* buf, size_t size, void* blob_id, void* ctx) {
  return object_call(
      herr_t{-1}, {__func__, code(&H5E_CANTSET_g), "unable to store the blob"}, obj, connector_id,
      [](auto& c) { return c.blob_cls.put; }, [&](auto call) { return call(obj, buf, size, blob_id, ctx); });
}

herr_t H5VLblob_get(void* obj, hid_t connector_id, const void* blob_id, void* buf, size_t size, void* ctx) {
  return object_call(
      herr_t{-1}, {__func__, code(&H5E_CANTGET_g), "unable to get the blob"}, obj, connector_id,
      [](auto& c) { return c.blob_cls.get; }, [&](auto call) { return call(obj, blob_id, buf, size, ctx); });
}

herr_t H5VLblob_specific(void* obj, hid_t connector_id, void* blob_id, H5VL_blob_specific_args_t* args) {
  return object_call(
      herr_t{-1}, {__func__, code(&H5E_CANTOPERATE_g), "unable to execute blob operation"}, obj, connector_id,
      [](auto& c) { return c.blob_cls.specific; }, [&](auto call) { return call(obj, blob_id, args); });
}

herr_t H5VLblob_optional(void* obj, hid_t connector_id, void* blob_id, H5VL_optional_args_t* args) {
  return object_call(
      herr_t{-1}, {__func__, code(&H5E_CANTOPERATE_g), "unable to execute optional operation"}, obj,
      connector_id, [](auto& c) { return c.blob_cls.optional; },
      [&](auto call) { return call(obj, blob_id, args); });
}

herr_t H5VLrequest_optional_op(void* req, hid_t connector_id, H5VL_optional_args_t* args) {
  return object_call(
      herr_t{-1}, {__func__, code(&H5E_CANTOPERATE_g), "unable to execute optional operation"},
      args == nullptr ? nullptr : req, connector_id, [](auto& c) { return c.request_cls.optional; },
      [&](auto call) { return call(req, args); });
}
