// SPDX-License-Identifier: Apache-2.0
//
// Identifiers: numbers for handles, with reference counts.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <unordered_map>
#include <vector>

#include <hdf5.h>

#include "base/mutex.hpp"
#include "capi/core/api_call.hpp"
#include "capi/core/future.hpp"

namespace filigree::capi {

class FileOrder;
/// The files that an id refers into, as asynchronous operations know them (capi/H5ES/operations.hpp).
using FileOrders = std::vector<std::shared_ptr<FileOrder>>;

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
  /// Returns the files whose queued operations a synchronous call with this handle waits for.
  virtual FileOrders orders() const { return {}; }
  /// Called when the handle gets another id, as the result of an asynchronous operation does.
  virtual void moved_to(hid_t) {}
};

/// What is behind an id at a moment.
struct IdState {
  std::shared_ptr<Handle> handle;  ///< null for ids that are not open, and while the future has none
  std::shared_ptr<Future> future;  ///< null for ordinary ids
  FileOrders origin;               ///< the files of the operation that made or changes what the id refers to
  int references = 0;

  bool is_open() const { return handle != nullptr || future != nullptr; }
  /// Whether asynchronous operations know the id, so that only they say what it refers to.
  bool is_queued() const { return !origin.empty() || (future != nullptr && handle == nullptr); }
};

/// The ids of the process.
/// *Thread safety*: all functions may be called concurrently. Each type of id has a lock, which is not held
/// while handles are closed or callbacks run.
class IdTable {
 public:
  /// Returns a new id with one reference.
  hid_t add(std::shared_ptr<Handle> handle);
  /// Returns an id, with one reference, of what a future will become.
  hid_t add_future(H5I_type_t type, std::shared_ptr<Future> future, FileOrders origin);
  /// Returns null for ids that are not open. Waits until the operations that are queued for its file, and the
  /// one that the id comes from, have ended. *Requires* that the caller holds no lock.
  std::shared_ptr<Handle> find(hid_t id);
  /// Returns the handle of an id. `what` completes "not ..." in the error message. *Throws* Failure for other
  /// ids.
  template <class T>
  std::shared_ptr<T> get(hid_t id, const char* what) {
    std::shared_ptr<T> handle = find_as<T>(id);
    if (handle == nullptr) refuse(id, what);
    return handle;
  }
  /// Returns the handle of an id, or null for ids that are not open or of another type.
  template <class T>
  std::shared_ptr<T> find_as(hid_t id) {
    std::shared_ptr<Handle> handle = find(id);
    if constexpr (std::is_final_v<T>) {  // which needs no search in the class hierarchy
      if (handle == nullptr) return nullptr;
      const Handle& found = *handle;
      if (typeid(found) != typeid(T)) return nullptr;
      return std::static_pointer_cast<T>(std::move(handle));
    } else {
      return std::dynamic_pointer_cast<T>(std::move(handle));
    }
  }
  /// Returns what is behind an id, without waiting.
  IdState look(hid_t id) const;
  /// Returns the handle of an id that has one now, or null. For searches among ids, which must not wait.
  template <class T>
  std::shared_ptr<T> peek_as(hid_t id) const {
    return std::dynamic_pointer_cast<T>(look(id).handle);
  }
  /// *Throws* the Failure of get().
  [[noreturn]] static void refuse(hid_t id, const char* what);

  /// Returns the type in the bits of an id, which need not be open.
  static H5I_type_t type_of(hid_t id);

  // Each of these returns the new reference count. They *throw* Failure for ids that are not open.
  int retain(hid_t id);
  int release(hid_t id);
  int references(hid_t id);
  /// Removes the id, whatever its reference count, without closing the handle.
  std::shared_ptr<Handle> remove(hid_t id);

  // Ids of queued operations. Searches and counts leave them out.
  /// Returns another id for what is behind `id`. *Throws* Failure for ids that are not open.
  hid_t add_alias(hid_t id);
  /// Leaves an id out of searches and counts from now on.
  void hide(hid_t id);
  /// Takes away one reference. Returns a new hidden id if it was the last one, or else H5I_INVALID_HID. Does
  /// not wait. *Throws* Failure for ids that are not open.
  hid_t take_reference(hid_t id);
  /// Gives an id back that take_reference() took.
  void give_back(hid_t id, hid_t hidden);
  /// Removes an id behind which there is nothing, because its future failed.
  void forget(hid_t id);
  /// Adds files to the origin of an id, if it is open.
  void add_origin(hid_t id, const FileOrders& orders);

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
    std::shared_ptr<Future> future = nullptr;
    FileOrders origin = {};
    bool hidden = false;
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
  /// Returns the handle of an ordinary id while no operation is queued; null otherwise.
  std::shared_ptr<Handle> find_settled(hid_t id) const;
  Type& get_type(hid_t id);
  hid_t add_entry(H5I_type_t type, Entry entry);

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
