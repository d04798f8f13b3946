// SPDX-License-Identifier: Apache-2.0
//
// The decoded structures of one file, by address.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include <filigree/error.hpp>

#include "base/address.hpp"
#include "base/address_map.hpp"
#include "base/function_ref.hpp"
#include "store/cache/entry.hpp"

namespace filigree::store {

/// Structures of a kind that were understood only after so many attempts in vain.
struct LoadRetries {
  EntryKind kind;
  unsigned failed = 0;
};

/// Whether what is wrong with a structure may be that it was read while it was written.
inline bool may_be_torn_read(const Error& error) {
  return error.kind() == ErrorKind::corrupt || error.kind() == ErrorKind::truncated;
}
/// The longer, the more attempts have failed; a millisecond at most.
void pause_before_retry(unsigned failed);

/// Holds decoded structures within a byte budget. Entries are shared: whoever holds a pointer keeps
/// the entry alive and in the cache. Looking up is safe on any number of threads; editing needs the
/// caller to be alone with the file.
///
/// Clean entries leave whenever the budget asks for it. Dirty ones leave only in flush() and trim(),
/// which the layers above call between operations, so that a half-done change is never written.
class MetadataCache {
 public:
  explicit MetadataCache(std::size_t budget_bytes) : budget_bytes_(budget_bytes) {}

  /// The entry at `at`, made by `load()` (returning std::shared_ptr<T>) when it is not here. `load` runs
  /// without a lock; when two threads load the same entry, the first one in wins.
  template <class T, class Load>
  std::shared_ptr<const T> get(Address at, Load&& load) {
    if (auto entry = find<T>(at)) return entry;
    return std::static_pointer_cast<const T>(
        add(at, load_patiently(T::entry_kind, load), T::entry_kind, false));
  }

  /// The entry at `at`, or null when it is not in memory.
  template <class T>
  std::shared_ptr<const T> find(Address at) {
    return std::static_pointer_cast<const T>(look_up(at, T::entry_kind));
  }

  /// Takes a structure that is new in the file; it starts dirty.
  template <class T>
  std::shared_ptr<const T> insert(Address at, std::shared_ptr<T> entry) {
    return std::static_pointer_cast<const T>(add(at, std::move(entry), T::entry_kind, true));
  }

  /// Allows changing an entry, which becomes dirty. The entry must be held by a pointer from this cache.
  template <class T>
  T& edit(const std::shared_ptr<const T>& entry) {
    mark_dirty(const_cast<T&>(*entry));
    return const_cast<T&>(*entry);
  }

  /// Drops the entry at `at`, dirty or not: its space has been freed.
  void forget(Address at);
  /// The structure has moved to `to`; its next flush writes it there.
  void move(Address from, Address to);

  /// Another process may be writing what is loaded: what cannot be understood is loaded again, up to so many
  /// times in all, after a pause.
  void set_attempts(unsigned attempts) { attempts_ = std::max(1u, attempts); }
  /// How often structures of a kind were loaded in vain.
  std::vector<LoadRetries> retries() const;
  /// Drops all entries that are not dirty: the file may hold newer ones.
  void drop_clean();

  /// In address order; those of `kind` only, where given.
  std::vector<Entry*> dirty_entries(std::optional<EntryKind> kind = std::nullopt) const;

  /// Hands the encoded blocks of all dirty entries, in the order of the entries' addresses and in parts of
  /// bounded size, to `write`. The entries of a part are clean when it returns, and stay dirty when it
  /// throws.
  void flush(FunctionRef<void(EncodedBlocks&)> write);
  /// The same in an order that lets others read the file meanwhile: a structure is handed over when all that
  /// it may point to has been.
  void flush_for_swmr(FunctionRef<void(EncodedBlocks&)> write);
  /// Brings the cache back to its budget. Calls `write_dirty`, which must flush, only when that is needed.
  void trim(FunctionRef<void()> write_dirty);

  bool has_dirty() const;
  std::size_t bytes() const;
  std::size_t entries() const;

 private:
  template <class Load>
  auto load_patiently(EntryKind kind, Load& load) {
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
  /// Which blocks of entries: the first one leads to the others.
  enum class Blocks { all, first, others };
  /// Hands over the encoded blocks of entries, in parts of bounded size. `Blocks::others` leaves them dirty.
  void hand_over(std::span<Entry* const> entries, Blocks blocks, FunctionRef<void(EncodedBlocks&)> write);

  std::shared_ptr<Entry> look_up(Address at, EntryKind expected);
  std::shared_ptr<Entry> add(Address at, std::shared_ptr<Entry> entry, EntryKind kind, bool dirty);
  /// With mutex_ held.
  std::shared_ptr<Entry> use(Entry& entry, EntryKind expected);
  void mark_dirty(Entry& entry);
  void mark_clean(std::span<Entry* const> entries);
  void evict_clean();           // with mutex_ held
  void recharge(Entry& entry);  // with mutex_ held
  void erase(Address at);       // with mutex_ held

  const std::size_t budget_bytes_;
  unsigned attempts_ = 1;
  std::vector<LoadRetries> retries_;
  mutable std::mutex mutex_;
  AddressMap<Entry*> entries_;
  // A clock: the hand passes by all entries in turn; one that was used since then gets another round. A
  // look-up so costs no more than setting a flag. The round, not the map, owns the entries, so that they go
  // in the order in which they came, which is much faster for the allocator than that of the hash.
  std::vector<std::shared_ptr<Entry>> round_;
  std::size_t hand_ = 0;
  std::size_t bytes_ = 0;
  std::size_t dirty_ = 0;
};

}  // namespace filigree::store
