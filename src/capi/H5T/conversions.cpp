// SPDX-License-Identifier: Apache-2.0
#include "capi/H5T/conversions.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "capi/H5R/references.hpp"
#include "capi/core/library.hpp"
#include "capi/core/scoped_id.hpp"

namespace filigree::capi {

using type::Conversion;
using type::Tile;

namespace {

thread_local hid_t plist_in_use = H5P_DEFAULT;

/// A conversion of an element, or of a part of it, by a user-defined function.
class UserConversion final : public Conversion {
 public:
  UserConversion(std::shared_ptr<const UserPath> path, std::uint32_t from, std::uint32_t to)
      : Conversion({.uses_files = true, .from_bytes = from, .to_bytes = to}), path_(std::move(path)) {}
  const std::shared_ptr<const UserPath>& path() const { return path_; }

 private:
  void do_apply(const Tile& tile, const type::Context&) const override {
    const std::size_t from = traits().from_bytes, to = traits().to_bytes;
    std::vector<std::byte> buffer(tile.count * std::max(from, to)), background(tile.count * to);
    for (std::size_t i = 0; i < tile.count; ++i) {
      std::memcpy(buffer.data() + i * from, tile.from + i * tile.from_stride, from);
      std::memcpy(background.data() + i * to, tile.to + i * tile.to_stride, to);
    }
    path_->convert(tile.count, buffer.data(), background.data(),
                   plist_in_use == H5P_DEFAULT ? H5P_LST_DATASET_XFER_ID_g : plist_in_use);
    for (std::size_t i = 0; i < tile.count; ++i)
      std::memcpy(tile.to + i * tile.to_stride, buffer.data() + i * to, to);
  }

  std::shared_ptr<const UserPath> path_;
};

}  // namespace

UserPath::UserPath(H5T_conv_t called, const DatatypeMessage& from, const DatatypeMessage& to)
    : function(called), from_(from), to_(to), from_id_(add_type(from)), to_id_(add_type(to)) {}

std::shared_ptr<UserPath> UserPath::make(H5T_conv_t function, const DatatypeMessage& from,
                                         const DatatypeMessage& to) {
  std::shared_ptr<UserPath> path(new UserPath(function, from, to));
  path->data.command = H5T_CONV_INIT;
  const herr_t result = function(path->from_id_, path->to_id_, &path->data, 0, 0, 0, nullptr, nullptr,
                                 H5P_LST_DATASET_XFER_ID_g);
  if (result >= 0) return path;
  path->data.command = H5T_CONV_FREE;  // there is no private data to free
  return nullptr;
}

UserPath::~UserPath() {
  try {
    if (data.command != H5T_CONV_FREE) {
      data.command = H5T_CONV_FREE;
      function(from_id_, to_id_, &data, 0, 0, 0, nullptr, nullptr, H5P_LST_DATASET_XFER_ID_g);
    }
    ids().release(from_id_);
    ids().release(to_id_);
  } catch (...) {  // The library is being closed.
  }
}

bool UserPath::is_for(const DatatypeMessage& from, const DatatypeMessage& to) const {
  return format::same_type(from, from_) && format::same_type(to, to_);
}

void UserPath::convert(std::size_t count, void* buffer, void* background, hid_t plist) const {
  H5T_cdata_t call = data;
  call.command = H5T_CONV_CONV;
  if (function(from_id_, to_id_, &call, count, 0, 0, buffer, background, plist) < 0)
    throw CallbackFailure({&H5E_DATATYPE_g, &H5E_CANTINIT_g}, "the program's conversion failed");
}

void UserConversions::add(Entry entry) {
  if (entry.hard) {
    entry.path = UserPath::make(entry.function, entry.from, entry.to);
    if (entry.path == nullptr)
      throw CallbackFailure({&H5E_DATATYPE_g, &H5E_CANTINIT_g},
                            "the program's conversion refuses these types");
  }
  std::vector<std::shared_ptr<UserPath>> dropped;  // destroyed after the lock is released
  const MutexLock lock(mutex_);
  if (entry.hard) {
    for (Entry& old : entries_) {
      if (!old.hard || !old.path->is_for(entry.from, entry.to)) continue;
      dropped.push_back(old.path);
      old = std::move(entry);
      return;
    }
  }
  entries_.push_back(std::move(entry));
  count_.store(entries_.size(), std::memory_order_release);
}

void UserConversions::remove(H5T_pers_t hardness, const char* name, const DatatypeMessage* from,
                             const DatatypeMessage* to, H5T_conv_t function) {
  std::vector<Entry> dropped;
  std::vector<SoftPath> dropped_paths;
  const auto named = [&](const std::string& has) { return name == nullptr || *name == '\0' || has == name; };
  const auto matches = [&](const Entry& entry) {
    if (hardness == H5T_PERS_HARD && !entry.hard) return false;
    if (hardness == H5T_PERS_SOFT && entry.hard) return false;
    const auto same = [&](const DatatypeMessage* wanted, const DatatypeMessage& has) {
      if (wanted == nullptr) return true;
      return entry.hard ? format::same_type(*wanted, has) : class_of(*wanted) == class_of(has);
    };
    return named(entry.name) && same(from, entry.from) && same(to, entry.to) &&
           (function == nullptr || entry.function == function);
  };
  const MutexLock lock(mutex_);
  for (const Entry& entry : entries_) {
    if (!matches(entry)) continue;
    dropped.push_back(entry);
    if (entry.hard) continue;
    std::erase_if(soft_paths_, [&](const SoftPath& path) {
      if (path.function != entry.function || path.name != entry.name) return false;
      dropped_paths.push_back(path);
      return true;
    });
  }
  std::erase_if(entries_, matches);
  count_.store(entries_.size(), std::memory_order_release);
}

void UserConversions::clear() { remove(H5T_PERS_DONTCARE, nullptr, nullptr, nullptr, nullptr); }

std::shared_ptr<UserPath> UserConversions::find_soft(const DatatypeMessage& from,
                                                     const DatatypeMessage& to) const {
  std::vector<Entry> candidates;
  {
    const MutexLock lock(mutex_);
    for (const SoftPath& known : soft_paths_)
      if (known.path->is_for(from, to)) return known.path;
    for (const Entry& entry : entries_) {
      if (!entry.hard && class_of(entry.from) == class_of(from) && class_of(entry.to) == class_of(to))
        candidates.push_back(entry);
    }
  }
  for (auto entry = candidates.rbegin(); entry != candidates.rend(); ++entry) {
    std::shared_ptr<UserPath> path = UserPath::make(entry->function, from, to);
    if (path == nullptr) continue;
    const MutexLock lock(mutex_);
    soft_paths_.push_back({entry->function, entry->name, path});
    return path;
  }
  return nullptr;
}

std::shared_ptr<UserPath> UserConversions::find_path(const DatatypeMessage& from,
                                                     const DatatypeMessage& to) const {
  {
    const MutexLock lock(mutex_);
    if (entries_.empty()) return nullptr;
    for (const Entry& entry : entries_)
      if (entry.hard && entry.path->is_for(from, to)) return entry.path;
  }
  return find_soft(from, to);
}

bool UserConversions::has_hard(const DatatypeMessage& from, const DatatypeMessage& to) const {
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(entries_,
                             [&](const Entry& entry) { return entry.hard && entry.path->is_for(from, to); });
}

type::ConversionPointer UserConversions::find(const DatatypeMessage& from, const DatatypeMessage& to) const {
  std::shared_ptr<UserPath> path = find_path(from, to);
  if (path == nullptr) return nullptr;
  return std::make_shared<UserConversion>(std::move(path), from.size, to.size);
}

std::shared_ptr<const UserPath> path_of(const Conversion& conversion) {
  const auto* const of_program = dynamic_cast<const UserConversion*>(&conversion);
  return of_program == nullptr ? nullptr : of_program->path();
}

TransferPlistScope::TransferPlistScope(hid_t plist) : before_(std::exchange(plist_in_use, plist)) {}

TransferPlistScope::~TransferPlistScope() { plist_in_use = before_; }

UserConversions& user_conversions() {
  static auto* const table = new UserConversions;
  return *table;
}

type::FaultHandler fault_handler(const TransferSettings& settings) {
  if (settings.conversion_callback == nullptr) return {};
  return [call = settings.conversion_callback,
          data = settings.conversion_data](const type::FaultyValue& faulty) {
    const ScopedId from(add_type(faulty.from)), to(add_type(faulty.to));
    const H5T_conv_ret_t result = call(static_cast<H5T_conv_except_t>(faulty.fault), from.get(), to.get(),
                                       const_cast<std::byte*>(faulty.value), faulty.result, data);
    switch (result) {
      case H5T_CONV_HANDLED:
        return FaultHandling::handled;
      case H5T_CONV_UNHANDLED:
        return FaultHandling::unhandled;
      default:
        return FaultHandling::abort;
    }
  };
}

void reclaim_values(const DatatypeMessage& type, const SpaceValue& space, const TransferSettings& settings,
                    void* buffer) {
  using namespace filigree::type;
  const CMemory memory{settings.allocate, settings.release, settings.allocate_info, settings.release_info};
  auto* const elements = static_cast<std::byte*>(buffer);
  for (const Selection::Run& run : public_selection(space, "the").within(space.extent.dims()).runs()) {
    std::byte* const first = elements + run.start * type.size;
    reclaim_references(type, first, run.length);
    reclaim(type, first, run.length, &memory);
  }
}

}  // namespace filigree::capi
