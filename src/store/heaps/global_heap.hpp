// SPDX-License-Identifier: Apache-2.0
//
// The global heap: variable-length elements, region references and the mappings of virtual datasets.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_set>
#include <vector>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "store/heaps/global_heap_collection.hpp"

namespace filigree::store {

class FileStore;

struct GlobalHeapId {
  Address collection = Address::undefined;
  std::uint32_t index = 0;
  friend auto operator<=>(const GlobalHeapId&, const GlobalHeapId&) = default;
};

/// The global heap of one open file. It remembers which collections have free space, so there is one object
/// per file.
///
/// *Thread safety*: const functions may run on any number of threads; others require the exclusive lock of
/// the file.
class GlobalHeap {
 public:
  explicit GlobalHeap(FileStore& store);

  /// The collection at `at`, for callers that read many of its objects by content(). Sets `loaded` to whether
  /// it had to be read from the file. *Throws* Error(corrupt or truncated).
  std::shared_ptr<const GlobalHeapCollection> collection(Address at, bool* loaded = nullptr) const;
  /// A copy of one object. *Throws* Error(corrupt) when the collection or the object does not exist.
  Buffer get(Address collection, std::uint32_t index) const;
  Buffer get(const GlobalHeapId& id) const { return get(id.collection, id.index); }
  /// Changes whenever a collection is removed: pointers from collection() may be out of date then.
  std::uint64_t generation() const { return generation_; }

  /// Stores `object`, which may be empty: in a collection with free space, in an extended one, or in a new
  /// one. New collections are the larger, the more was inserted. *Throws* Error(limit) when the widths of the
  /// file are too small.
  GlobalHeapId insert(Bytes object);
  /// Frees unused space of a collection at the end of the file. Called after many insertions.
  void release_unused();

  /// Removes an object, and its collection with the last object. *Throws* Error(corrupt) when there is no
  /// such object.
  void remove(const GlobalHeapId& id) { remove(std::span(&id, 1)); }
  /// Removes several objects; one that is listed twice is removed once. *Throws* Error(corrupt), changing
  /// nothing, when one is missing.
  void remove(std::span<const GlobalHeapId> ids);

 private:
  using Collection = std::shared_ptr<const GlobalHeapCollection>;
  struct Candidate {
    Address at;
    std::uint64_t free_bytes;
  };

  GlobalHeapId add_to_open(std::uint64_t needed_bytes, Bytes object);
  bool open_candidate(std::uint64_t needed_bytes);
  bool extend_open(std::uint64_t needed_bytes);
  void open_new(std::uint64_t needed_bytes);
  void set_open(Collection next);
  void remember(const GlobalHeapCollection& collection);
  void forget_candidate(Address at);
  void drop(const Collection& empty);

  FileStore& store_;
  const std::uint64_t most_bytes_;  ///< of a collection of many objects
  Collection open_;                 ///< new objects are stored here as long as they fit
  std::vector<Candidate> candidates_;
  std::uint64_t inserted_bytes_ = 0;
  /// Addresses of removed collections. The file may still hold their bytes, but a second reference to one of
  /// their objects must not load them again.
  std::unordered_set<std::uint64_t> removed_;
  std::uint64_t generation_ = 0;
};

}  // namespace filigree::store
