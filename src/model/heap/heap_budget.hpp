// SPDX-License-Identifier: Apache-2.0
//
// A bound on what one call takes out of heaps.
#pragma once

#include <cstdint>

namespace filigree::store {
class FileStore;
}

namespace filigree::model {

/// Heap objects, and bytes of them, that one call may bring into memory. Many references can name one object,
/// and a small file so promise terabytes. Writers do not repeat more than a little, except that all elements
/// that were never written share the fill value: hence a modest share for each of `elements`, those that the
/// caller asked for.
class HeapBudget {
 public:
  explicit HeapBudget(const store::FileStore& store, std::uint64_t elements = 0);
  /// Accounts for one object. Throws Error(corrupt) when the file cannot warrant as much.
  void spend(std::uint64_t bytes) {
    if (bytes > bytes_ || objects_ == 0) refuse();
    bytes_ -= bytes;
    --objects_;
  }

 private:
  [[noreturn]] static void refuse();
  std::uint64_t bytes_;
  std::uint64_t objects_;
};

}  // namespace filigree::model
