// SPDX-License-Identifier: Apache-2.0
//
// Property lists and their classes: the settings of HDF5's own classes, and user-defined properties.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <typeinfo>
#include <vector>

#include "base/mutex.hpp"
#include "capi/H5P/settings.hpp"
#include "capi/core/guarded.hpp"
#include "capi/core/ids.hpp"

namespace filigree::capi {

/// A property that a program has registered with a class or inserted into a list.
struct UserProperty {
  std::vector<std::byte> value;
  bool of_plist = false;  ///< the list itself keeps the value, not its class
  H5P_prp_create_func_t create = nullptr;
  H5P_prp_set_func_t set = nullptr;
  H5P_prp_get_func_t get = nullptr;
  H5P_prp_encode_func_t encode = nullptr;
  H5P_prp_decode_func_t decode = nullptr;
  H5P_prp_delete_func_t remove = nullptr;
  H5P_prp_copy_func_t copy = nullptr;
  H5P_prp_compare_func_t compare = nullptr;
  H5P_prp_close_func_t close = nullptr;
};
using UserProperties = std::map<std::string, UserProperty>;

/// A class of property lists.
class PropertyClass {
 public:
  std::string name;
  std::shared_ptr<const PropertyClass> parent;  ///< null for the root
  /// The settings of a new list; null: those of the parent.
  std::shared_ptr<const Settings> defaults;
  PlistType type = PlistType::user;
  /// The user-defined properties, without those of the parents. A class with lists or derived classes does
  /// not change; its handle gets a changed copy.
  UserProperties properties;
  H5P_cls_create_func_t on_create = nullptr;
  void* create_data = nullptr;
  H5P_cls_copy_func_t on_copy = nullptr;
  void* copy_data = nullptr;
  H5P_cls_close_func_t on_close = nullptr;
  void* close_data = nullptr;

  const Settings& initial() const { return defaults != nullptr ? *defaults : parent->initial(); }
  bool is_a(const PropertyClass& ancestor) const;
};

/// The handle of a class id. *Thread safety*: all functions may be called concurrently.
class PropertyClassHandle final : public Handle {
 public:
  PropertyClassHandle(std::shared_ptr<PropertyClass> named, bool ours = false)
      : property_class_(std::move(named)), permanent_(ours) {}
  H5I_type_t type() const override { return H5I_GENPROP_CLS; }
  bool permanent() const override { return permanent_; }
  /// Returns the current class, which stays unchanged while the pointer lives.
  std::shared_ptr<const PropertyClass> property_class() const;
  /// Calls `work` to change the properties of the class. Existing lists and derived classes keep the old
  /// ones.
  void change(const std::function<void(UserProperties&)>& work);

 private:
  mutable Mutex mutex_;
  std::shared_ptr<PropertyClass> property_class_ FILIGREE_GUARDED_BY(mutex_);
  bool permanent_;
};

/// The handle of a property list id. *Thread safety*: all functions may be called concurrently.
class PropertyListHandle final : public Handle {
 public:
  /// Creates a list with the default settings of the class, without user-defined properties.
  explicit PropertyListHandle(std::shared_ptr<const PropertyClass> of);
  H5I_type_t type() const override { return H5I_GENPROP_LST; }
  bool permanent() const override { return is_default; }
  void close() override;

  const std::shared_ptr<const PropertyClass> property_class;
  bool is_default = false;                  ///< one of H5P_*_DEFAULT
  std::atomic<hid_t> id = H5I_INVALID_HID;  ///< for callbacks
  Guarded<UserProperties> properties{UserProperties{}};
  /// Properties of the library that were removed from this list (H5Premove).
  Guarded<NameSet> removed{NameSet{}};

  /// Returns the current settings, which stay unchanged while the pointer lives.
  std::shared_ptr<const Settings> settings() const;
  void set_settings(std::unique_ptr<Settings> made);
  /// Calls `work` with a copy of the settings, which then replaces them. `names` are the properties that it
  /// sets.
  /// *Requires* that the settings of the list are a T (see get_settings()).
  /// *Thread safety*: changes are serialised.
  template <class T, class Work>
  void change(const PropertyNames& names, Work&& work) {
    const MutexLock lock(changing_);
    std::unique_ptr<Settings> copy = settings()->clone();
    work(dynamic_cast<T&>(*copy));
    copy->keep(names);
    set_settings(std::move(copy));
  }

 private:
  Mutex changing_;  ///< serialises changes, so that none is lost
  mutable Mutex mutex_;
  std::shared_ptr<const Settings> settings_ FILIGREE_GUARDED_BY(mutex_);
};

/// Returns the list of an id. *Throws* bad_type().
std::shared_ptr<PropertyListHandle> get_plist(hid_t id);
/// Returns the number of the first default list with such settings, for default_settings(); it stays the same
/// when the library is closed and set up again. Returns the number of no list when there is none.
std::size_t default_list(const std::type_info& of);
/// Returns the settings of a default list, or null for the number of no list.
std::shared_ptr<const Settings> default_settings(std::size_t list);

/// Returns the settings of a list, or the defaults for H5P_DEFAULT. `what` names the expected list in the
/// error message.
/// *Throws* bad_type() for lists of other classes.
template <class T>
std::shared_ptr<const T> get_settings(hid_t id, const char* what) {
  if (id == H5P_DEFAULT) {
    static const std::size_t list = default_list(typeid(T));
    if (auto found = default_settings(list)) return std::static_pointer_cast<const T>(std::move(found));
    return std::make_shared<const T>();
  }
  std::shared_ptr<const T> settings = std::dynamic_pointer_cast<const T>(get_plist(id)->settings());
  if (settings == nullptr) bad_type(std::string("not ") + what);
  return settings;
}

/// Returns a new list of the class that has such settings. Callbacks of the program are not called.
hid_t add_plist(std::unique_ptr<Settings> settings);
/// Returns a new list for an object. It counts as a copied list, in which these properties are set.
hid_t add_object_plist(std::unique_ptr<Settings> settings, const PropertyNames& names);
/// Returns a new list of the class with all properties of the class and its parents. Their callbacks are
/// called.
hid_t create_plist(std::shared_ptr<const PropertyClass> of);
/// Returns a copy of the list. Copy callbacks are called.
hid_t copy_plist(const PropertyListHandle& from);
/// Returns a class of the library.
std::shared_ptr<const PropertyClass> library_class(PlistType type);

}  // namespace filigree::capi
