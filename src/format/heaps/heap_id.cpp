// SPDX-License-Identifier: Apache-2.0
//
// The ids of fractal heap objects. See HDF5 File Format Specification, section "Fractal Heap".
#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "format/heaps/fractal_heap.hpp"

namespace filigree::format {
namespace {

/// Ids up to this size hold the length of a tiny object in four bits.
constexpr unsigned longest_short_id = 18;

[[noreturn]] void refuse(std::string_view what) {
  throw Error(ErrorKind::corrupt, fmt::format("fractal heap ID: {}", what));
}

/// Reads consecutive words of an id. *Requires* that its length has been checked.
class Words {
 public:
  explicit Words(Bytes id) : at_(id.data() + 1) {}
  std::uint64_t next(unsigned width) {
    const std::uint64_t word = load_word(at_, width);
    at_ += width;
    return word;
  }

 private:
  const std::byte* at_;
};

HeapId decode_tiny(Bytes id, const HeapIdLayout& layout) {
  HeapId out;
  out.kind = HeapIdKind::tiny;
  const bool extended = layout.id_bytes > longest_short_id;
  std::size_t length = std::to_integer<std::size_t>(id[0] & std::byte{15});
  if (extended) length = length << 8 | std::to_integer<std::size_t>(id[1]);
  ++length;
  if (length > layout.longest_tiny())
    refuse(fmt::format("a tiny object of {} bytes does not fit it", length));
  out.tiny = id.subspan(extended ? 2 : 1, length);
  out.length = out.object_bytes = length;
  return out;
}

HeapId decode_huge(Bytes id, const HeapIdLayout& layout) {
  HeapId out;
  out.kind = HeapIdKind::huge;
  Words words(id);
  if (!layout.huge_direct) {
    out.key = words.next(layout.key_bytes);
    return out;
  }
  const std::uint64_t address = words.next(layout.widths.offset_bytes);
  out.address = address == widest_word(layout.widths.offset_bytes) ? Address::undefined : to_address(address);
  out.length = out.object_bytes = words.next(layout.widths.length_bytes);
  if (layout.filtered) {
    out.filter_mask = static_cast<std::uint32_t>(words.next(4));
    out.object_bytes = words.next(layout.widths.length_bytes);
  }
  if (out.length == 0 || out.object_bytes == 0) refuse("a huge object of no bytes");
  return out;
}

void put(std::byte*& to, std::uint64_t word, unsigned width, std::string_view what) {
  if (word > widest_word(width)) {
    throw Error(ErrorKind::limit,
                fmt::format("fractal heap ID: {} {} does not fit {} bytes", what, word, width));
  }
  store_word(to, word, width);
  to += width;
}

void encode_tiny(const HeapId& id, const HeapIdLayout& layout, Buffer& out) {
  if (id.tiny.empty() || id.tiny.size() > layout.longest_tiny()) {
    throw Error(ErrorKind::limit,
                fmt::format("fractal heap ID: an object of {} bytes is not tiny", id.tiny.size()));
  }
  const std::size_t stored = id.tiny.size() - 1;
  const bool extended = layout.id_bytes > longest_short_id;
  out[0] |= static_cast<std::byte>(extended ? stored >> 8 : stored);
  if (extended) out[1] = static_cast<std::byte>(stored);
  std::copy(id.tiny.begin(), id.tiny.end(), out.begin() + (extended ? 2 : 1));
}

void encode_huge(const HeapId& id, const HeapIdLayout& layout, std::byte* to) {
  if (!layout.huge_direct) return put(to, id.key, layout.key_bytes, "key");
  put(to, to_number(id.address), layout.widths.offset_bytes, "address");
  put(to, id.length, layout.widths.length_bytes, "length");
  if (!layout.filtered) return;
  put(to, id.filter_mask, 4, "filter mask");
  put(to, id.object_bytes, layout.widths.length_bytes, "object size");
}

}  // namespace

HeapIdLayout::HeapIdLayout(const FractalHeapHeader& h, const Widths& w)
    : id_bytes(h.id_bytes),
      offset_bytes(static_cast<std::uint8_t>((h.max_bits + 7u) / 8)),
      length_bytes(0),
      key_bytes(static_cast<std::uint8_t>(std::min(8, h.id_bytes - 1))),
      huge_direct(false),
      filtered(h.filtered()),
      widths(w) {
  const unsigned direct_bits = h.max_direct == 0 ? 0 : std::bit_width(h.max_direct) - 1;
  length_bytes = static_cast<std::uint8_t>(std::min((direct_bits + 7) / 8, bytes_to_hold(h.max_managed)));
  const unsigned direct_bytes = w.offset_bytes + w.length_bytes + (filtered ? 4u + w.length_bytes : 0u);
  huge_direct = direct_bytes <= h.id_bytes - 1u;
}

std::uint16_t HeapIdLayout::longest_tiny() const {
  if (id_bytes > longest_short_id) return static_cast<std::uint16_t>(std::min(id_bytes - 2, 4096));
  return static_cast<std::uint16_t>(std::min(id_bytes - 1, 16));
}

HeapId decode_heap_id(Bytes id, const HeapIdLayout& layout) {
  if (id.size() < layout.id_bytes) {
    refuse(fmt::format("has {} bytes, the heap's IDs have {}", id.size(), layout.id_bytes));
  }
  const unsigned first = std::to_integer<unsigned>(id[0]);
  if (first >> 6 != 0) refuse(fmt::format("version {} is unknown", first >> 6));
  switch (first >> 4 & 3) {
    case 1:
      return decode_huge(id, layout);
    case 2:
      return decode_tiny(id, layout);
    case 3:
      refuse("kind 3 is reserved");
    default:
      break;
  }
  HeapId out;
  Words words(id);
  out.offset = words.next(layout.offset_bytes);
  out.length = out.object_bytes = words.next(layout.length_bytes);
  if (out.length == 0) refuse("an object of no bytes");
  return out;
}

Buffer encode_heap_id(const HeapId& id, const HeapIdLayout& layout) {
  Buffer out(layout.id_bytes);
  out[0] = static_cast<std::byte>(static_cast<unsigned>(id.kind) << 4);
  std::byte* to = out.data() + 1;
  switch (id.kind) {
    case HeapIdKind::managed:
      put(to, id.offset, layout.offset_bytes, "offset");
      put(to, id.length, layout.length_bytes, "length");
      break;
    case HeapIdKind::huge:
      encode_huge(id, layout, to);
      break;
    case HeapIdKind::tiny:
      encode_tiny(id, layout, out);
      break;
  }
  return out;
}

}  // namespace filigree::format
