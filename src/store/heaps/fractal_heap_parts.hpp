// SPDX-License-Identifier: Apache-2.0
//
// Declarations that the sources of FractalHeap share. No other source includes this.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "store/heaps/fractal_heap.hpp"
#include "store/heaps/heap_blocks.hpp"

namespace filigree::store {

/// All blocks of a heap, in heap order.
struct FractalHeap::Blocks {
  struct Indirect {
    Address address = Address::undefined;
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;  ///< in the file
  };
  std::vector<Indirect> indirect;
  std::vector<HeapBlockLocation> direct;
};

/// The cell of a direct block in an indirect block.
struct FractalHeap::CellLocation {
  std::shared_ptr<const HeapIndirectEntry> parent;
  unsigned cell = 0;
};

/// A huge object, as its ID or the B-tree of huge objects records it.
struct FractalHeap::Huge {
  Address at = Address::undefined;
  std::uint64_t stored_bytes = 0;
  std::uint32_t filter_mask = 0;
  std::uint64_t bytes = 0;
};

/// *Throws* Error(corrupt), naming the heap.
[[noreturn]] void throw_corrupt(Address heap, std::string_view what);

}  // namespace filigree::store
