// SPDX-License-Identifier: Apache-2.0
#include "capi/H5P/property_list.hpp"

#include "capi/H5P/library_property.hpp"
#include "capi/core/library.hpp"

namespace filigree::capi {
namespace {

using ClassPointer = std::shared_ptr<const PropertyClass>;

Code callback_failed() { return {&H5E_PLIST_g, &H5E_CANTINIT_g}; }

/// The hierarchy of the library's classes, and the settings of their new lists.
struct LibraryClass {
  PlistType type;
  PlistType parent;
  const char* name;
  hid_t* id;
  hid_t* default_plist;  ///< null: the class has no default list
  std::unique_ptr<Settings> (*make)();
};

template <class T>
std::unique_ptr<Settings> make() {
  return std::make_unique<T>();
}

const std::vector<LibraryClass>& library_classes() {
  using enum PlistType;
  static const auto& classes = *new std::vector<LibraryClass>{
      // exit handlers use it, too
      {root, user, "root", &H5P_CLS_ROOT_ID_g, nullptr, make<EmptySettings>},
      {object_create, root, "object create", &H5P_CLS_OBJECT_CREATE_ID_g, nullptr,
       make<ObjectCreationSettings>},
      {group_create, object_create, "group create", &H5P_CLS_GROUP_CREATE_ID_g, &H5P_LST_GROUP_CREATE_ID_g,
       make<GroupCreationSettings>},
      {file_create, group_create, "file create", &H5P_CLS_FILE_CREATE_ID_g, &H5P_LST_FILE_CREATE_ID_g,
       make<FileCreationSettings>},
      {dataset_create, object_create, "dataset create", &H5P_CLS_DATASET_CREATE_ID_g,
       &H5P_LST_DATASET_CREATE_ID_g, make<DatasetCreationSettings>},
      {datatype_create, object_create, "datatype create", &H5P_CLS_DATATYPE_CREATE_ID_g,
       &H5P_LST_DATATYPE_CREATE_ID_g, make<TypeCreationSettings>},
      {map_create, object_create, "map create", &H5P_CLS_MAP_CREATE_ID_g, &H5P_LST_MAP_CREATE_ID_g,
       make<ObjectCreationSettings>},
      {file_access, root, "file access", &H5P_CLS_FILE_ACCESS_ID_g, &H5P_LST_FILE_ACCESS_ID_g,
       make<FileAccessSettings>},
      {reference_access, file_access, "reference access", &H5P_CLS_REFERENCE_ACCESS_ID_g,
       &H5P_LST_REFERENCE_ACCESS_ID_g, make<FileAccessSettings>},
      {link_access, root, "link access", &H5P_CLS_LINK_ACCESS_ID_g, &H5P_LST_LINK_ACCESS_ID_g,
       make<LinkAccessSettings>},
      {group_access, link_access, "group access", &H5P_CLS_GROUP_ACCESS_ID_g, &H5P_LST_GROUP_ACCESS_ID_g,
       make<GroupAccessSettings>},
      {dataset_access, link_access, "dataset access", &H5P_CLS_DATASET_ACCESS_ID_g,
       &H5P_LST_DATASET_ACCESS_ID_g, make<DatasetAccessSettings>},
      {datatype_access, link_access, "datatype access", &H5P_CLS_DATATYPE_ACCESS_ID_g,
       &H5P_LST_DATATYPE_ACCESS_ID_g, make<TypeAccessSettings>},
      {attribute_access, link_access, "attribute access", &H5P_CLS_ATTRIBUTE_ACCESS_ID_g,
       &H5P_LST_ATTRIBUTE_ACCESS_ID_g, make<LinkAccessSettings>},
      {map_access, link_access, "map access", &H5P_CLS_MAP_ACCESS_ID_g, &H5P_LST_MAP_ACCESS_ID_g,
       make<LinkAccessSettings>},
      {dataset_transfer, root, "data transfer", &H5P_CLS_DATASET_XFER_ID_g, &H5P_LST_DATASET_XFER_ID_g,
       make<TransferSettings>},
      {file_mount, root, "file mount", &H5P_CLS_FILE_MOUNT_ID_g, &H5P_LST_FILE_MOUNT_ID_g,
       make<MountSettings>},
      {string_create, root, "string create", &H5P_CLS_STRING_CREATE_ID_g, nullptr,
       make<StringCreationSettings>},
      {attribute_create, string_create, "attribute create", &H5P_CLS_ATTRIBUTE_CREATE_ID_g,
       &H5P_LST_ATTRIBUTE_CREATE_ID_g, make<AttributeCreationSettings>},
      {link_create, string_create, "link create", &H5P_CLS_LINK_CREATE_ID_g, &H5P_LST_LINK_CREATE_ID_g,
       make<LinkCreationSettings>},
      {object_copy, root, "object copy", &H5P_CLS_OBJECT_COPY_ID_g, &H5P_LST_OBJECT_COPY_ID_g,
       make<ObjectCopySettings>},
      {vol_initialize, root, "vol initialization", &H5P_CLS_VOL_INITIALIZE_ID_g, &H5P_LST_VOL_INITIALIZE_ID_g,
       make<EmptySettings>},
  };
  return classes;
}

constexpr std::size_t kinds = static_cast<std::size_t>(PlistType::reference_access) + 1;

/// What set_up_property_lists() creates. It is only read while the library is set up.
struct PredefinedLists {
  std::array<std::shared_ptr<PropertyClassHandle>, kinds> classes;
  std::array<std::shared_ptr<PropertyListHandle>, kinds> defaults;
};
PredefinedLists& predefined() {
  static PredefinedLists* const all = new PredefinedLists;
  return *all;
}
std::size_t number(PlistType kind) { return static_cast<std::size_t>(kind); }

/// Calls `work` for the class and its parents, the nearest first.
template <class Work>
void for_ancestry(const PropertyClass& from, Work&& work) {
  for (const PropertyClass* c = &from; c != nullptr; c = c->parent.get()) work(*c);
}

/// Returns the user-defined properties of the class and its parents. The nearest one of a name counts.
UserProperties inherited(const PropertyClass& from) {
  UserProperties all;
  for_ancestry(from, [&](const PropertyClass& c) { all.insert(c.properties.begin(), c.properties.end()); });
  return all;
}

/// Lets a callback change the value of a property, which the list itself keeps from then on.
void make_value(const std::string& name, UserProperty& property, H5P_prp_cb1_t call) {
  if (call == nullptr) return;
  std::vector<std::byte> value = property.value;
  if (call(name.c_str(), value.size(), value.data()) < 0)
    throw NestedFailure(callback_failed(), "the callback of property '" + name + "' failed");
  property.of_plist = true;
  property.value = std::move(value);
}

/// Lets the callback `Call` of every property change its value, in the order of iteration of `from`.
template <auto Call>
void make_values(PropertyListHandle& plist, const PropertyListHandle& from) {
  UserProperties properties = *from.properties.get();
  if (properties.empty()) return plist.properties.set({});
  for (const std::string& name : property_order(from))
    if (const auto found = properties.find(name); found != properties.end())
      make_value(name, found->second, found->second.*Call);
  plist.properties.set(std::move(properties));
}

hid_t add_handle(const std::shared_ptr<PropertyListHandle>& plist) {
  const hid_t id = ids().add(plist);
  plist->id = id;
  return id;
}

/// Calls a callback of the classes. If one fails, the id is removed.
template <class Call>
void call_class_callbacks(const PropertyListHandle& plist, Call&& call) {
  try {
    for_ancestry(*plist.property_class, [&](const PropertyClass& c) {
      if (call(c) < 0) throw NestedFailure(callback_failed(), "the callback of a property class failed");
    });
  } catch (...) {
    ids().remove(plist.id);
    throw;
  }
}

}  // namespace

bool PropertyClass::is_a(const PropertyClass& ancestor) const {
  for (const PropertyClass* c = this; c != nullptr; c = c->parent.get())
    if (c == &ancestor) return true;
  return false;
}

ClassPointer PropertyClassHandle::property_class() const {
  const MutexLock lock(mutex_);
  return property_class_;
}

void PropertyClassHandle::change(const std::function<void(UserProperties&)>& work) {
  const MutexLock lock(mutex_);
  auto changed = std::make_shared<PropertyClass>(*property_class_);
  work(changed->properties);
  property_class_ = std::move(changed);
}

PropertyListHandle::PropertyListHandle(ClassPointer of)
    : property_class(std::move(of)), settings_(property_class->initial().clone()) {}

std::shared_ptr<const Settings> PropertyListHandle::settings() const {
  const MutexLock lock(mutex_);
  return settings_;
}

void PropertyListHandle::set_settings(std::unique_ptr<Settings> new_settings) {
  std::shared_ptr<const Settings> fresh = std::move(new_settings);
  const MutexLock lock(mutex_);
  settings_.swap(fresh);
}

void PropertyListHandle::close() {
  for_ancestry(*property_class, [&](const PropertyClass& c) {
    if (c.on_close != nullptr) c.on_close(id, c.close_data);
  });
  const auto all = properties.get();
  if (all->empty()) return;
  for (const std::string& name : property_order(*this)) {
    const auto found = all->find(name);
    if (found == all->end() || found->second.close == nullptr) continue;
    std::vector<std::byte> value = found->second.value;
    found->second.close(name.c_str(), value.size(), value.data());
  }
}

std::shared_ptr<PropertyListHandle> get_plist(hid_t id) {
  return ids().get<PropertyListHandle>(id, "a property list");
}

std::size_t default_list(const std::type_info& of) {
  for (std::size_t list = 0; list < kinds; ++list) {
    const auto& plist = predefined().defaults[list];
    if (plist == nullptr) continue;
    const std::shared_ptr<const Settings> settings = plist->settings();
    const Settings& found = *settings;
    if (typeid(found) == of) return list;
  }
  return kinds;
}

std::shared_ptr<const Settings> default_settings(std::size_t list) {
  return list == kinds ? nullptr : predefined().defaults[list]->settings();
}

hid_t add_plist(std::unique_ptr<Settings> settings) {
  const Settings& given = *settings;
  for (const LibraryClass& c : library_classes()) {
    const auto property_class = library_class(c.type);
    const Settings& initial = property_class->initial();
    if (typeid(initial) != typeid(given)) continue;
    const auto plist = std::make_shared<PropertyListHandle>(property_class);
    settings->keep_created();
    plist->set_settings(std::move(settings));
    return add_handle(plist);
  }
  throw Failure({&H5E_PLIST_g, &H5E_CANTCREATE_g}, "there is no class of such property lists");
}

hid_t add_object_plist(std::unique_ptr<Settings> settings, const PropertyNames& names) {
  settings->keep(names);
  const hid_t id = add_plist(std::move(settings));
  const auto plist = get_plist(id);
  plist->change<Settings>({}, [](Settings& s) { s.keep_copied(); });
  return id;
}

hid_t create_plist(ClassPointer of) {
  const auto plist = std::make_shared<PropertyListHandle>(of);
  plist->change<Settings>({}, [](Settings& s) { s.keep_created(); });
  plist->properties.set(inherited(*of));
  make_values<&UserProperty::create>(*plist, *plist);
  const hid_t id = add_handle(plist);
  call_class_callbacks(*plist, [&](const PropertyClass& c) {
    return c.on_create == nullptr ? 0 : c.on_create(id, c.create_data);
  });
  return id;
}

hid_t copy_plist(const PropertyListHandle& from) {
  const auto plist = std::make_shared<PropertyListHandle>(from.property_class);
  std::unique_ptr<Settings> settings = from.settings()->clone();
  settings->make_own_copies();
  plist->set_settings(std::move(settings));
  plist->removed.set(*from.removed.get());
  make_values<&UserProperty::copy>(*plist, from);
  const hid_t id = add_handle(plist);
  // Like HDF5, this calls the callback of the list's own class once for each class that has one. Without a
  // callback of its own, it calls those of its parents.
  const PropertyClass& own = *plist->property_class;
  call_class_callbacks(*plist, [&](const PropertyClass& c) {
    const PropertyClass& called = own.on_copy != nullptr ? own : c;
    return c.on_copy == nullptr ? 0 : called.on_copy(id, from.id, called.copy_data);
  });
  return id;
}

ClassPointer library_class(PlistType type) { return predefined().classes[number(type)]->property_class(); }

void set_up_property_lists() {
  predefined() = {};
  for (const LibraryClass& c : library_classes()) {
    auto property_class = std::make_shared<PropertyClass>();
    property_class->name = c.name;
    property_class->type = c.type;
    property_class->defaults = c.make();
    if (c.parent != PlistType::user) property_class->parent = library_class(c.parent);
    auto& handle = predefined().classes[number(c.type)];
    handle = std::make_shared<PropertyClassHandle>(property_class, true);
    *c.id = ids().add(handle);
    if (c.default_plist == nullptr) continue;
    auto& plist = predefined().defaults[number(c.type)];
    plist = std::make_shared<PropertyListHandle>(property_class);
    plist->is_default = true;
    *c.default_plist = add_handle(plist);
  }
}

}  // namespace filigree::capi
