// SPDX-License-Identifier: Apache-2.0
//
// Access of datatype conversions to variable-length values in the global heap of a file.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "model/heap/heap_budget.hpp"
#include "type/conversion.hpp"

namespace filigree::store {
class FileStore;
class GlobalHeap;
class GlobalHeapCollection;
}  // namespace filigree::store

namespace filigree::model {

class File;

/// The heap values of one transfer. Fetched contents stay valid as long as their owner, even if values are
/// stored or freed meanwhile.
/// Thread safety: one thread at a time may use it.
class HeapFileValues : public type::FileValues {
 public:
  /// `elements` is the number of elements to read; see HeapBudget.
  explicit HeapFileValues(File& file, std::uint64_t elements = 0);
  /// Frees heap space that was reserved for further values.
  ~HeapFileValues() override;
  HeapFileValues(const HeapFileValues&) = delete;
  HeapFileValues& operator=(const HeapFileValues&) = delete;

  std::uint8_t offset_bytes() const override { return offset_bytes_; }
  /// Returns the content of a heap object.
  /// Throws: Error(corrupt) for invalid objects, overlapping collections, or an exceeded budget;
  /// Error(truncated) if the file ends within the collection.
  Content fetch(const type::HeapObject& object) override;
  /// Stores a heap object, which may be empty.
  /// Requires: the exclusive file lock, within a Change.
  type::HeapObject store(Bytes content) override;

 private:
  using Collection = std::shared_ptr<const store::GlobalHeapCollection>;
  struct Recent {
    Address at = Address::undefined;
    Collection collection;
  };
  const store::GlobalHeapCollection& collection(Address at);
  void require_apart(Address at, std::uint64_t bytes);

  const store::FileStore& store_;
  store::GlobalHeap& heap_;
  const std::uint8_t offset_bytes_;
  const std::uint64_t elements_;
  std::optional<HeapBudget> budget_;  ///< created when first needed, because it queries the file size
  bool stored_ = false;
  std::array<Recent, 16> recent_;
  std::uint64_t generation_;                        ///< of the heap when recent_ was filled
  std::map<std::uint64_t, std::uint64_t> extents_;  ///< of loaded collections: start and end
};

}  // namespace filigree::model
