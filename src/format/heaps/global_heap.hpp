// SPDX-License-Identifier: Apache-2.0
//
// Global heap collections, which hold variable-length values and other objects. See HDF5 File Format
// Specification, section "Global Heap".
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "format/codec/fields.hpp"

namespace filigree::format {

/// The header of a collection ("GCOL"), padded to a multiple of 8 bytes.
struct GlobalHeapHeader {
  static constexpr std::string_view structure = "global heap collection";
  std::uint64_t collection_bytes = 0;  ///< size of the collection including this header
};

/// The header of an object, padded to a multiple of 8 bytes. Object 0 is the free space at the end of the
/// collection; its size includes this header.
struct GlobalHeapObjectHeader {
  static constexpr std::string_view structure = "global heap object";
  std::uint16_t index = 0;
  std::uint16_t references = 0;  ///< HDF5 writes 0 for every object
  std::uint64_t bytes = 0;
};

inline constexpr std::uint64_t least_collection_bytes = 4096;
constexpr std::size_t global_heap_header_bytes(const Widths& widths) {
  return pad8(8u + widths.length_bytes);
}

/// The size of the object whose header starts at `header`.
inline std::uint64_t global_heap_object_bytes(const std::byte* header, const Widths& widths) {
  // A width that is a compile-time constant takes one load.
  return widths.length_bytes == 8 ? load_word(header + 8, 8) : load_word(header + 8, widths.length_bytes);
}

/// The location of an object in a collection.
struct GlobalHeapObject {
  std::uint16_t index = 0;
  std::uint64_t offset = 0;  ///< offset of the content in the collection
  std::uint64_t bytes = 0;
};

struct GlobalHeapLayout {
  std::vector<GlobalHeapObject> objects;  ///< in file order
  std::uint64_t free_offset = 0;          ///< start of the free space, which ends with the collection
};

/// Finds all objects of a collection. *Throws* Error(corrupt) or Error(truncated) for objects beyond its end,
/// duplicate indexes, or free space that does not end with the collection.
GlobalHeapLayout decode_global_heap(Bytes collection, const Widths& widths, Address where);

}  // namespace filigree::format
