// SPDX-License-Identifier: Apache-2.0
#include "format/heaps/global_heap.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "format/codec/codec_instantiate.hpp"

namespace filigree::format {

template <class Io, Model<GlobalHeapHeader> M>
void describe(Io& io, M& m) {
  io.signature("GCOL");
  io.constant("version", 1);
  io.reserved(3);
  io.length("collection bytes", m.collection_bytes);
  io.require(m.collection_bytes >= global_heap_header_bytes(io.widths()), "collection bytes",
             "is less than the header");
  io.require(m.collection_bytes % 8 == 0, "collection bytes", "is not a multiple of 8");
  io.reserved(pad8(io.position()) - io.position());
}

template <class Io, Model<GlobalHeapObjectHeader> M>
void describe(Io& io, M& m) {
  io.u16("index", m.index);
  io.u16("references", m.references);
  io.reserved(4);
  io.length("bytes", m.bytes);
  io.reserved(pad8(io.position()) - io.position());
}

FILIGREE_DESCRIBED(GlobalHeapHeader);
FILIGREE_DESCRIBED(GlobalHeapObjectHeader);

namespace {

[[noreturn]] void bad_object(Address where, std::uint64_t offset, std::string_view problem) {
  throw Error(ErrorKind::corrupt, fmt::format("global heap collection at {}: the object at byte {} {}",
                                              to_string(where), offset, problem));
}

/// Some writers fill the free space at the end with zeros, without a header of object 0.
bool all_zero(Bytes bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; });
}

void require_unique(const std::vector<GlobalHeapObject>& objects, Address where) {
  const auto unordered = [](const auto& a, const auto& b) { return a.index >= b.index; };
  if (std::adjacent_find(objects.begin(), objects.end(), unordered) == objects.end()) return;
  std::vector<bool> seen(1u << 16);
  for (const GlobalHeapObject& object : objects) {
    if (seen[object.index])
      bad_object(where, object.offset, fmt::format("has the index {} of another", object.index));
    seen[object.index] = true;
  }
}

}  // namespace

GlobalHeapLayout decode_global_heap(Bytes collection, const Widths& widths, Address where) {
  GlobalHeapHeader header;
  std::uint64_t at = decode(header, collection, widths, where);
  if (header.collection_bytes > collection.size()) bad_object(where, 0, "lies beyond the bytes at hand");
  collection = collection.first(header.collection_bytes);

  // A collection may have tens of thousands of objects, so their headers are not decoded field by field.
  GlobalHeapLayout layout;
  const std::size_t object_header_bytes = global_heap_header_bytes(widths);
  while (collection.size() - at >= object_header_bytes) {
    const std::byte* start = collection.data() + at;
    const auto index = static_cast<std::uint16_t>(load_word(start, 2));
    const std::uint64_t bytes = global_heap_object_bytes(start, widths);
    const std::uint64_t rest = collection.size() - at;
    if (index == 0) {
      if (bytes != rest && !all_zero(collection.subspan(at)))
        bad_object(where, at, "is free space that ends too early");
      break;
    }
    if (bytes > rest - object_header_bytes) bad_object(where, at, "runs past the end");
    layout.objects.push_back({index, at + object_header_bytes, bytes});
    at += object_header_bytes + pad8(bytes);
  }
  layout.free_offset = at;
  require_unique(layout.objects, where);
  return layout;
}

}  // namespace filigree::format
