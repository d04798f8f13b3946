// SPDX-License-Identifier: Apache-2.0
//
// Arrays of fixed-size elements in a file. They know elements only as bytes: what an element says of a
// chunk is up to the index that uses the array.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "base/address.hpp"
#include "base/bytes.hpp"

namespace filigree::index {

/// What an array holds.
struct ElementForm {
  std::uint8_t client = 0;  ///< as the headers of arrays state it
  Buffer missing;           ///< an element that was never set; its size is that of all

  std::size_t bytes() const { return missing.size(); }
};

/// Elements that stand together in the file.
struct ArrayRun {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  Bytes elements;                     ///< empty: none of them was ever set
  std::shared_ptr<const void> owner;  ///< keeps the bytes alive

  std::uint64_t end() const { return first + count; }
  bool holds(std::uint64_t index) const { return index - first < count; }
};

/// Reading is safe on any number of threads.
class ChunkArray {
 public:
  virtual ~ChunkArray() = default;

  virtual Address address() const = 0;
  /// No element from here on was ever set.
  virtual std::uint64_t end() const = 0;
  /// The run that holds element `index`. Where no block has been made it may be long.
  virtual ArrayRun run(std::uint64_t index) const = 0;
  /// Memory to set elements in, from `index` on: as many of `count` as stand together, but one at least.
  /// Makes the blocks that they need. Throws Error(limit) beyond what the array can hold.
  virtual MutableBytes edit(std::uint64_t index, std::uint64_t count) = 0;
  void write(std::uint64_t index, Bytes element) {
    std::copy(element.begin(), element.end(), edit(index, 1).begin());
  }
  /// Frees all blocks and the header.
  virtual void destroy() = 0;
  /// What it takes in the file, unused space included.
  virtual std::uint64_t file_bytes() const = 0;
};

}  // namespace filigree::index
