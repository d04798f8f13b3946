// SPDX-License-Identifier: Apache-2.0
#include "format/object_header/shared_reference.hpp"

#include "format/codec/codec_instantiate.hpp"
#include "format/object_header/shared_heap_id.hpp"

namespace filigree::format {

template <class Io, Model<SharedReference> M>
void describe(Io& io, M& m) {
  io.u8("version", m.version);
  io.range("version", m.version, 1, 3);
  std::uint8_t kind = m.version == 1 ? 0 : static_cast<std::uint8_t>(m.kind);
  io.u8("kind", kind);
  if constexpr (Io::decodes) {
    // Before version 3 the byte is 0 or 2, depending on the release, and has no meaning.
    m.kind = m.version < 3 ? SharedKind::header : static_cast<SharedKind>(kind);
  }
  io.range("kind", m.kind, m.version < 3 ? 2 : 1, 2);
  if (m.version == 1) {
    io.reserved(6);
    io.length("name offset", m.name_offset);
    io.address("object header", m.header);
    io.reserved(24);
  } else if (m.kind == SharedKind::header) {
    io.address("object header", m.header);
  } else {
    describe_heap_id(io, m.heap_id);
  }
}

FILIGREE_DESCRIBED(SharedReference);

}  // namespace filigree::format
