// SPDX-License-Identifier: Apache-2.0
#include "format/selections/selection.hpp"

#include "format/codec/codec_instantiate.hpp"
#include "format/selections/selection_fields.hpp"

namespace filigree::format {

namespace {

constexpr std::uint8_t dataspace_message_type = 1;
constexpr std::uint8_t encoding_version = 0;

}  // namespace

template <class Io, Model<EncodedExtent> M>
void describe(Io& io, M& m) {
  std::uint64_t bytes = m.message.size();
  io.constant("message type", dataspace_message_type);
  io.constant("encoding version", encoding_version);
  selection_fields::describe_width(io, "length bytes", m.length_bytes);
  io.u32("extent bytes", bytes);
  io.blob("extent", m.message, bytes);
}

template <class Io, Model<EncodedSelection> M>
void describe(Io& io, M& m) {
  describe_selection(io, m);
}

FILIGREE_DESCRIBED(EncodedExtent);
FILIGREE_DESCRIBED(EncodedSelection);

}  // namespace filigree::format
