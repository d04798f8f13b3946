// SPDX-License-Identifier: Apache-2.0
//
// Identifiers: numbers for handles, with reference counts.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include <hdf5.h>

#include "base/mutex.hpp"
#include "capi/core/api_call.hpp"

namespace filigree::capi {

/// What an id refers to. A call in progress keeps the handle alive when another thread closes the id.
class Handle {
 public:
  Handle() = default;
  virtual ~Handle() = default;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  virtual H5I_type_t type() const = 0;
  /// Called before the last reference is released. When it throws, the id stays open.
  virtual void close() {}
  /// Whether the id belongs to the library, so that programs cannot close it.
  virtual bool permanent() const { return false; }
};

/// The ids of the process.
/// *Thread safety*: all functions may be called concurrently. Each type of id has a lock, which is not held
/// while handles are closed or callbacks run.
class IdTable {
 public:
  /// Returns a new id with one reference.
  hid_t add(std::shared_ptr<Handle> handle);
  /// Returns null for ids that are not open.
  std::shared_ptr<Handle> find(hid_t id) const;
  /// Returns the handle of an id. `what` completes "not ..." in the error message. *Throws* Failure for other
  /// ids.
  template <class T>
  std::shared_ptr<T> get(hid_t id, const char* what) const {
    std::shared_ptr<T> handle = find_as<T>(id);
    if (handle == nullptr) refuse(id, what);
    return handle;
  }
  /// Returns the handle of an id, or null for ids that are not open or of another type.
  template <class T>
  std::shared_ptr<T> find_as(hid_t id) const {
    return std::dynamic_pointer_cast<T>(find(id));
  }
  /// *Throws* the Failure of get().
  [[noreturn]] static void refuse(hid_t id, const char* what);

  /// Returns the type in the bits of an id, which need not be open.
  static H5I_type_t type_of(hid_t id);

  // Each of these returns the new reference count. They *throw* Failure for ids that are not open.
  int retain(hid_t id);
  int release(hid_t id);
  int references(hid_t id) const;
  /// Removes the id, whatever its reference count, without closing the handle.
  std::shared_ptr<Handle> remove(hid_t id);

  /// Returns all open ids of a type in ascending order.
  std::vector<hid_t> of_type(H5I_type_t type) const;
  std::size_t count(H5I_type_t type) const;
  /// Closes the ids of the type that have one reference; with `force`, all ids of the type.
  void clear(H5I_type_t type, bool force);

  // User-defined types of ids.
  H5I_type_t register_type(H5I_free_t free);
  bool type_exists(H5I_type_t type) const;
  bool is_library_type(H5I_type_t type) const { return type > H5I_BADID && type < H5I_NTYPES; }
  /// Closes all ids of the type, and removes the type.
  void destroy_type(H5I_type_t type);
  int retain_type(H5I_type_t type);
  int release_type(H5I_type_t type);
  int type_references(H5I_type_t type) const;
  /// Returns the function that frees objects of the type, or null.
  H5I_free_t free_function(H5I_type_t type) const;

  /// Closes everything, files last. Called when the library is closed.
  void close_all() noexcept;

 private:
  struct Entry {
    std::shared_ptr<Handle> handle;
    int references = 1;
  };
  struct Type {
    mutable SharedMutex mutex;
    std::unordered_map<hid_t, Entry> entries FILIGREE_GUARDED_BY(mutex);
    std::int64_t next FILIGREE_GUARDED_BY(mutex) = 1;
    bool in_use FILIGREE_GUARDED_BY(mutex) = false;  ///< for user-defined types
    int references FILIGREE_GUARDED_BY(mutex) = 0;
    H5I_free_t free FILIGREE_GUARDED_BY(mutex) = nullptr;
  };
  static constexpr int max_types = 127;
  const Type* find_type(hid_t id) const;
  Type& get_type(hid_t id);

  std::array<Type, max_types + 1> types_;
};

/// Returns the table of the process.
IdTable& ids();

/// An object of the program, under an id of a user-defined type.
class UserObjectHandle final : public Handle {
 public:
  UserObjectHandle(H5I_type_t type, void* object) : type_(type), object_(object) {}
  H5I_type_t type() const override { return type_; }
  void close() override;
  void* object() const { return object_; }

 private:
  H5I_type_t type_;
  void* object_;
};

}  // namespace filigree::capi
