// SPDX-License-Identifier: Apache-2.0
//
// Registering VOL connectors, and asking for the connector of an object.
#include "capi/H5F/file_ids.hpp"
#include "capi/H5T/datatype.hpp"
#include "capi/H5VL/connectors.hpp"
#include "capi/core/nested_error.hpp"
#include "capi/core/strings.hpp"

namespace filigree::capi {
namespace {

Code cannot_get() { return {&H5E_VOL_g, &H5E_CANTGET_g}; }
Code cannot_register() { return {&H5E_VOL_g, &H5E_CANTREGISTER_g}; }

/// Returns the connector through which the file of an object was opened.
hid_t connector_of(hid_t object) {
  const hid_t id = chosen_connector(*object_in_file(object)->open()->access).id;
  return id < 0 ? native_connector() : id;
}

hid_t initialize_list(hid_t plist) {
  if (plist == H5P_DEFAULT) return H5P_LST_VOL_INITIALIZE_ID_g;
  const auto list = ids().find_as<PropertyListHandle>(plist);
  if (list == nullptr || H5Pisa_class(plist, H5P_CLS_VOL_INITIALIZE_ID_g) <= 0)
    bad_type("not a VOL initialize property list");
  return plist;
}

hid_t retained_connector(hid_t id) {
  if (id < 0) throw NestedFailure({&H5E_VOL_g, &H5E_BADITER_g}, "there is no such VOL connector");
  ids().retain(id);
  return id;
}

/// Checks an id whose file gives the size of tokens.
void check_object(hid_t id) {
  if (IdTable::type_of(id) == H5I_BADID || ids().find(id) == nullptr)
    throw Failure({&H5E_VOL_g, &H5E_BADTYPE_g}, "invalid location identifier");
  with_error_code(cannot_get(), [&] { return object_in_file(id); });
}

void check_class(const H5VL_class_t* given) {
  if (given == nullptr)
    throw NestedFailure({&H5E_ARGS_g, &H5E_UNINITIALIZED_g}, "VOL connector class pointer cannot be NULL");
  const auto refuse = [](const char* text) { throw NestedFailure(cannot_register(), text); };
  if (given->version != H5VL_VERSION) refuse("VOL connector has incompatible version");
  if (given->name == nullptr || *given->name == '\0') refuse("VOL connector class has no name");
  if (given->info_cls.copy != nullptr && given->info_cls.free == nullptr)
    refuse("a VOL connector that copies infos must free them");
  if (given->wrap_cls.get_wrap_ctx != nullptr && given->wrap_cls.free_wrap_ctx == nullptr)
    refuse("a VOL connector that has wrap contexts must free them");
}

ApiFunction register_call(const char* name) {
  return {name, cannot_register(), "unable to register VOL connector"};
}

ApiFunction id_call(const char* name) { return {name, cannot_get(), "can't get VOL id"}; }

}  // namespace

std::shared_ptr<InFileHandle> object_in_file(hid_t id) {
  auto handle = ids().find_as<InFileHandle>(id);
  if (handle == nullptr || handle->open() == nullptr) bad_type("invalid location identifier");
  return handle;
}

}  // namespace filigree::capi

using namespace filigree::capi;

hid_t H5VL_native_register(void) {
  return api_call(register_call(__func__), [] { return native_connector(); });
}

hid_t H5VL_pass_through_register(void) {
  return api_call(register_call(__func__), [] { return pass_through_connector(); });
}

hid_t H5VLregister_connector(const H5VL_class_t* cls, hid_t vipl_id) {
  return api_call(register_call(__func__), [&] {
    const hid_t plist = initialize_list(vipl_id);
    check_class(cls);
    if (const hid_t known = find_connector(cls->name); known >= 0) return retained_connector(known);
    return add_connector(*cls, ConnectorHandle::Kind::of_program, plist);
  });
}

hid_t H5VLregister_connector_by_name(const char* connector_name, hid_t vipl_id) {
  return api_call(register_call(__func__), [&] {
    if (connector_name == nullptr || *connector_name == '\0')
      throw Failure({&H5E_ARGS_g, &H5E_UNINITIALIZED_g}, "a VOL connector needs a name");
    const hid_t plist = initialize_list(vipl_id);
    if (const hid_t known = find_connector(connector_name); known >= 0) return retained_connector(known);
    return load_connector(connector_name, H5_VOL_INVALID, plist);
  });
}

hid_t H5VLregister_connector_by_value(H5VL_class_value_t connector_value, hid_t vipl_id) {
  return api_call(register_call(__func__), [&] {
    if (connector_value < 0)
      throw Failure({&H5E_ARGS_g, &H5E_UNINITIALIZED_g}, "negative VOL connector value is disallowed");
    const hid_t plist = initialize_list(vipl_id);
    if (const hid_t known = find_connector(connector_value); known >= 0) return retained_connector(known);
    return load_connector(nullptr, connector_value, plist);
  });
}

htri_t H5VLis_connector_registered_by_name(const char* name) {
  return api_call({__func__, cannot_get(), "can't check for VOL"},
                  [&]() -> htri_t { return find_connector(name) >= 0 ? 1 : 0; });
}

htri_t H5VLis_connector_registered_by_value(H5VL_class_value_t connector_value) {
  return api_call({__func__, cannot_get(), "can't check for VOL"},
                  [&]() -> htri_t { return find_connector(connector_value) >= 0 ? 1 : 0; });
}

hid_t H5VLget_connector_id(hid_t obj_id) {
  return api_call(id_call(__func__),
                  [&] { return retained_connector(as_nested_error([&] { return connector_of(obj_id); })); });
}

hid_t H5VLget_connector_id_by_name(const char* name) {
  return api_call(id_call(__func__), [&] { return retained_connector(find_connector(name)); });
}

hid_t H5VLget_connector_id_by_value(H5VL_class_value_t connector_value) {
  return api_call(id_call(__func__), [&] { return retained_connector(find_connector(connector_value)); });
}

hid_t H5VLpeek_connector_id_by_name(const char* name) {
  return api_call(id_call(__func__), [&] {
    const hid_t id = find_connector(name);
    if (id < 0) throw Failure(cannot_get(), "there is no such VOL connector");
    return id;
  });
}

hid_t H5VLpeek_connector_id_by_value(H5VL_class_value_t value) {
  return api_call(id_call(__func__), [&] {
    const hid_t id = find_connector(value);
    if (id < 0) throw Failure(cannot_get(), "there is no such VOL connector");
    return id;
  });
}

ssize_t H5VLget_connector_name(hid_t id, char* name, size_t size) {
  return api_call({__func__, cannot_get(), "can't get connector name"}, [&] {
    const hid_t connector = as_nested_error([&] { return connector_of(id); });
    return copy_string(get_connector(connector)->functions().name, name, size);
  });
}

herr_t H5VLclose(hid_t connector_id) {
  return api_call({__func__, {&H5E_VOL_g, &H5E_CANTDEC_g}, "unable to close VOL connector ID"}, [&] {
    with_error_code({&H5E_VOL_g, &H5E_BADTYPE_g}, [&] { return get_connector(connector_id); });
    as_nested_error([&] { ids().release(connector_id); });
  });
}

herr_t H5VLunregister_connector(hid_t connector_id) {
  return api_call({__func__, {&H5E_VOL_g, &H5E_CANTDEC_g}, "unable to unregister VOL connector"}, [&] {
    with_error_code({&H5E_VOL_g, &H5E_BADTYPE_g}, [&] { return get_connector(connector_id); });
    if (connector_id == native_connector())
      throw Failure({&H5E_VOL_g, &H5E_BADVALUE_g}, "the native VOL connector cannot be unregistered");
    as_nested_error([&] { ids().release(connector_id); });
  });
}

herr_t H5VLobject_is_native(hid_t obj_id, hbool_t* is_native) {
  return api_call({__func__, cannot_get(), "can't determine the connector of the object"}, [&] {
    required(is_native, "is_native");
    object_in_file(obj_id);
    *is_native = true;  // other connectors do not open files
  });
}

herr_t H5VLquery_optional(hid_t obj_id, H5VL_subclass_t subcls, int opt_type, uint64_t* flags) {
  return api_call({__func__, cannot_get(), "unable to query VOL connector operation"}, [&] {
    required(flags, "flags");
    const auto object = object_in_file(obj_id);
    if (native_class().introspect_cls.opt_query(object.get(), subcls, opt_type, flags) < 0)
      throw NestedFailure(cannot_get(), "the native connector has no such operation");
  });
}

herr_t H5VLnative_addr_to_token(hid_t loc_id, haddr_t addr, H5O_token_t* token) {
  return api_call({__func__, {&H5E_VOL_g, &H5E_CANTSERIALIZE_g}, "can't make a token"}, [&] {
    required(token, "token");
    check_object(loc_id);
    *token = native_token(loc_id, addr);
  });
}

herr_t H5VLnative_token_to_addr(hid_t loc_id, H5O_token_t token, haddr_t* addr) {
  return api_call({__func__, {&H5E_VOL_g, &H5E_CANTUNSERIALIZE_g}, "can't read the token"}, [&] {
    required(addr, "addr");
    check_object(loc_id);
    *addr = native_address(loc_id, token);
  });
}
