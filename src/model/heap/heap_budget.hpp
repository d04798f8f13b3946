// SPDX-License-Identifier: Apache-2.0
//
// A limit on the heap data that one call reads.
#pragma once

#include <cstdint>

namespace filigree::store {
class FileStore;
}

namespace filigree::model {

/// The number and size of heap objects that one call may read into memory.
///
/// Many references can point to one object, so that a small file can declare terabytes. Writers hardly repeat
/// references, except that all unwritten elements share the fill value. Hence the budget grows moderately
/// with `elements`, the number of elements to read. The size of the file, which takes a system call, is asked
/// for when small reads are exceeded.
class HeapBudget {
 public:
  /// Requires: the store outlives the budget.
  explicit HeapBudget(const store::FileStore& store, std::uint64_t elements = 0);
  /// Accounts for one object.
  /// Throws: Error(corrupt) if the budget is exceeded.
  void spend(std::uint64_t bytes) {
    if (bytes > bytes_ || objects_ == 0) extend(bytes);
    bytes_ -= bytes;
    --objects_;
  }

 private:
  /// Adds what the size of the file allows, once. Throws: Error(corrupt) if that is not enough, either.
  void extend(std::uint64_t bytes);
  const store::FileStore* store_;  ///< null: its size has been added
  std::uint64_t bytes_;
  std::uint64_t objects_;
};

}  // namespace filigree::model
