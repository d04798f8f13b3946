// SPDX-License-Identifier: Apache-2.0
//
// The properties of lists and classes, by name: those of the library, and user-defined ones.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "capi/H5P/library_property.hpp"
#include "capi/H5P/plist_calls.hpp"
#include "capi/H5P/property_object.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

const char* property_name(const char* name) {
  if (name == nullptr || *name == '\0') bad_value("invalid property name");
  return name;
}

[[noreturn]] void not_found(const char* name) {
  throw NestedFailure({&H5E_PLIST_g, &H5E_NOTFOUND_g}, fmt::format("there is no property '{}'", name));
}

const UserProperty* find_property(const UserProperties& all, const char* name) {
  const auto found = all.find(name);
  return found == all.end() ? nullptr : &found->second;
}

/// Returns the user-defined property of the class or of one of its parents, or null.
const UserProperty* find_property(const PropertyClass& from, const char* name) {
  for (const PropertyClass* c = &from; c != nullptr; c = c->parent.get())
    if (const UserProperty* found = find_property(c->properties, name)) return found;
  return nullptr;
}

bool has_property(const PropertyListHandle& plist, const char* name) {
  return find_property(*plist.properties.get(), name) != nullptr ||
         (find_library_property(*plist.property_class, name) != nullptr &&
          !plist.removed.get()->contains(name));
}

/// Returns the property of the library in a list. *Throws* NestedFailure if the list does not have it.
const LibraryProperty& get_library_property(const PropertyListHandle& plist, const char* name) {
  const LibraryProperty* const found =
      has_property(plist, name) ? find_library_property(*plist.property_class, name) : nullptr;
  if (found == nullptr) not_found(name);
  return *found;
}

UserProperty make_property(std::size_t size, const void* value) {
  UserProperty property;
  const auto* const bytes = static_cast<const std::byte*>(value);
  if (size != 0) property.value.assign(bytes, bytes + size);
  return property;
}

void call(H5P_prp_cb2_t callback, hid_t id, const char* name, std::vector<std::byte>& value) {
  if (callback != nullptr && callback(id, name, value.size(), value.data()) < 0)
    throw NestedFailure({&H5E_PLIST_g, &H5E_CANTINIT_g}, fmt::format("the callback of '{}' failed", name));
}

std::vector<std::string> names_of(const PropertyObject& object) {
  return object.plist != nullptr ? property_order(*object.plist) : property_order(*object.property_class);
}

void remove_property(PropertyListHandle& plist, const char* name) {
  if (const UserProperty* found = find_property(*plist.properties.get(), name)) {
    std::vector<std::byte> value = found->value;
    call(found->remove, plist.id, name, value);
    plist.properties.change([&](UserProperties& all) { all.erase(name); });
  } else if (has_property(plist, name)) {
    plist.removed.change([&](NameSet& all) { all.insert(name); });
  } else {
    not_found(name);
  }
}

void insert_property(PropertyListHandle& plist, const char* name, UserProperty property) {
  if (has_property(plist, name))
    throw NestedFailure({&H5E_PLIST_g, &H5E_EXISTS_g}, fmt::format("there is a property '{}' already", name));
  property.of_plist = true;
  plist.properties.change([&](UserProperties& all) { all.emplace(name, std::move(property)); });
}

void register_property(hid_t class_id, const char* name, UserProperty property) {
  const auto handle = ids().get<PropertyClassHandle>(class_id, "a property list class");
  if (find_property(handle->property_class()->properties, name) != nullptr ||
      std::ranges::any_of(library_properties(handle->property_class()->type), [&](const LibraryProperty& p) {
        return p.name != nullptr && std::strcmp(p.name, name) == 0;
      }))
    throw NestedFailure({&H5E_PLIST_g, &H5E_EXISTS_g}, fmt::format("there is a property '{}' already", name));
  handle->change([&](UserProperties& all) { all.emplace(name, std::move(property)); });
}

void check_value(std::size_t size, const void* value) {
  if (size > 0 && value == nullptr) bad_value("properties of more than no bytes need a value");
  if (size == 0 && value != nullptr)
    throw NestedFailure({&H5E_RESOURCE_g, &H5E_NOSPACE_g}, "a value of no bytes");
}

ApiFunction register_call(const char* function) {
  return property_call(function, &H5E_CANTREGISTER_g, "unable to register property");
}

}  // namespace

herr_t H5Pregister2(hid_t cls_id, const char* name, size_t size, void* def_value,
                    H5P_prp_create_func_t create, H5P_prp_set_func_t set, H5P_prp_get_func_t get,
                    H5P_prp_delete_func_t prp_del, H5P_prp_copy_func_t copy, H5P_prp_compare_func_t compare,
                    H5P_prp_close_func_t close) {
  return api_call(register_call("H5Pregister2"), [&] {
    get_class(cls_id);
    property_name(name);
    check_value(size, def_value);
    UserProperty property = make_property(size, def_value);
    property.create = create;
    property.set = set;
    property.get = get;
    property.remove = prp_del;
    property.copy = copy;
    property.compare = compare;
    property.close = close;
    register_property(cls_id, name, std::move(property));
  });
}

herr_t H5Pregister1(hid_t cls_id, const char* name, size_t size, void* def_value,
                    H5P_prp_create_func_t prp_create, H5P_prp_set_func_t prp_set, H5P_prp_get_func_t prp_get,
                    H5P_prp_delete_func_t prp_del, H5P_prp_copy_func_t prp_copy,
                    H5P_prp_close_func_t prp_close) {
  return H5Pregister2(cls_id, name, size, def_value, prp_create, prp_set, prp_get, prp_del, prp_copy, nullptr,
                      prp_close);
}

herr_t H5Pinsert2(hid_t plist_id, const char* name, size_t size, void* value, H5P_prp_set_func_t set,
                  H5P_prp_get_func_t get, H5P_prp_delete_func_t prp_del, H5P_prp_copy_func_t copy,
                  H5P_prp_compare_func_t compare, H5P_prp_close_func_t close) {
  return api_call(register_call("H5Pinsert2"), [&] {
    const auto plist = get_plist(plist_id);
    property_name(name);
    check_value(size, value);
    UserProperty property = make_property(size, value);
    property.set = set;
    property.get = get;
    property.remove = prp_del;
    property.copy = copy;
    property.compare = compare;
    property.close = close;
    insert_property(*plist, name, std::move(property));
  });
}

herr_t H5Pinsert1(hid_t plist_id, const char* name, size_t size, void* value, H5P_prp_set_func_t prp_set,
                  H5P_prp_get_func_t prp_get, H5P_prp_delete_func_t prp_delete, H5P_prp_copy_func_t prp_copy,
                  H5P_prp_close_func_t prp_close) {
  return H5Pinsert2(plist_id, name, size, value, prp_set, prp_get, prp_delete, prp_copy, nullptr, prp_close);
}

herr_t H5Pset(hid_t plist_id, const char* name, const void* value) {
  return api_call(property_call("H5Pset", &H5E_CANTREGISTER_g, "unable to set value in plist"), [&] {
    const auto plist = get_plist(plist_id);
    property_name(name);
    if (value == nullptr) bad_value("invalid property value");
    const auto properties = plist->properties.get();
    const UserProperty* const found = find_property(*properties, name);
    if (found == nullptr) {
      const LibraryProperty& ours = get_library_property(*plist, name);
      if (ours.set == nullptr)
        throw NestedFailure({&H5E_PLIST_g, &H5E_UNSUPPORTED_g},
                            fmt::format("'{}' is set by the function for it", name));
      return plist->change<Settings>({ours.name}, [&](Settings& s) { ours.set(s, value); });
    }
    if (found->value.empty()) throw NestedFailure({&H5E_PLIST_g, &H5E_BADVALUE_g}, "property has zero size");
    std::vector<std::byte> fresh = make_property(found->value.size(), value).value;
    call(found->set, plist->id, name, fresh);
    if (found->of_plist) {
      std::vector<std::byte> old = found->value;
      call(found->remove, plist->id, name, old);
    }
    plist->properties.change([&](UserProperties& all) {
      UserProperty& property = all[name];
      property.value = std::move(fresh);
      property.of_plist = true;
    });
  });
}

herr_t H5Pget(hid_t plist_id, const char* name, void* value) {
  return api_call(property_call("H5Pget", &H5E_CANTGET_g, "unable to query property value"), [&] {
    const auto plist = get_plist(plist_id);
    property_name(name);
    if (value == nullptr) bad_value("invalid property value");
    const auto properties = plist->properties.get();
    const UserProperty* const found = find_property(*properties, name);
    if (found == nullptr) {
      const LibraryProperty& ours = get_library_property(*plist, name);
      if (ours.get == nullptr)
        throw NestedFailure({&H5E_PLIST_g, &H5E_UNSUPPORTED_g},
                            fmt::format("'{}' is read by the function for it", name));
      return ours.get(*plist->settings(), value);
    }
    if (found->value.empty()) throw NestedFailure({&H5E_PLIST_g, &H5E_BADVALUE_g}, "property has zero size");
    std::vector<std::byte> copy = found->value;
    call(found->get, plist->id, name, copy);
    std::memcpy(value, copy.data(), copy.size());
  });
}

htri_t H5Pexist(hid_t id, const char* name) {
  return api_call(property_call("H5Pexist", &H5E_NOTFOUND_g, "unable to query existence of property"), [&] {
    const PropertyObject object = get_object(id);
    property_name(name);
    if (object.plist != nullptr) return htri_t{has_property(*object.plist, name) ? 1 : 0};
    const PropertyClass& in = *object.property_class;
    return htri_t{find_property(in, name) != nullptr || find_library_property(in, name) != nullptr ? 1 : 0};
  });
}

herr_t H5Pget_size(hid_t id, const char* name, size_t* size) {
  return api_call(property_call("H5Pget_size", &H5E_CANTREGISTER_g, "unable to query size"), [&] {
    const PropertyObject object = get_object(id);
    property_name(name);
    if (size == nullptr) bad_value("invalid property size");
    const PropertyClass& in =
        object.plist != nullptr ? *object.plist->property_class : *object.property_class;
    const auto of_plist = object.plist != nullptr ? object.plist->properties.get() : nullptr;
    const UserProperty* const found =
        of_plist != nullptr ? find_property(*of_plist, name) : find_property(in, name);
    const LibraryProperty* const ours = find_library_property(in, name);
    if (found == nullptr &&
        (ours == nullptr || (object.plist != nullptr && !has_property(*object.plist, name))))
      not_found(name);
    *size = found != nullptr ? found->value.size() : ours->bytes;
  });
}

herr_t H5Pget_nprops(hid_t id, size_t* nprops) {
  return api_call(property_call("H5Pget_nprops", &H5E_CANTREGISTER_g, "unable to query # of properties"),
                  [&] {
                    const PropertyObject object = get_object(id);
                    if (nprops == nullptr) bad_value("invalid property nprops pointer");
                    *nprops = names_of(object).size();
                  });
}

int H5Piterate(hid_t id, int* idx, H5P_iterate_t iter_func, void* iter_data) {
  return api_call(property_call("H5Piterate", &H5E_CANTREGISTER_g, "unable to iterate over properties"), [&] {
    const PropertyObject object = get_object(id);
    if (idx != nullptr && *idx < 0) bad_value("invalid property index");
    if (iter_func == nullptr) bad_value("invalid iteration callback");
    const std::vector<std::string> names = names_of(object);
    std::size_t at = idx == nullptr ? 0 : static_cast<std::size_t>(*idx);
    int answer = 0;
    // The index stays at the property where the callback stopped the iteration.
    for (; at < names.size(); ++at)
      if ((answer = iter_func(id, names[at].c_str(), iter_data)) != 0) break;
    if (idx != nullptr) *idx = static_cast<int>(at);
    if (answer < 0)
      throw CallbackFailure({&H5E_PLIST_g, &H5E_CANTREGISTER_g}, "the function for properties failed");
    return answer;
  });
}

herr_t H5Premove(hid_t plist_id, const char* name) {
  return api_call(property_call("H5Premove", &H5E_CANTDELETE_g, "unable to remove property"), [&] {
    const auto plist = get_plist(plist_id);
    remove_property(*plist, property_name(name));
  });
}

herr_t H5Punregister(hid_t pclass_id, const char* name) {
  return api_call(property_call("H5Punregister", &H5E_CANTREGISTER_g, "unable to remove property from class"),
                  [&] {
                    const auto handle = ids().get<PropertyClassHandle>(pclass_id, "a property list class");
                    property_name(name);
                    handle->change([&](UserProperties& all) {
                      if (all.erase(name) == 0) not_found(name);
                    });
                  });
}

herr_t H5Pcopy_prop(hid_t dst_id, hid_t src_id, const char* name) {
  return api_call(property_call("H5Pcopy_prop", &H5E_CANTCOPY_g, "can't copy property"), [&] {
    if (src_id <= 0 || dst_id <= 0) bad_value("no property list or class");
    const PropertyObject from = get_object(src_id), to = get_object(dst_id);
    if ((from.plist == nullptr) != (to.plist == nullptr)) bad_type("not the same kind of property objects");
    property_name(name);
    if (from.plist == nullptr) {
      const UserProperty* const found = find_property(from.property_class->properties, name);
      if (found == nullptr) not_found(name);
      const UserProperty copy = *found;
      ids().get<PropertyClassHandle>(dst_id, "a property list class")->change([&](UserProperties& all) {
        all[name] = copy;
      });
      return;
    }
    const auto properties = from.plist->properties.get();
    const UserProperty* const found = find_property(*properties, name);
    if (found == nullptr) {
      if (find_library_property(*from.plist->property_class, name) == nullptr) not_found(name);
      throw NestedFailure({&H5E_PLIST_g, &H5E_UNSUPPORTED_g},
                          "properties of the library are not copied one by one");
    }
    const bool replaces = has_property(*to.plist, name);
    if (replaces) remove_property(*to.plist, name);
    UserProperty copy = *found;
    const H5P_prp_cb1_t make = replaces ? copy.copy : copy.create;
    if (make != nullptr && make(name, copy.value.size(), copy.value.data()) < 0)
      throw NestedFailure({&H5E_PLIST_g, &H5E_CANTINIT_g}, "the callback of the property failed");
    insert_property(*to.plist, name, std::move(copy));
  });
}
