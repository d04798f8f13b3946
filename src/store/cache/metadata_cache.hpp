// SPDX-License-Identifier: Apache-2.0
//
// The metadata cache: the decoded structures of one file, by address.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <filigree/error.hpp>

#include "base/address.hpp"
#include "base/address_map.hpp"
#include "base/function_ref.hpp"
#include "base/mutex.hpp"
#include "store/cache/entry.hpp"

namespace filigree::store {

/// One structure that could be decoded only after `failed` attempts.
struct LoadRetries {
  EntryKind kind;
  unsigned failed = 0;
};

/// What happened to an entry of the cache.
struct CacheEvent {
  enum class Action : std::uint8_t { load, create, change, write, evict, free, move };
  Action action;
  EntryKind kind;
  Address at = Address::undefined;
  std::size_t memory_bytes = 0;
};
/// Called under the lock of the cache, which it must not use.
using CacheLog = std::function<void(const CacheEvent&)>;

/// Whether an error may come from reading a structure while an SWMR writer was writing it.
inline bool may_be_torn_read(const Error& error) {
  return error.kind() == ErrorKind::corrupt || error.kind() == ErrorKind::truncated;
}
/// Sleeps before the next attempt: the longer, the more attempts have failed, and one millisecond at most.
void pause_before_retry(unsigned failed);

/// Holds decoded structures within a budget of bytes. Entries are shared: a pointer to an entry keeps it
/// alive and in the cache.
///
/// Clean entries are evicted whenever the budget is exceeded. Dirty entries are written and evicted only in
/// flush() and trim(). The layers above call these between operations, so that a half-done change never
/// reaches the file.
///
/// *Thread safety*: get() and find() may be called from any number of threads. insert(), edit() and all
/// functions below them require that the caller holds the exclusive lock of the file.
class MetadataCache {
 public:
  explicit MetadataCache(std::size_t budget_bytes) : budget_bytes_(budget_bytes) {}

  /// The entry at `at`. When it is not cached, `load()`, which returns a std::shared_ptr<T>, makes it. `load`
  /// runs without a lock; when two threads load the same entry, the first one to finish wins. *Throws*
  /// Error(corrupt) when the cache holds a structure of another kind at `at`.
  template <class T, class Load>
  std::shared_ptr<const T> get(Address at, Load&& load) {
    if (auto entry = find<T>(at)) return entry;
    return std::static_pointer_cast<const T>(
        add(at, load_with_retries(T::entry_kind, load), T::entry_kind, false));
  }

  /// The entry at `at`, or null when it is not cached.
  template <class T>
  std::shared_ptr<const T> find(Address at) {
    return std::static_pointer_cast<const T>(look_up(at, T::entry_kind));
  }

  /// Adds a structure that is new in the file; it starts dirty.
  template <class T>
  std::shared_ptr<const T> insert(Address at, std::shared_ptr<T> entry) {
    return std::static_pointer_cast<const T>(add(at, std::move(entry), T::entry_kind, true));
  }

  /// Marks an entry as dirty and returns it for changes. *Requires* that `entry` is a pointer from this
  /// cache.
  template <class T>
  T& edit(const std::shared_ptr<const T>& entry) {
    T& edited = const_cast<T&>(*entry);
    edited.before_edit();
    mark_dirty(edited);
    return edited;
  }

  /// Drops the entry at `at`, dirty or not: its space has been freed.
  void forget(Address at);
  /// Changes the address of an entry, which becomes dirty: the next flush writes it at `to`.
  void move(Address from, Address to);

  /// For SWMR readers: a structure that cannot be decoded is loaded again after a pause, up to `attempts`
  /// times in all.
  void set_attempts(unsigned attempts) { attempts_ = std::max(1u, attempts); }
  /// The structures that needed more than one attempt.
  std::vector<LoadRetries> retries() const;
  /// Drops all clean entries that nobody uses.
  void evict_unused();
  /// Tells `log` what happens from now on; an empty one ends this.
  void set_log(CacheLog log);
  /// Drops all clean entries: the file may hold newer versions of them.
  void drop_clean();

  /// The dirty entries in the order of their addresses; only those of `kind`, where given.
  std::vector<Entry*> dirty_entries(std::optional<EntryKind> kind = std::nullopt) const;

  /// Passes the encoded blocks of all dirty entries to `write`, in the order of the entries' addresses and in
  /// parts of bounded size. The entries of a part are clean when `write` returns, and stay dirty when it
  /// throws.
  void flush(FunctionRef<void(EncodedBlocks&)> write);
  /// As flush(), in the order that SWMR readers need: see store/flush.cpp.
  void flush_for_swmr(FunctionRef<void(EncodedBlocks&)> write);
  /// Brings the cache back within its budget. Calls `write_dirty`, which must flush, only when evicting clean
  /// entries is not enough.
  void trim(FunctionRef<void()> write_dirty);

  /// A number that changes whenever an entry is added, edited, moved or dropped because of a change of the
  /// file. What was derived from metadata is valid while it stays the same.
  std::uint64_t revision() const { return revision_.load(std::memory_order_relaxed); }

  bool has_dirty() const;
  std::size_t bytes() const;
  std::size_t entries() const;

 private:
  template <class Load>
  auto load_with_retries(EntryKind kind, Load& load) {
    for (unsigned failed = 0;; ++failed) {
      try {
        auto loaded = load();
        if (failed > 0) note_retries(kind, failed);
        return loaded;
      } catch (const Error& error) {
        if (failed + 1 >= attempts_ || !may_be_torn_read(error)) throw;
      }
      pause_before_retry(failed);
    }
  }
  void note_retries(EntryKind kind, unsigned failed);
  /// Which blocks of an entry are written: the first one leads to the others.
  enum class Blocks { all, first, others };
  /// Encodes entries and passes their blocks to `write`, in parts of bounded size. `Blocks::others` leaves
  /// them dirty.
  void write_entries(std::span<Entry* const> entries, Blocks blocks, FunctionRef<void(EncodedBlocks&)> write);

  std::shared_ptr<Entry> look_up(Address at, EntryKind expected);
  std::shared_ptr<Entry> add(Address at, std::shared_ptr<Entry> entry, EntryKind kind, bool dirty);
  /// Checks the kind of an entry and marks it as used.
  std::shared_ptr<Entry> use(Entry& entry, EntryKind expected) FILIGREE_REQUIRES(mutex_);
  void mark_dirty(Entry& entry);
  void mark_clean(std::span<Entry* const> entries);
  void evict_clean() FILIGREE_REQUIRES(mutex_);
  /// The memory of an entry has changed: corrects what it is charged.
  void recharge(Entry& entry) FILIGREE_REQUIRES(mutex_);
  void erase(Address at) FILIGREE_REQUIRES(mutex_);
  void note(CacheEvent::Action action, const Entry& entry) FILIGREE_REQUIRES(mutex_) {
    if (log_) log_({action, entry.kind_, entry.address_, entry.charged_bytes_});
  }

  const std::size_t budget_bytes_;
  /// Changed under the exclusive lock of the file, and read under the shared one.
  std::atomic<std::uint64_t> revision_ = 0;
  unsigned attempts_ = 1;
  mutable Mutex mutex_;
  std::vector<LoadRetries> retries_ FILIGREE_GUARDED_BY(mutex_);
  CacheLog log_ FILIGREE_GUARDED_BY(mutex_);
  AddressMap<Entry*> entries_ FILIGREE_GUARDED_BY(mutex_);
  // The clock algorithm: the hand passes all entries in turn and spares those that were used since its last
  // pass, so that a look-up only sets a flag. The clock, not the map, owns the entries: they are freed in the
  // order in which they were allocated, which is much faster than in the order of the hash.
  std::vector<std::shared_ptr<Entry>> clock_ FILIGREE_GUARDED_BY(mutex_);
  std::size_t hand_ FILIGREE_GUARDED_BY(mutex_) = 0;
  std::size_t bytes_ FILIGREE_GUARDED_BY(mutex_) = 0;
  std::size_t dirty_ FILIGREE_GUARDED_BY(mutex_) = 0;
};

}  // namespace filigree::store
