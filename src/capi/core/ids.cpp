// SPDX-License-Identifier: Apache-2.0
#include "capi/core/ids.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "capi/core/library.hpp"

namespace filigree::capi {
namespace {

// The bits of an id as in HDF5: programs print ids, and some extract the type.
constexpr int type_shift = 56;

Code no_id() { return {&H5E_ID_g, &H5E_BADID_g}; }

}  // namespace

IdTable& ids() {
  static IdTable* const table = new IdTable;  // outlives everything that closes ids at exit
  return *table;
}

void IdTable::refuse(hid_t, const char* what) { bad_type(fmt::format("not {}", what)); }

H5I_type_t IdTable::type_of(hid_t id) {
  if (id < 0) return H5I_BADID;
  const auto type = static_cast<int>(id >> type_shift);
  return type < 1 || type > max_types ? H5I_BADID : static_cast<H5I_type_t>(type);
}

const IdTable::Type* IdTable::find_type(hid_t id) const {
  const H5I_type_t type = type_of(id);
  return type == H5I_BADID ? nullptr : &types_[static_cast<std::size_t>(type)];
}

IdTable::Type& IdTable::get_type(hid_t id) {
  const Type* const type = find_type(id);
  if (type == nullptr) throw Failure(no_id(), fmt::format("{} is no open id", id));
  return const_cast<Type&>(*type);
}

hid_t IdTable::add(std::shared_ptr<Handle> handle) {
  const auto number = static_cast<hid_t>(handle->type());
  Type& type = types_[static_cast<std::size_t>(number)];
  const ExclusiveLock lock(type.mutex);
  const hid_t id = (number << type_shift) | type.next++;
  // Ids that the library creates for itself have no references that a program could release.
  type.entries.emplace(id, Entry{std::move(handle), library_is_being_set_up() ? 0 : 1});
  return id;
}

std::shared_ptr<Handle> IdTable::find(hid_t id) const {
  const Type* const type = find_type(id);
  if (type == nullptr) return nullptr;
  const SharedLock lock(type->mutex);
  const auto found = type->entries.find(id);
  return found == type->entries.end() ? nullptr : found->second.handle;
}

int IdTable::retain(hid_t id) {
  Type& type = get_type(id);
  const ExclusiveLock lock(type.mutex);
  const auto found = type.entries.find(id);
  if (found == type.entries.end()) throw Failure(no_id(), fmt::format("{} is no open id", id));
  return ++found->second.references;
}

int IdTable::references(hid_t id) const {
  const Type* const type = find_type(id);
  if (type != nullptr) {
    const SharedLock lock(type->mutex);
    if (const auto found = type->entries.find(id); found != type->entries.end())
      return found->second.references;
  }
  throw Failure(no_id(), fmt::format("{} is no open id", id));
}

int IdTable::release(hid_t id) {
  Type& type = get_type(id);
  std::shared_ptr<Handle> last;
  {
    const ExclusiveLock lock(type.mutex);
    const auto found = type.entries.find(id);
    if (found == type.entries.end()) throw Failure(no_id(), fmt::format("{} is no open id", id));
    int& references = found->second.references;
    if (references == 0) throw Failure(no_id(), fmt::format("{} is an id of the library", id));
    if (references > 1 || found->second.handle->permanent()) return --references;
    last = std::move(found->second.handle);
    type.entries.erase(found);
  }
  try {
    last->close();
  } catch (...) {
    const ExclusiveLock lock(type.mutex);
    type.entries.emplace(id, Entry{std::move(last), 1});
    throw;
  }
  return 0;
}

std::shared_ptr<Handle> IdTable::remove(hid_t id) {
  Type& type = get_type(id);
  const ExclusiveLock lock(type.mutex);
  const auto found = type.entries.find(id);
  if (found == type.entries.end()) throw Failure(no_id(), fmt::format("{} is no open id", id));
  std::shared_ptr<Handle> handle = std::move(found->second.handle);
  type.entries.erase(found);
  return handle;
}

std::vector<hid_t> IdTable::of_type(H5I_type_t number) const {
  std::vector<hid_t> found;
  if (!type_exists(number)) return found;
  const Type& type = types_[static_cast<std::size_t>(number)];
  const SharedLock lock(type.mutex);
  for (const auto& [id, entry] : type.entries) found.push_back(id);
  std::sort(found.begin(), found.end());
  return found;
}

std::size_t IdTable::count(H5I_type_t number) const {
  if (!type_exists(number)) return 0;
  const Type& type = types_[static_cast<std::size_t>(number)];
  const SharedLock lock(type.mutex);
  return type.entries.size();
}

void IdTable::clear(H5I_type_t number, bool force) {
  for (const hid_t id : of_type(number)) {
    const std::shared_ptr<Handle> handle = find(id);
    if (handle == nullptr || handle->permanent()) continue;
    if (!force && references(id) > 1) continue;
    try {
      handle->close();
    } catch (...) {
      if (!force) continue;
    }
    remove(id);
  }
}

H5I_type_t IdTable::register_type(H5I_free_t free) {
  for (int number = H5I_NTYPES; number <= max_types; ++number) {
    Type& type = types_[static_cast<std::size_t>(number)];
    const ExclusiveLock lock(type.mutex);
    if (type.in_use) continue;
    type.in_use = true;
    type.references = 1;
    type.free = free;
    return static_cast<H5I_type_t>(number);
  }
  throw Failure({&H5E_ID_g, &H5E_NOIDS_g}, fmt::format("all {} types of ids are in use", max_types));
}

bool IdTable::type_exists(H5I_type_t number) const {
  if (number <= H5I_BADID || static_cast<int>(number) > max_types) return false;
  if (is_library_type(number)) return number != 0;
  const Type& type = types_[static_cast<std::size_t>(number)];
  const SharedLock lock(type.mutex);
  return type.in_use;
}

void IdTable::destroy_type(H5I_type_t number) {
  clear(number, true);
  Type& type = types_[static_cast<std::size_t>(number)];
  const ExclusiveLock lock(type.mutex);
  type.in_use = false;
  type.references = 0;
  type.free = nullptr;
}

int IdTable::retain_type(H5I_type_t number) {
  Type& type = types_[static_cast<std::size_t>(number)];
  const ExclusiveLock lock(type.mutex);
  return ++type.references;
}

int IdTable::release_type(H5I_type_t number) {
  Type& type = types_[static_cast<std::size_t>(number)];
  {
    const ExclusiveLock lock(type.mutex);
    if (type.references > 1) return --type.references;
  }
  destroy_type(number);
  return 0;
}

int IdTable::type_references(H5I_type_t number) const {
  const Type& type = types_[static_cast<std::size_t>(number)];
  const SharedLock lock(type.mutex);
  return type.references;
}

H5I_free_t IdTable::free_function(H5I_type_t number) const {
  const Type& type = types_[static_cast<std::size_t>(number)];
  const SharedLock lock(type.mutex);
  return type.free;
}

void IdTable::close_all() noexcept {
  // Objects are closed before the files that they are in, and values last.
  constexpr H5I_type_t order[] = {H5I_ATTR,        H5I_DATASET,     H5I_GROUP,     H5I_MAP,
                                  H5I_DATATYPE,    H5I_FILE,        H5I_DATASPACE, H5I_SPACE_SEL_ITER,
                                  H5I_GENPROP_LST, H5I_GENPROP_CLS, H5I_VFL,       H5I_VOL,
                                  H5I_EVENTSET,    H5I_ERROR_STACK, H5I_ERROR_MSG, H5I_ERROR_CLASS};
  try {
    for (int number = H5I_NTYPES; number <= max_types; ++number)
      if (type_exists(static_cast<H5I_type_t>(number))) destroy_type(static_cast<H5I_type_t>(number));
    for (const H5I_type_t number : order) clear(number, true);
    for (Type& type : types_) {
      const ExclusiveLock lock(type.mutex);
      type.entries.clear();
    }
  } catch (...) {  // Out of memory: the process is ending anyway.
  }
}

void UserObjectHandle::close() {
  const H5I_free_t free = ids().free_function(type_);
  if (free != nullptr && free(object_, nullptr) < 0)
    throw CallbackFailure({&H5E_ID_g, &H5E_CANTFREE_g}, "the free function of the id's type failed");
}

}  // namespace filigree::capi
