// SPDX-License-Identifier: Apache-2.0
//
// The description of a selection, shared by all structures that contain one. Only sources with descriptions
// include it.
#pragma once

#include <algorithm>

#include "base/checked.hpp"
#include "format/codec/fields.hpp"
#include "format/messages/dataspace.hpp"
#include "format/selections/selection.hpp"

namespace filigree::format {

namespace selection_fields {

inline constexpr std::uint8_t regular_flag = 1;

inline bool is_width(unsigned bytes) { return bytes == 2 || bytes == 4 || bytes == 8; }

template <class Io, class T>
void describe_width(Io& io, std::string_view name, T& bytes) {
  io.u8(name, bytes);
  io.require(is_width(bytes), name, "is neither 2, 4 nor 8");
  // After a fault nothing is read, but the width must be valid.
  if constexpr (Io::decodes) bytes = is_width(bytes) ? bytes : 8;
}

/// The number of bytes up to the end of the selection. Readers do not rely on it, and it wraps beyond 32
/// bits.
template <class Io>
void describe_length(Io& io, std::uint64_t bytes) {
  std::uint64_t length = bytes & 0xffffffff;
  io.u32("length", length);
}

template <class Io, class M>
void describe_rank(Io& io, M& m) {
  std::uint32_t rank = m.rank;
  io.u32("rank", rank);
  io.range("rank", rank, 1, max_rank);
  if constexpr (Io::decodes) m.rank = static_cast<std::uint8_t>(rank);
}

/// A count of points or blocks, and their coordinates.
template <class Io, class M>
void describe_list(Io& io, M& m, std::string_view items_name, unsigned numbers_each, unsigned width) {
  const std::uint64_t each = std::uint64_t{numbers_each} * std::max<unsigned>(1, m.rank);
  std::uint64_t items = m.coordinates.size() / each;
  io.word(items_name, items, width);
  io.words("coordinates", m.coordinates, try_multiply(items, each).value_or(~std::uint64_t{0}), width);
}

/// Version 1 of points and hyperslabs.
template <class Io, class M>
void describe_old_list(Io& io, M& m, std::string_view items_name, unsigned numbers_each) {
  constexpr unsigned width = 4;
  io.reserved(4);
  describe_length(io, 2 * width + width * m.coordinates.size());
  describe_rank(io, m);
  describe_list(io, m, items_name, numbers_each, width);
  if constexpr (Io::decodes) m.number_bytes = width;
}

template <class Io, class M>
void describe_slab(Io& io, M& m, unsigned width) {
  io.resize("hyperslab", m.slab, m.rank, 4 * std::size_t{width});
  for (auto& d : m.slab) {
    io.word("start", d.start, width);
    io.word("stride", d.stride, width);
    io.word_or_unlimited("count", d.count, width);
    io.word_or_unlimited("block", d.block, width);
    const auto tells = [&](std::uint64_t n) { return n == unlimited || n < widest_word(width); };
    io.require(tells(d.count) && tells(d.block), "block", "would be read as unlimited");
  }
}

template <class Io, class M>
void describe_flags(Io& io, M& m) {
  std::uint8_t flags = m.regular ? regular_flag : 0;
  io.u8("flags", flags);
  io.require((flags & ~regular_flag) == 0, "flags", "has unknown bits");
  io.require(m.version != 2 || flags == regular_flag, "flags", "is not 'regular', as version 2 always is");
  if constexpr (Io::decodes) m.regular = (flags & regular_flag) != 0;
}

template <class Io, class M>
void describe_points(Io& io, M& m) {
  io.range("version", m.version, 1, 2);
  if (m.version == 1) return describe_old_list(io, m, "points", 1);
  describe_width(io, "number bytes", m.number_bytes);
  describe_rank(io, m);
  describe_list(io, m, "points", 1, m.number_bytes);
}

template <class Io, class M>
void describe_hyperslab(Io& io, M& m) {
  io.range("version", m.version, 1, 3);
  if (m.version == 1) {
    if constexpr (Io::decodes) m.regular = false;
    io.require(!m.regular, "version", "has no regular form");
    return describe_old_list(io, m, "blocks", 2);
  }
  describe_flags(io, m);
  if (m.version == 2) {
    constexpr unsigned width = 8;
    describe_length(io, 4 + 4 * width * m.slab.size());
    if constexpr (Io::decodes) m.number_bytes = width;
  } else {
    describe_width(io, "number bytes", m.number_bytes);
  }
  describe_rank(io, m);
  const unsigned width = m.version == 2 ? 8 : m.number_bytes;
  if (m.regular) {
    describe_slab(io, m, width);
  } else {
    describe_list(io, m, "blocks", 2, width);
  }
}

}  // namespace selection_fields

/// A complete selection, also as a part of other structures.
template <class Io, class M>
void describe_selection(Io& io, M& m) {
  if constexpr (Io::decodes) m = {};
  io.u32("type", m.type);
  io.range("type", m.type, 0, 3);
  io.u32("version", m.version);
  switch (m.type) {
    case SelectionType::none:
    case SelectionType::all:
      io.range("version", m.version, 1, 1);
      io.reserved(4);
      return selection_fields::describe_length(io, 0);
    case SelectionType::points:
      return selection_fields::describe_points(io, m);
    case SelectionType::hyperslab:
      return selection_fields::describe_hyperslab(io, m);
  }
}

}  // namespace filigree::format
