// SPDX-License-Identifier: Apache-2.0
#include "format/messages/attribute_info.hpp"

#include "format/codec/codec_instantiate.hpp"
#include "format/messages/order_flags.hpp"

namespace filigree::format {

template <class Io, Model<AttributeInfo> M>
void describe(Io& io, M& m) {
  describe_order_flags(io, m);
  if (m.tracks_order) io.u16("next creation order", m.next_order);
  io.address("fractal heap", m.heap);
  io.address("name B-tree", m.name_tree);
  if (m.indexes_order) io.address("creation order B-tree", m.order_tree);
}

FILIGREE_DESCRIBED(AttributeInfo);

}  // namespace filigree::format
