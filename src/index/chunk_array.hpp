// SPDX-License-Identifier: Apache-2.0
//
// Arrays of fixed-size elements in a file. Elements are only bytes to an array: the index that uses it
// encodes them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "base/address.hpp"
#include "base/bytes.hpp"

namespace filigree::index {

/// The elements of an array.
struct ArrayElement {
  std::uint8_t client = 0;  ///< the client ID in the headers of arrays
  Buffer missing;           ///< the fill value: an element that was never set

  std::size_t bytes() const { return missing.size(); }
};

/// Elements that are contiguous in the file.
struct ArrayRun {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  Bytes elements;                     ///< empty when none of them was ever set
  std::shared_ptr<const void> owner;  ///< keeps the bytes alive

  std::uint64_t end() const { return first + count; }
  bool holds(std::uint64_t index) const { return index - first < count; }
};

/// *Thread safety*: const functions may run on any number of threads; others require the exclusive lock of
/// the file.
class ChunkArray {
 public:
  virtual ~ChunkArray() = default;

  virtual Address address() const = 0;
  /// One past the last element that may have been set.
  virtual std::uint64_t end() const = 0;
  /// The run that contains element `index`. It may be long where the array has no block.
  virtual ArrayRun run(std::uint64_t index) const = 0;
  /// Buffer of elements to change, from `index` on: as many of `count` as are contiguous, at least one.
  /// Creates the blocks that they need. *Throws* Error(limit) beyond the capacity of the array.
  virtual MutableBytes edit(std::uint64_t index, std::uint64_t count) = 0;
  /// Sets one element.
  void write(std::uint64_t index, Bytes element) {
    std::copy(element.begin(), element.end(), edit(index, 1).begin());
  }
  /// Frees all blocks and the header.
  virtual void destroy() = 0;
  /// The bytes of the array in the file, unused elements included.
  virtual std::uint64_t file_bytes() const = 0;
};

}  // namespace filigree::index
