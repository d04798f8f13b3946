// SPDX-License-Identifier: Apache-2.0
#include "format/chunk_index/fixed_array.hpp"

#include "format/codec/codec_instantiate.hpp"

namespace filigree::format {

template <class Io, Model<FixedArrayHeader> M>
void describe(Io& io, M& m) {
  io.signature("FAHD");
  io.u8("version", m.version);
  io.u8("client", m.client);
  io.range("client", m.client, 0, 3);
  io.range("version", m.version, 0, m.client >= 2 ? 1 : 0);
  io.u8("element bytes", m.element_bytes);
  io.range("element bytes", m.element_bytes, 1, 255);
  io.u8("page bits", m.page_bits);
  io.range("page bits", m.page_bits, 1, 31);
  io.length("elements", m.elements);
  io.address("data block", m.data_block);
  io.checksum();
}

template <class Io, Model<FixedArrayBlock> M>
void describe(Io& io, M& m) {
  io.signature("FADB");
  io.u8("version", m.version);
  io.range("version", m.version, 0, m.client >= 2 ? 1 : 0);
  io.constant("client", m.client);
  io.address("header", m.header);
  io.blob("page bitmap", m.page_bitmap, m.bitmap_bytes);
  io.blob("elements", m.elements, m.element_total_bytes);
  io.checksum();
}

FILIGREE_DESCRIBED(FixedArrayHeader);
FILIGREE_DESCRIBED(FixedArrayBlock);

}  // namespace filigree::format
