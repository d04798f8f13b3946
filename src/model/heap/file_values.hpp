// SPDX-License-Identifier: Apache-2.0
//
// The global heap of a file, as conversions of variable-length values see it.
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

/// Made for one transfer, on one thread. Contents that were fetched stay as they are while their owner lives,
/// also when values are stored or released meanwhile.
class HeapFileValues : public type::FileValues {
 public:
  /// `elements`: how many the caller asked to read; see HeapBudget.
  explicit HeapFileValues(File& file, std::uint64_t elements = 0);
  /// Returns what was set aside for more values.
  ~HeapFileValues() override;
  HeapFileValues(const HeapFileValues&) = delete;
  HeapFileValues& operator=(const HeapFileValues&) = delete;

  std::uint8_t offset_bytes() const override { return offset_bytes_; }
  /// Throws Error(corrupt) also when collections overlap or the budget is spent, Error(truncated) when the
  /// file ends within the collection.
  Content fetch(const type::HeapObject& object) override;
  /// The file must be in a change. The content may be empty.
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
  std::optional<HeapBudget> budget_;  ///< made when first needed, since it asks for the file's size
  bool stored_ = false;
  std::array<Recent, 16> recent_;
  std::uint64_t generation_;                        ///< of the heap, when recent_ was true
  std::map<std::uint64_t, std::uint64_t> extents_;  ///< of collections that were loaded: start, end
};

}  // namespace filigree::model
