// SPDX-License-Identifier: Apache-2.0
//
// Identifiers.
#include <atomic>

#include <fmt/format.h>

#include "capi/H5F/file_ids.hpp"
#include "capi/H5I/user_future.hpp"
#include "capi/H5T/datatype.hpp"
#include "capi/core/ids.hpp"
#include "capi/core/nested_error.hpp"
#include "capi/core/strings.hpp"

using namespace filigree::capi;

namespace {

Code out_of_range_code() { return {&H5E_ARGS_g, &H5E_BADRANGE_g}; }
Code bad_group() { return {&H5E_ID_g, &H5E_BADGROUP_g}; }
Code bad_id() { return {&H5E_ID_g, &H5E_BADID_g}; }

bool of_library(H5I_type_t type) { return type > 0 && type < H5I_NTYPES; }

/// Checks that a type of ids is user-defined. Types of the library have functions of their own; other numbers
/// fail with `unknown`.
void require_user_type(H5I_type_t type, Code unknown = bad_group()) {
  if (of_library(type)) throw Failure(bad_group(), "cannot call public function on library type");
  if (!ids().type_exists(type))
    throw Failure(unknown, fmt::format("{} is no type of ids", static_cast<int>(type)));
}

std::atomic<int> highest_type = H5I_NTYPES - 1;  ///< the highest number that a type has had

/// No type has the number 0, but HDF5 reserves a slot for it, and for types that were removed.
Code out_of_types() { return {&H5E_ARGS_g, &H5E_BADRANGE_g}; }
bool is_possible(H5I_type_t type) { return type >= 0 && static_cast<int>(type) <= highest_type; }

std::shared_ptr<UserObjectHandle> get_user_object(hid_t id, H5I_type_t type) {
  require_user_type(type);
  if (IdTable::type_of(id) != type)
    throw Failure({&H5E_ID_g, &H5E_BADID_g},
                  fmt::format("{} is no id of type {}", id, static_cast<int>(type)));
  return ids().get<UserObjectHandle>(id, "an open id");
}

/// *Throws* bad_type(), also for datatypes that are not committed.
std::string object_name(hid_t id) {
  const auto type = ids().find_as<TypeHandle>(id);
  if (type != nullptr && type->open() == nullptr) bad_type("not a named datatype");
  return name_of(id);
}

/// HDF5 reports negative ids as invalid arguments. Other invalid ids fail in the lookup.
template <class Work>
auto summed(hid_t id, Work&& work) {
  return id < 0 ? work() : as_nested_error(std::forward<Work>(work));
}

}  // namespace

hid_t H5Iregister(H5I_type_t type, const void* object) {
  return api_call({__func__, {&H5E_ID_g, &H5E_CANTREGISTER_g}, "unable to register object"}, [&] {
    require_user_type(type, is_possible(type) ? bad_group() : out_of_range_code());
    return ids().add(std::make_shared<UserObjectHandle>(type, const_cast<void*>(object)));
  });
}

hid_t H5Iregister_future(H5I_type_t type, const void* object, H5I_future_realize_func_t realize_cb,
                         H5I_future_discard_func_t discard_cb) {
  return api_call({__func__, {&H5E_ID_g, &H5E_CANTREGISTER_g}, "unable to register object"}, [&] {
    const Code no_callback{&H5E_ID_g, &H5E_BADVALUE_g};
    if (realize_cb == nullptr) throw Failure(no_callback, "NULL pointer for realize_cb not allowed");
    if (discard_cb == nullptr) throw Failure(no_callback, "NULL pointer for discard_cb not allowed");
    if (type <= H5I_BADID || !is_possible(type))
      throw NestedFailure(out_of_range_code(), "invalid type number");
    if (!ids().type_exists(type)) throw NestedFailure(bad_group(), "invalid type");
    return ids().add_future(
        type, std::make_shared<UserFuture>(type, const_cast<void*>(object), realize_cb, discard_cb), {});
  });
}

void* H5Iobject_verify(hid_t id, H5I_type_t type) {
  return api_call_or(static_cast<void*>(nullptr),
                     {__func__, {&H5E_ID_g, &H5E_CANTGET_g}, "can't verify object"},
                     [&]() -> void* { return get_user_object(id, type)->object(); });
}

void* H5Iremove_verify(hid_t id, H5I_type_t type) {
  return api_call_or(static_cast<void*>(nullptr), {__func__, {&H5E_ID_g, &H5E_CANTDEC_g}, "can't remove ID"},
                     [&]() -> void* {
                       if (of_library(type)) require_user_type(type);
                       // HDF5 reports no error for other invalid arguments.
                       if (IdTable::type_of(id) != type || ids().find(id) == nullptr) return nullptr;
                       void* const object = get_user_object(id, type)->object();
                       ids().remove(id);
                       return object;
                     });
}

H5I_type_t H5Iget_type(hid_t id) {
  return api_call_or(H5I_BADID, {__func__, {&H5E_ID_g, &H5E_CANTGET_g}, "can't get ID type"},
                     [&] { return ids().find(id) == nullptr ? H5I_BADID : IdTable::type_of(id); });
}

hid_t H5Iget_file_id(hid_t id) {
  return api_call({__func__, {&H5E_ID_g, &H5E_CANTGET_g}, "can't retrieve file ID"}, [&] {
    const H5I_type_t type = ids().find(id) == nullptr ? H5I_BADID : IdTable::type_of(id);
    if (type == H5I_DATATYPE) return as_nested_error([&] { return file_of(id)->retain_id(); });
    return with_error_code(out_of_range_code(), [&] { return file_of(id)->retain_id(); });
  });
}

ssize_t H5Iget_name(hid_t id, char* name, size_t size) {
  return api_call({__func__, {&H5E_ID_g, &H5E_CANTGET_g}, "can't retrieve object name"},
                  [&] { return copy_string(as_nested_error([&] { return object_name(id); }), name, size); });
}

int H5Iinc_ref(hid_t id) {
  return api_call({__func__, {&H5E_ID_g, &H5E_CANTINC_g}, "can't increment ID ref count"},
                  [&] { return summed(id, [&] { return ids().retain(id); }); });
}

int H5Idec_ref(hid_t id) {
  return api_call({__func__, {&H5E_ID_g, &H5E_CANTDEC_g}, "can't decrement ID ref count"},
                  [&] { return summed(id, [&] { return ids().release(id); }); });
}

int H5Iget_ref(hid_t id) {
  return api_call({__func__, {&H5E_ID_g, &H5E_CANTGET_g}, "can't get ID ref count"},
                  [&] { return summed(id, [&] { return ids().references(id); }); });
}

htri_t H5Iis_valid(hid_t id) {
  return api_call({__func__, {&H5E_ID_g, &H5E_CANTGET_g}, "can't look at ID"}, [&] {
    try {
      return htri_t{ids().references(id) > 0};
    } catch (const Failure&) {
      return htri_t{0};
    }
  });
}

namespace {

H5I_type_t register_type(const char* function, H5I_free_t free_func) {
  return api_call_or(H5I_BADID, {function, {&H5E_ID_g, &H5E_CANTINIT_g}, "can't initialize ID class"}, [&] {
    const H5I_type_t made = ids().register_type(free_func);
    int before = highest_type;
    while (before < made && !highest_type.compare_exchange_weak(before, made)) continue;
    return made;
  });
}

}  // namespace

H5I_type_t H5Iregister_type(size_t, unsigned, H5I_free_t free_func) {
  return register_type(__func__, free_func);
}
H5I_type_t H5Iregister_type1(size_t, unsigned, H5I_free_t free_func) {
  return register_type(__func__, free_func);
}
H5I_type_t H5Iregister_type2(unsigned, H5I_free_t free_func) { return register_type(__func__, free_func); }

herr_t H5Iclear_type(H5I_type_t type, hbool_t force) {
  return api_call({__func__, {&H5E_ID_g, &H5E_CANTRELEASE_g}, "can't clear ID type"}, [&] {
    require_user_type(type, is_possible(type) ? bad_group() : out_of_types());
    ids().clear(type, force);
  });
}

herr_t H5Idestroy_type(H5I_type_t type) {
  return api_call({__func__, {&H5E_ID_g, &H5E_CANTRELEASE_g}, "can't destroy ID type"}, [&] {
    require_user_type(type, is_possible(type) ? bad_group() : out_of_types());
    ids().destroy_type(type);
  });
}

int H5Iinc_type_ref(H5I_type_t type) {
  return api_call({__func__, {&H5E_ID_g, &H5E_CANTINC_g}, "can't increment ID type ref count"}, [&] {
    require_user_type(type, bad_id());
    return ids().retain_type(type);
  });
}

int H5Idec_type_ref(H5I_type_t type) {
  return api_call({__func__, {&H5E_ID_g, &H5E_CANTDEC_g}, "can't decrement ID type ref count"}, [&] {
    require_user_type(type, is_possible(type) ? bad_group() : out_of_types());
    return ids().release_type(type);
  });
}

int H5Iget_type_ref(H5I_type_t type) {
  return api_call({__func__, {&H5E_ID_g, &H5E_CANTGET_g}, "can't get ID type ref count"}, [&] {
    require_user_type(type, bad_id());
    return ids().type_references(type);
  });
}

htri_t H5Itype_exists(H5I_type_t type) {
  return api_call({__func__, {&H5E_ID_g, &H5E_BADGROUP_g}, "can't look at ID type"}, [&] {
    if (of_library(type)) throw Failure(bad_group(), "cannot call public function on library type");
    if (!is_possible(type)) throw Failure(out_of_range_code(), "no such type of ids");
    return htri_t{ids().type_exists(type)};
  });
}

herr_t H5Inmembers(H5I_type_t type, hsize_t* num_members) {
  return api_call({__func__, {&H5E_ID_g, &H5E_CANTCOUNT_g}, "can't compute number of members"}, [&] {
    require_user_type(type, out_of_range_code());
    if (num_members != nullptr) *num_members = ids().count(type);
  });
}

void* H5Isearch(H5I_type_t type, H5I_search_func_t func, void* key) {
  return api_call_or(static_cast<void*>(nullptr), {__func__, {&H5E_ID_g, &H5E_CANTGET_g}, "can't search ids"},
                     [&]() -> void* {
                       if (is_possible(type) && !ids().type_exists(type)) return nullptr;
                       require_user_type(type, out_of_range_code());
                       required(func, "func");
                       for (const hid_t id : ids().of_type(type)) {
                         const auto handle = ids().find_as<UserObjectHandle>(id);
                         if (handle == nullptr) continue;
                         const int found = func(handle->object(), id, key);
                         if (found > 0) return handle->object();
                         if (found < 0)
                           throw CallbackFailure({&H5E_ID_g, &H5E_BADITER_g}, "the search function failed");
                       }
                       return nullptr;
                     });
}

herr_t H5Iiterate(H5I_type_t type, H5I_iterate_func_t op, void* op_data) {
  return api_call({__func__, {&H5E_ID_g, &H5E_BADITER_g}, "can't iterate over ids"}, [&]() -> herr_t {
    if (!ids().type_exists(type)) throw Failure({&H5E_ID_g, &H5E_BADGROUP_g}, "no such type of ids");
    required(op, "op");
    for (const hid_t id : ids().of_type(type)) {
      if (ids().find(id) == nullptr) continue;
      const herr_t result = op(id, op_data);
      if (result < 0) throw CallbackFailure({&H5E_ID_g, &H5E_BADITER_g}, "the iteration function failed");
      if (result > 0) return result;
    }
    return 0;
  });
}
