// SPDX-License-Identifier: Apache-2.0
//
// Objects that are too long for a fractal heap's blocks: each has its own space in the file.
#include <fmt/format.h>

#include <filigree/error.hpp>

#include "store/file_store.hpp"
#include "store/fractal_heap_parts.hpp"

namespace filigree::store {

FractalHeap::Huge FractalHeap::find_huge(const format::HeapId& id) const {
  if (heap_->ids.huge_direct) return {id.address, id.length, id.filter_mask, id.object_bytes};
  throw Error(ErrorKind::unsupported, "huge objects");
}
Buffer FractalHeap::insert_huge(Bytes) { throw Error(ErrorKind::unsupported, "huge objects"); }
void FractalHeap::remove_huge(const format::HeapId&) { throw Error(ErrorKind::unsupported, "huge objects"); }
void FractalHeap::destroy_huge() {}

}  // namespace filigree::store
