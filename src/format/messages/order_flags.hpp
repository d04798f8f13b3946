// SPDX-License-Identifier: Apache-2.0
//
// The flags of link info and attribute info messages: whether creation order is tracked and indexed.
#pragma once

#include <cstdint>

namespace filigree::format {

/// Describes version and flags, which both messages begin with.
template <class Io, class M>
void describe_order_flags(Io& io, M& m) {
  io.constant("version", 0);
  std::uint8_t flags = (m.tracks_order ? 1 : 0) | (m.indexes_order ? 2 : 0);
  io.u8("flags", flags);
  io.require((flags & ~3u) == 0, "flags", "has unknown bits");
  if constexpr (Io::decodes) {
    m.tracks_order = flags & 1;
    m.indexes_order = flags & 2;
  }
}

}  // namespace filigree::format
