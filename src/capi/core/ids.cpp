// SPDX-License-Identifier: Apache-2.0
#include "capi/core/ids.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "capi/H5ES/operations.hpp"
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

hid_t IdTable::add_entry(H5I_type_t of_type, Entry entry) {
  const auto number = static_cast<hid_t>(of_type);
  Type& type = types_[static_cast<std::size_t>(number)];
  const ExclusiveLock lock(type.mutex);
  const hid_t id = (number << type_shift) | type.next++;
  type.entries.emplace(id, std::move(entry));
  return id;
}

hid_t IdTable::add(std::shared_ptr<Handle> handle) {
  const H5I_type_t type = handle->type();
  // Ids that the library creates for itself have no references that a program could release.
  return add_entry(type, Entry{std::move(handle), library_is_being_set_up() ? 0 : 1});
}

hid_t IdTable::add_future(H5I_type_t type, std::shared_ptr<Future> future, FileOrders origin) {
  return add_entry(type, Entry{nullptr, 1, std::move(future), std::move(origin)});
}

IdState IdTable::look(hid_t id) const {
  IdState state;
  const Type* const type = find_type(id);
  if (type == nullptr) return state;
  {
    const SharedLock lock(type->mutex);
    const auto found = type->entries.find(id);
    if (found == type->entries.end()) return state;
    const Entry& entry = found->second;
    state = {entry.handle, entry.future, entry.origin, entry.references};
  }
  if (state.future != nullptr) state.handle = state.future->peek();
  return state;
}

std::shared_ptr<Handle> IdTable::find_settled(hid_t id) const {
  const Type* const type = find_type(id);
  if (type == nullptr || operations_are_queued()) return nullptr;
  const SharedLock lock(type->mutex);
  const auto found = type->entries.find(id);
  return found == type->entries.end() || found->second.future != nullptr ? nullptr : found->second.handle;
}

std::shared_ptr<Handle> IdTable::find(hid_t id) {
  if (auto handle = find_settled(id)) return handle;
  IdState state = look(id);
  if (state.future != nullptr && state.handle == nullptr) {
    state.handle = state.future->wait();
    if (state.handle == nullptr && state.future->is_dead()) forget(id);
  }
  if (state.handle != nullptr && operations_are_queued()) {
    wait_for(state.origin);
    wait_for(state.handle->orders());
  }
  return state.handle;
}

void IdTable::forget(hid_t id) {
  Type& type = get_type(id);
  const ExclusiveLock lock(type.mutex);
  type.entries.erase(id);
}

int IdTable::retain(hid_t id) {
  Type& type = get_type(id);
  const ExclusiveLock lock(type.mutex);
  const auto found = type.entries.find(id);
  if (found == type.entries.end()) throw Failure(no_id(), fmt::format("{} is no open id", id));
  return ++found->second.references;
}

int IdTable::references(hid_t id) {
  if (find(id) != nullptr) {
    if (const IdState state = look(id); state.is_open()) return state.references;
  }
  throw Failure(no_id(), fmt::format("{} is no open id", id));
}

int IdTable::release(hid_t id) {
  std::shared_ptr<Handle> last = find(id);
  Type& type = get_type(id);
  Entry taken;
  {
    const ExclusiveLock lock(type.mutex);
    const auto found = type.entries.find(id);
    if (found == type.entries.end() || last == nullptr)
      throw Failure(no_id(), fmt::format("{} is no open id", id));
    int& references = found->second.references;
    if (references == 0) throw Failure(no_id(), fmt::format("{} is an id of the library", id));
    if (references > 1 || last->permanent()) return --references;
    taken = std::move(found->second);
    type.entries.erase(found);
  }
  try {
    last->close();
  } catch (...) {
    const ExclusiveLock lock(type.mutex);
    type.entries.emplace(id, std::move(taken));
    throw;
  }
  return 0;
}

hid_t IdTable::add_alias(hid_t id) {
  Type& type = get_type(id);
  Entry alias;
  {
    const SharedLock lock(type.mutex);
    const auto found = type.entries.find(id);
    if (found == type.entries.end()) throw Failure(no_id(), fmt::format("{} is no open id", id));
    alias = found->second;
  }
  alias.references = 1;
  alias.hidden = true;
  return add_entry(type_of(id), std::move(alias));
}

void IdTable::hide(hid_t id) {
  Type& type = get_type(id);
  const ExclusiveLock lock(type.mutex);
  if (const auto found = type.entries.find(id); found != type.entries.end()) found->second.hidden = true;
}

hid_t IdTable::take_reference(hid_t id) {
  Type& type = get_type(id);
  const ExclusiveLock lock(type.mutex);
  const auto found = type.entries.find(id);
  if (found == type.entries.end()) throw Failure(no_id(), fmt::format("{} is no open id", id));
  if (found->second.references > 1) {
    --found->second.references;
    return H5I_INVALID_HID;
  }
  const hid_t hidden = (id >> type_shift << type_shift) | type.next++;
  Entry entry = std::move(found->second);
  entry.hidden = true;
  type.entries.erase(found);
  type.entries.emplace(hidden, std::move(entry));
  return hidden;
}

void IdTable::give_back(hid_t id, hid_t hidden) {
  Type& type = get_type(id);
  const ExclusiveLock lock(type.mutex);
  const auto found = type.entries.find(hidden);
  if (found == type.entries.end()) return;
  Entry entry = std::move(found->second);
  entry.hidden = false;
  type.entries.erase(found);
  type.entries.emplace(id, std::move(entry));
}

void IdTable::add_origin(hid_t id, const FileOrders& orders) {
  Type& type = get_type(id);
  const ExclusiveLock lock(type.mutex);
  const auto found = type.entries.find(id);
  if (found == type.entries.end()) return;
  FileOrders& origin = found->second.origin;
  for (const auto& order : orders)
    if (std::find(origin.begin(), origin.end(), order) == origin.end()) origin.push_back(order);
}

std::shared_ptr<Handle> IdTable::remove(hid_t id) {
  Type& type = get_type(id);
  Entry taken;
  {
    const ExclusiveLock lock(type.mutex);
    const auto found = type.entries.find(id);
    if (found == type.entries.end()) throw Failure(no_id(), fmt::format("{} is no open id", id));
    taken = std::move(found->second);
    type.entries.erase(found);
  }
  return taken.future == nullptr ? taken.handle : taken.future->peek();
}

std::vector<hid_t> IdTable::of_type(H5I_type_t number) const {
  std::vector<hid_t> found;
  if (!type_exists(number)) return found;
  const Type& type = types_[static_cast<std::size_t>(number)];
  const SharedLock lock(type.mutex);
  for (const auto& [id, entry] : type.entries)
    if (!entry.hidden) found.push_back(id);
  std::sort(found.begin(), found.end());
  return found;
}

std::size_t IdTable::count(H5I_type_t number) const {
  if (!type_exists(number)) return 0;
  const Type& type = types_[static_cast<std::size_t>(number)];
  const SharedLock lock(type.mutex);
  const auto counted = std::count_if(type.entries.begin(), type.entries.end(),
                                     [](const auto& item) { return !item.second.hidden; });
  return static_cast<std::size_t>(counted);
}

void IdTable::clear(H5I_type_t number, bool force) {
  for (const hid_t id : of_type(number)) {
    const IdState state = look(id);
    if (!state.is_open() || (state.handle != nullptr && state.handle->permanent())) continue;
    if (!force && state.references > 1) continue;
    try {
      state.handle != nullptr ? state.handle->close() : state.future->discard();
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
