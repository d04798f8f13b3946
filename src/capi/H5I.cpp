// SPDX-License-Identifier: Apache-2.0
//
// Identifiers.
#include <fmt/format.h>

#include "capi/ids.hpp"
#include "capi/open_file.hpp"
#include "capi/text.hpp"

using namespace filigree::capi;

namespace {

/// Types of the library have functions of their own.
void require_foreign_type(H5I_type_t type) {
  if (ids().is_library_type(type))
    throw Failure({&H5E_ID_g, &H5E_BADGROUP_g}, "cannot call public function on library type");
  if (!ids().type_exists(type))
    throw Failure({&H5E_ID_g, &H5E_BADGROUP_g}, fmt::format("{} is no type of ids", static_cast<int>(type)));
}

std::shared_ptr<ForeignHandle> get_foreign(hid_t id, H5I_type_t type) {
  require_foreign_type(type);
  if (IdTable::type_of(id) != type)
    throw Failure({&H5E_ID_g, &H5E_BADID_g},
                  fmt::format("{} is no id of type {}", id, static_cast<int>(type)));
  return ids().get<ForeignHandle>(id, "an open id");
}

}  // namespace

hid_t H5Iregister(H5I_type_t type, const void* object) {
  return enter({__func__, {&H5E_ID_g, &H5E_CANTREGISTER_g}, "unable to register object"}, [&] {
    require_foreign_type(type);
    return ids().add(std::make_shared<ForeignHandle>(type, const_cast<void*>(object)));
  });
}

void* H5Iobject_verify(hid_t id, H5I_type_t type) {
  return enter_or(static_cast<void*>(nullptr), {__func__, {&H5E_ID_g, &H5E_CANTGET_g}, "can't verify object"},
                  [&]() -> void* { return get_foreign(id, type)->object(); });
}

void* H5Iremove_verify(hid_t id, H5I_type_t type) {
  return enter_or(static_cast<void*>(nullptr), {__func__, {&H5E_ID_g, &H5E_CANTDEC_g}, "can't remove ID"},
                  [&]() -> void* {
                    void* const object = get_foreign(id, type)->object();
                    ids().remove(id);
                    return object;
                  });
}

H5I_type_t H5Iget_type(hid_t id) {
  return enter_or(H5I_BADID, {__func__, {&H5E_ID_g, &H5E_CANTGET_g}, "can't get ID type"},
                  [&] { return ids().find(id) == nullptr ? H5I_BADID : IdTable::type_of(id); });
}

hid_t H5Iget_file_id(hid_t id) {
  return enter({__func__, {&H5E_ID_g, &H5E_CANTGET_g}, "can't retrieve file ID"},
               [&] { return file_of(id)->retain_id(); });
}

ssize_t H5Iget_name(hid_t id, char* name, size_t size) {
  return enter({__func__, {&H5E_ID_g, &H5E_CANTGET_g}, "can't retrieve object name"},
               [&] { return copy_text(name_of(id), name, size); });
}

int H5Iinc_ref(hid_t id) {
  return enter({__func__, {&H5E_ID_g, &H5E_CANTINC_g}, "can't increment ID ref count"},
               [&] { return ids().retain(id); });
}

int H5Idec_ref(hid_t id) {
  return enter({__func__, {&H5E_ID_g, &H5E_CANTDEC_g}, "can't decrement ID ref count"},
               [&] { return ids().release(id); });
}

int H5Iget_ref(hid_t id) {
  return enter({__func__, {&H5E_ID_g, &H5E_CANTGET_g}, "can't get ID ref count"},
               [&] { return ids().references(id); });
}

htri_t H5Iis_valid(hid_t id) {
  return enter({__func__, {&H5E_ID_g, &H5E_CANTGET_g}, "can't look at ID"}, [&] {
    try {
      return htri_t{ids().references(id) > 0};
    } catch (const Failure&) {
      return htri_t{0};
    }
  });
}

H5I_type_t H5Iregister_type(size_t hash_size, unsigned reserved, H5I_free_t free_func) {
  (void)hash_size;
  (void)reserved;
  return enter_or(H5I_BADID, {__func__, {&H5E_ID_g, &H5E_CANTINIT_g}, "can't initialize ID class"},
                  [&] { return ids().register_type(free_func); });
}

herr_t H5Iclear_type(H5I_type_t type, hbool_t force) {
  return enter({__func__, {&H5E_ID_g, &H5E_CANTRELEASE_g}, "can't clear ID type"}, [&] {
    require_foreign_type(type);
    ids().clear(type, force);
  });
}

herr_t H5Idestroy_type(H5I_type_t type) {
  return enter({__func__, {&H5E_ID_g, &H5E_CANTRELEASE_g}, "can't destroy ID type"}, [&] {
    require_foreign_type(type);
    ids().destroy_type(type);
  });
}

int H5Iinc_type_ref(H5I_type_t type) {
  return enter({__func__, {&H5E_ID_g, &H5E_CANTINC_g}, "can't increment ID type ref count"}, [&] {
    require_foreign_type(type);
    return ids().retain_type(type);
  });
}

int H5Idec_type_ref(H5I_type_t type) {
  return enter({__func__, {&H5E_ID_g, &H5E_CANTDEC_g}, "can't decrement ID type ref count"}, [&] {
    require_foreign_type(type);
    return ids().release_type(type);
  });
}

int H5Iget_type_ref(H5I_type_t type) {
  return enter({__func__, {&H5E_ID_g, &H5E_CANTGET_g}, "can't get ID type ref count"}, [&] {
    require_foreign_type(type);
    return ids().type_references(type);
  });
}

htri_t H5Itype_exists(H5I_type_t type) {
  return enter({__func__, {&H5E_ID_g, &H5E_BADGROUP_g}, "can't look at ID type"}, [&] {
    if (ids().is_library_type(type))
      throw Failure({&H5E_ID_g, &H5E_BADGROUP_g}, "cannot call public function on library type");
    return htri_t{ids().type_exists(type)};
  });
}

herr_t H5Inmembers(H5I_type_t type, hsize_t* num_members) {
  return enter({__func__, {&H5E_ID_g, &H5E_CANTCOUNT_g}, "can't compute number of members"}, [&] {
    require_foreign_type(type);
    if (num_members != nullptr) *num_members = ids().count(type);
  });
}

void* H5Isearch(H5I_type_t type, H5I_search_func_t func, void* key) {
  return enter_or(static_cast<void*>(nullptr), {__func__, {&H5E_ID_g, &H5E_CANTGET_g}, "can't search ids"},
                  [&]() -> void* {
                    require_foreign_type(type);
                    required(func, "func");
                    for (const hid_t id : ids().of_type(type)) {
                      const auto handle = ids().find_as<ForeignHandle>(id);
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
  return enter({__func__, {&H5E_ID_g, &H5E_BADITER_g}, "can't iterate over ids"}, [&]() -> herr_t {
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
