// SPDX-License-Identifier: Apache-2.0
//
// The description of a shared message heap identifier, for the structures that hold one.
#pragma once

#include "base/bytes.hpp"
#include "format/object_header/shared_reference.hpp"

namespace filigree::format {

template <class Io, class Id>
void describe_heap_id(Io& io, Id& id) {
  std::uint64_t word = load_word(id.data(), 8);
  io.u64("heap id", word);
  if constexpr (Io::decodes) store_word(id.data(), word, 8);
}

}  // namespace filigree::format
