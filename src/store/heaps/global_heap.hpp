// SPDX-License-Identifier: Apache-2.0
//
// The global heap: variable-length elements, region references and other loose objects of a file.
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

/// The global heap of one open file. Remembers which collections have room, so there is one object per
/// file. Functions that are const are thread-safe; the others need the caller to be alone with the file.
class GlobalHeap {
 public:
  explicit GlobalHeap(FileStore& store);

  /// For callers that read many objects of one collection: hold it, then use content(). `loaded` tells
  /// whether it had to be read. Throws Error(corrupt or truncated).
  std::shared_ptr<const GlobalHeapCollection> collection(Address at, bool* loaded = nullptr) const;
  /// Throws Error(corrupt) when the collection or the object does not exist.
  Buffer get(Address collection, std::uint32_t index) const;
  Buffer get(const GlobalHeapId& id) const { return get(id.collection, id.index); }
  /// Changes whenever a collection goes: pointers from collection() may be out of date then.
  std::uint64_t generation() const { return generation_; }

  /// Stores `object`, which may be empty, in a collection with room, an extended one, or a new one, which is
  /// the larger the more has been inserted. Throws Error(limit) when the file's widths do not allow for it.
  GlobalHeapId insert(Bytes object);
  /// To be called after many insertions: returns unused room that stands at the end of the file.
  void release_unused();

  /// The last object takes its collection along. Throws Error(corrupt) when there is no such object.
  void remove(const GlobalHeapId& id) { remove(std::span(&id, 1)); }
  /// An object that is named twice goes once. Throws Error(corrupt), changing nothing, when one is missing.
  void remove(std::span<const GlobalHeapId> ids);

 private:
  using Collection = std::shared_ptr<const GlobalHeapCollection>;
  struct Candidate {
    Address at;
    std::uint64_t room_bytes;
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
  Collection open_;                 ///< where objects go as long as they fit
  std::vector<Candidate> candidates_;
  std::uint64_t inserted_bytes_ = 0;
  /// Addresses of collections that went. The file may still hold their bytes, and a second reference to one
  /// of their objects must not bring them back.
  std::unordered_set<std::uint64_t> gone_;
  std::uint64_t generation_ = 0;
};

}  // namespace filigree::store
