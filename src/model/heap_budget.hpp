// SPDX-License-Identifier: Apache-2.0
//
// A bound on what one call takes out of heaps.
#pragma once

#include <cstdint>

namespace filigree::store {
class FileStore;
}

namespace filigree::model {

/// Bytes of heap objects that one call may bring into memory. Many references can name one object, and a
/// small file so promise terabytes. Writers do not repeat more than a little.
class HeapBudget {
 public:
  explicit HeapBudget(const store::FileStore& store);
  /// Throws Error(corrupt) when the file cannot warrant as much.
  void spend(std::uint64_t bytes) {
    if (bytes > left_) refuse();
    left_ -= bytes;
  }

 private:
  static constexpr std::uint64_t spare_bytes = 16u << 20;
  [[noreturn]] static void refuse();
  std::uint64_t left_;
};

}  // namespace filigree::model
