// SPDX-License-Identifier: Apache-2.0
//
// Property lists and classes of property lists.
#include <algorithm>
#include <cstring>

#include "capi/H5P/library_property.hpp"
#include "capi/H5P/plist_calls.hpp"
#include "capi/H5P/property_object.hpp"
#include "capi/core/strings.hpp"

using namespace filigree;
using namespace filigree::capi;

namespace {

bool same_property(const UserProperty& a, const UserProperty& b) {
  if (a.value.size() != b.value.size() || a.create != b.create || a.set != b.set || a.get != b.get ||
      a.remove != b.remove || a.copy != b.copy || a.compare != b.compare || a.close != b.close)
    return false;
  if (a.value.empty()) return true;
  return (a.compare != nullptr ? a.compare(a.value.data(), b.value.data(), a.value.size())
                               : std::memcmp(a.value.data(), b.value.data(), a.value.size())) == 0;
}

bool same_properties(const UserProperties& a, const UserProperties& b) {
  return std::ranges::equal(a, b, [](const auto& x, const auto& y) {
    return x.first == y.first && same_property(x.second, y.second);
  });
}

bool same_class(const PropertyClass& a, const PropertyClass& b) {
  return &a == &b ||
         (a.name == b.name && a.parent == b.parent && a.type == b.type && a.on_create == b.on_create &&
          a.on_copy == b.on_copy && a.on_close == b.on_close && same_properties(a.properties, b.properties));
}

bool is_a(const PropertyClass& one, const PropertyClass& ancestor) {
  for (const PropertyClass* c = &one; c != nullptr; c = c->parent.get())
    if (same_class(*c, ancestor)) return true;
  return false;
}

bool same_plist(const PropertyListHandle& a, const PropertyListHandle& b) {
  return same_class(*a.property_class, *b.property_class) && *a.removed.get() == *b.removed.get() &&
         a.settings()->same(*b.settings()) && same_properties(*a.properties.get(), *b.properties.get());
}

}  // namespace

hid_t H5Pcreate(hid_t cls_id) {
  return api_call(property_call("H5Pcreate", &H5E_CANTCREATE_g, "unable to create property list"),
                  [&] { return create_plist(get_class(cls_id)); });
}

hid_t H5Pcopy(hid_t plist_id) {
  return api_call(property_call("H5Pcopy", &H5E_CANTCOPY_g, "can't copy property list"), [&] {
    if (plist_id == H5P_DEFAULT) return hid_t{H5P_DEFAULT};
    const PropertyObject object = get_object(plist_id);
    if (object.plist != nullptr) return copy_plist(*object.plist);
    return ids().add(
        std::make_shared<PropertyClassHandle>(std::make_shared<PropertyClass>(*object.property_class)));
  });
}

herr_t H5Pclose(hid_t plist_id) {
  return api_call(property_call("H5Pclose", &H5E_CANTFREE_g, "can't close"), [&] {
    if (plist_id == H5P_DEFAULT) return;
    if (IdTable::type_of(plist_id) != H5I_GENPROP_LST) bad_type("not a property list");
    const auto plist = ids().find_as<PropertyListHandle>(plist_id);
    if (plist == nullptr)
      throw Failure({&H5E_PLIST_g, &H5E_CANTFREE_g}, "the property list is closed already");
    if (!plist->permanent()) ids().release(plist_id);
  });
}

herr_t H5Pclose_class(hid_t cls_id) {
  return api_call(property_call("H5Pclose_class", &H5E_CANTFREE_g, "can't close"), [&] {
    if (IdTable::type_of(cls_id) != H5I_GENPROP_CLS) bad_type("not a property list class");
    const auto handle = ids().find_as<PropertyClassHandle>(cls_id);
    if (handle == nullptr)
      throw Failure({&H5E_PLIST_g, &H5E_CANTFREE_g}, "the property list class is closed already");
    if (!handle->permanent()) ids().release(cls_id);
  });
}

htri_t H5Pequal(hid_t id1, hid_t id2) {
  return api_call(property_call("H5Pequal", &H5E_CANTCOMPARE_g, "can't compare property lists"), [&] {
    const PropertyObject a = get_object(id1), b = get_object(id2);
    if ((a.plist == nullptr) != (b.plist == nullptr)) bad_type("not the same kind of property objects");
    const bool same = a.plist != nullptr ? same_plist(*a.plist, *b.plist)
                                         : same_class(*a.property_class, *b.property_class);
    return htri_t{same ? 1 : 0};
  });
}

htri_t H5Pisa_class(hid_t plist_id, hid_t pclass_id) {
  return api_call(
      property_call("H5Pisa_class", &H5E_CANTREGISTER_g, "unable to compare property list classes"), [&] {
        const auto plist = get_plist(plist_id);
        const auto ancestor = get_class(pclass_id, "a property class");
        return htri_t{is_a(*plist->property_class, *ancestor) ? 1 : 0};
      });
}

hid_t H5Pget_class(hid_t plist_id) {
  return api_call(property_call("H5Pget_class", &H5E_NOTFOUND_g, "unable to query class of property list"),
                  [&] {
                    const auto plist = get_plist(plist_id);
                    // Only the handle of a class changes it, and it makes a copy of the class first. So the
                    // class can be shared.
                    return ids().add(std::make_shared<PropertyClassHandle>(
                        std::const_pointer_cast<PropertyClass>(plist->property_class)));
                  });
}

char* H5Pget_class_name(hid_t pclass_id) {
  return api_call_or<char*>(nullptr,
                            property_call("H5Pget_class_name", &H5E_NOTFOUND_g, "unable to query name"),
                            [&] { return new_string(get_class(pclass_id, "a property class")->name); });
}

hid_t H5Pget_class_parent(hid_t pclass_id) {
  return api_call(property_call("H5Pget_class_parent", &H5E_NOTFOUND_g, "unable to query class parent"), [&] {
    const auto parent = get_class(pclass_id, "a property class")->parent;
    if (parent == nullptr)
      throw Failure({&H5E_PLIST_g, &H5E_NOTFOUND_g}, "the root of property classes has no parent");
    return ids().add(std::make_shared<PropertyClassHandle>(std::const_pointer_cast<PropertyClass>(parent)));
  });
}

hid_t H5Pcreate_class(hid_t parent, const char* name, H5P_cls_create_func_t create, void* create_data,
                      H5P_cls_copy_func_t copy, void* copy_data, H5P_cls_close_func_t close,
                      void* close_data) {
  return api_call(property_call("H5Pcreate_class", &H5E_CANTCREATE_g, "unable to create class"), [&] {
    auto made = std::make_shared<PropertyClass>();
    made->parent =
        parent == H5P_DEFAULT ? library_class(PlistType::root) : get_class(parent, "a property class");
    if (name == nullptr || *name == '\0') bad_value("invalid class name");
    if ((create_data != nullptr && create == nullptr) || (copy_data != nullptr && copy == nullptr) ||
        (close_data != nullptr && close == nullptr))
      bad_value("data specified, but no callback provided");
    made->name = name;
    made->on_create = create;
    made->create_data = create_data;
    made->on_copy = copy;
    made->copy_data = copy_data;
    made->on_close = close;
    made->close_data = close_data;
    return ids().add(std::make_shared<PropertyClassHandle>(std::move(made)));
  });
}
