// SPDX-License-Identifier: Apache-2.0
//
// Identifiers: numbers that stand for handles, with counts of references.
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

/// What an id stands for. Calls that go on keep it alive when its id is closed meanwhile.
class Handle {
 public:
  Handle() = default;
  virtual ~Handle() = default;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  virtual H5I_type_t type() const = 0;
  /// The last reference is about to go. When this throws, the id stays.
  virtual void close() {}
  /// Closing the id is refused: it belongs to the library.
  virtual bool permanent() const { return false; }
};

/// Thread-safe; a lock for each type of id, never held while handles are closed or callbacks run.
class IdTable {
 public:
  /// A new id with one reference.
  hid_t add(std::shared_ptr<Handle> handle);
  /// Null for ids that are not open.
  std::shared_ptr<Handle> find(hid_t id) const;
  /// The handle of an id, which must be a T; `what` completes "not a ..." (or "not an ...").
  template <class T>
  std::shared_ptr<T> get(hid_t id, const char* what) const {
    std::shared_ptr<T> handle = find_as<T>(id);
    if (handle == nullptr) refuse(id, what);
    return handle;
  }
  template <class T>
  std::shared_ptr<T> find_as(hid_t id) const {
    return std::dynamic_pointer_cast<T>(find(id));
  }
  [[noreturn]] static void refuse(hid_t id, const char* what);

  static H5I_type_t type_of(hid_t id);

  // Each throws Failure for ids that are not open, and returns the references there are then.
  int retain(hid_t id);
  int release(hid_t id);
  int references(hid_t id) const;
  /// Takes the id away, whatever its references, without closing the handle.
  std::shared_ptr<Handle> remove(hid_t id);

  /// All open ids of a type, ascending.
  std::vector<hid_t> of_type(H5I_type_t type) const;
  std::size_t count(H5I_type_t type) const;
  /// Closes every id of the type that has one reference, or whatever it has with `force`.
  void clear(H5I_type_t type, bool force);

  // Types of programs.
  H5I_type_t register_type(H5I_free_t free);
  bool type_exists(H5I_type_t type) const;
  bool is_library_type(H5I_type_t type) const { return type > H5I_BADID && type < H5I_NTYPES; }
  /// Closes all ids of the type, and the type.
  void destroy_type(H5I_type_t type);
  int retain_type(H5I_type_t type);
  int release_type(H5I_type_t type);
  int type_references(H5I_type_t type) const;
  H5I_free_t free_function(H5I_type_t type) const;

  /// When the library is closed: closes everything, files last.
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
    bool in_use FILIGREE_GUARDED_BY(mutex) = false;  ///< types of programs
    int references FILIGREE_GUARDED_BY(mutex) = 0;
    H5I_free_t free FILIGREE_GUARDED_BY(mutex) = nullptr;
  };
  static constexpr int max_types = 127;
  const Type* find_type(hid_t id) const;
  Type& get_type(hid_t id);

  std::array<Type, max_types + 1> types_;
};

/// The one of the process.
IdTable& ids();

/// An object of a program, under an id of a type of its own.
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
