// SPDX-License-Identifier: Apache-2.0
#include "format/messages/attribute_info.hpp"

#include "format/codec/codec_instantiate.hpp"

namespace filigree::format {

template <class Io, Model<AttributeInfo> M>
void describe(Io& io, M& m) {
  io.constant("version", 0);
  std::uint8_t flags = (m.tracks_order ? 1 : 0) | (m.indexes_order ? 2 : 0);
  io.u8("flags", flags);
  io.require((flags & ~3u) == 0, "flags", "has unknown bits");
  if constexpr (Io::decodes) {
    m.tracks_order = flags & 1;
    m.indexes_order = flags & 2;
  }
  if (m.tracks_order) io.u16("next creation order", m.next_order);
  io.address("fractal heap", m.heap);
  io.address("name B-tree", m.name_tree);
  if (m.indexes_order) io.address("creation order B-tree", m.order_tree);
}

FILIGREE_DESCRIBED(AttributeInfo);

}  // namespace filigree::format
