// SPDX-License-Identifier: Apache-2.0
#include "format/heaps/local_heap.hpp"

#include "format/codec/codec_instantiate.hpp"

namespace filigree::format {

template <class Io, Model<LocalHeapPrefix> M>
void describe(Io& io, M& m) {
  io.signature("HEAP");
  io.constant("version", 0);
  io.reserved(3);
  io.length("data bytes", m.data_bytes);
  io.length("free list head", m.free_head);
  io.address("data segment", m.data);
  io.require(is_valid(m.data), "data segment", "is undefined");
  io.reserved(pad8(io.position()) - io.position());
}

template <class Io, Model<LocalHeapFreeBlock> M>
void describe(Io& io, M& m) {
  io.length("next free block", m.next);
  io.length("bytes", m.bytes);
}

FILIGREE_DESCRIBED(LocalHeapPrefix);
FILIGREE_DESCRIBED(LocalHeapFreeBlock);

}  // namespace filigree::format
