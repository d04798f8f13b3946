// SPDX-License-Identifier: Apache-2.0
#include "format/chunk_index/array_page.hpp"

#include "format/codec/codec_instantiate.hpp"

namespace filigree::format {

template <class Io, Model<ArrayPage> M>
void describe(Io& io, M& m) {
  io.blob("elements", m.elements, m.element_total_bytes);
  io.checksum();
}

FILIGREE_DESCRIBED(ArrayPage);

}  // namespace filigree::format
