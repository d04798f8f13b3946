// SPDX-License-Identifier: Apache-2.0
//
// Collections of the global heap, which holds variable-length elements and other loose objects.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "format/codec/fields.hpp"

namespace filigree::format {

/// What a collection ("GCOL") starts with; padded to a multiple of 8.
struct GlobalHeapHeader {
  static constexpr std::string_view structure = "global heap collection";
  std::uint64_t collection_bytes = 0;  ///< everything, this header included
};

/// What precedes each object; padded to a multiple of 8. Index 0 is the free room at the end of the
/// collection, whose size counts this header.
struct GlobalHeapObjectHeader {
  static constexpr std::string_view structure = "global heap object";
  std::uint16_t index = 0;
  std::uint16_t references = 0;  ///< stock writes 0 for every object
  std::uint64_t bytes = 0;
};

inline constexpr std::uint64_t least_collection_bytes = 4096;
constexpr std::size_t global_heap_header_bytes(const Widths& widths) {
  return pad8(8u + widths.length_bytes);
}

/// The bytes of the object whose header starts at `header`.
inline std::uint64_t global_heap_object_bytes(const std::byte* header, const Widths& widths) {
  // A width that is known when compiling makes one load.
  return widths.length_bytes == 8 ? load_word(header + 8, 8) : load_word(header + 8, widths.length_bytes);
}

/// Where an object of a collection stands.
struct GlobalHeapObject {
  std::uint16_t index = 0;
  std::uint64_t offset = 0;  ///< of the content, from the start of the collection
  std::uint64_t bytes = 0;
};

struct GlobalHeapLayout {
  std::vector<GlobalHeapObject> objects;  ///< in file order
  std::uint64_t free_offset = 0;          ///< the free room is from here to the end of the collection
};

/// Walks a whole collection. Throws Error(corrupt or truncated) for objects that run past its end, an
/// index used twice, or free room that does not close the collection.
GlobalHeapLayout decode_global_heap(Bytes collection, const Widths& widths, Address where);

}  // namespace filigree::format
