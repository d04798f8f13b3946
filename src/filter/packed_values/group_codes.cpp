// SPDX-License-Identifier: Apache-2.0
//
// The reader of the group encoding.
//
// The bits of one group determine where the next one begins, so a stream is decoded at the latency of table
// and memory. Four segments are interleaved, which hides it. Near the ends of segments and streams,
// every step is checked instead.
#include "filter/packed_values/group_codes.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "filter/limits.hpp"
#include "filter/packed_selection/rice.hpp"
#include "filter/packed_values/exceptions.hpp"

namespace filigree::filter {
namespace {

constexpr std::uint8_t literal_mark = 255;

/// What follows some bits: a code, for `run` copies of the first value and one other value.
struct GroupEntry {
  std::uint8_t code_bits;
  std::uint8_t bits;  ///< with those of a literal
  std::uint8_t run;
  std::uint8_t value;  ///< index in the table of values, or literal_mark
};

/// The decoding table. Entries are not initialised until they are known: clearing them would take longer than
/// decoding a small chunk.
template <class T>
struct GroupTable {
  GroupShape shape;
  T base = 0;
  std::array<T, 256> values;  ///< for literals the base
  unsigned index_bits = 1;    ///< the longest code
  std::array<GroupEntry, std::size_t{1} << longest_code> entries;
};

/// The position within a segment. It is passed and returned by value, to stay in registers.
template <class T>
struct Cursor {
  std::uint64_t at;  ///< in bits
  T* to;
};

/// The codes and the values of a segment.
template <class T>
struct Segment {
  Bytes bytes;             ///< up to the end of the last segment, so that most loads need no check
  std::uint64_t bits = 0;  ///< size of this segment
  T* begin = nullptr;
  T* end = nullptr;

  Cursor<T> start() const { return {0, begin}; }
  bool can_peek(std::uint64_t at) const { return (at >> 3) + 8 <= bytes.size(); }
  std::uint64_t peek(std::uint64_t at) const { return load_word(bytes.data() + (at >> 3), 8) >> (at & 7); }
  void check_end(std::uint64_t at) const {
    if (at > bits) throw Error(ErrorKind::truncated, "packed values end within a group");
  }
};

using SymbolEntries = std::array<GroupEntry, GroupShape::most_symbols>;

/// The meaning of every symbol, without the size of its code.
void list_symbols(const GroupShape& shape, SymbolEntries& symbols) {
  std::size_t next = 0;
  for (unsigned run = 0; run < shape.run; ++run) {
    for (unsigned value = 1; value <= shape.others(); ++value) {
      const bool is_literal = value == shape.values;
      symbols[next++] = {0, static_cast<std::uint8_t>(is_literal ? shape.literal_bits : 0),
                         static_cast<std::uint8_t>(run),
                         static_cast<std::uint8_t>(is_literal ? literal_mark : value)};
    }
  }
  symbols[next] = {0, 0, static_cast<std::uint8_t>(shape.run - 1), 0};
}

/// Fills the table for codes of all lengths. Every code is entered once; the table is doubled for each bit.
/// Returns the longest code.
unsigned fill_entries(const GroupShape& shape, std::span<const std::uint8_t> lengths, GroupEntry* entries) {
  SymbolEntries symbols;
  list_symbols(shape, symbols);
  unsigned bits = 0;
  for_each_code(lengths, [&](std::uint16_t symbol, std::uint8_t length, unsigned code) {
    for (; bits < length; ++bits)
      std::copy_n(entries, std::size_t{1} << bits, entries + (std::size_t{1} << bits));
    entries[code] = symbols[symbol];
    entries[code].code_bits = length;
    entries[code].bits = static_cast<std::uint8_t>(entries[code].bits + length);
  });
  return bits;
}

/// Reads the lengths of the codes to `lengths`, which has an even size.
void read_lengths(VarintReader& in, unsigned symbols, std::span<std::uint8_t> lengths) {
  for (std::size_t i = 0; i < lengths.size(); i += 2) {
    const unsigned both = in.byte();
    lengths[i] = both & 15;
    lengths[i + 1] = static_cast<std::uint8_t>(both >> 4);
  }
  if (lengths.size() != symbols && lengths.back() != 0)
    throw Error(ErrorKind::corrupt, "packed values have a code too many");
  if (!is_complete(lengths)) throw Error(ErrorKind::corrupt, "packed values have an incomplete prefix code");
}

template <class T>
void read_table(VarintReader& in, GroupTable<T>& table, unsigned& segments) {
  for (unsigned i = 0; i < sizeof(T); ++i)
    table.base = static_cast<T>(table.base | std::uint64_t{in.byte()} << 8 * i);
  GroupShape& shape = table.shape;
  for (unsigned* field : {&shape.values, &shape.literal_bits, &shape.run, &segments}) *field = in.byte();
  if (!shape.is_possible(8 * sizeof(T)) || segments < 1 || segments > GroupShape::most_segments) {
    throw Error(ErrorKind::corrupt,
                fmt::format("packed values have groups of {} values, {} bits and runs of {} in {} segments",
                            shape.values, shape.literal_bits, shape.run, segments));
  }
  for (unsigned i = 0; i < shape.values; ++i) table.values[i] = static_cast<T>(table.base + in.varint());
  table.values[literal_mark] = table.base;
  const unsigned symbols = shape.symbols();
  std::array<std::uint8_t, GroupShape::most_symbols> lengths;
  const std::span used(lengths.data(), symbols + symbols % 2);
  read_lengths(in, symbols, used);
  table.index_bits = fill_entries(shape, used, table.entries.data());
}

template <class T>
std::vector<Segment<T>> read_segments(VarintReader& in, unsigned segments, std::span<T> to) {
  std::vector<std::uint64_t> bytes(segments);
  for (unsigned i = 0; i + 1 < segments; ++i) bytes[i] = in.varint();
  Bytes rest = in.rest();
  std::vector<Segment<T>> list;
  const std::size_t each = (to.size() + segments - 1) / segments;
  for (unsigned i = 0; i < segments; ++i) {
    if (i + 1 == segments) bytes[i] = rest.size();
    check_holds(rest.size(), bytes[i], "packed values");
    const std::size_t count = std::min(each, to.size());
    list.push_back({rest, 8 * bytes[i], to.data(), to.data() + count});
    rest = rest.subspan(static_cast<std::size_t>(bytes[i]));
    to = to.subspan(count);
  }
  return list;
}

/// Reads a literal of any size.
template <class T>
T read_literal(const GroupTable<T>& table, const Segment<T>& segment, std::uint64_t at) {
  RiceReader bits(segment.bytes);
  bits.skip_to(at);
  const unsigned low = std::min(table.shape.literal_bits, 32u), high = table.shape.literal_bits - low;
  const std::uint64_t first = bits.bits(low);
  return static_cast<T>(table.base + (first | bits.bits(high) << low));
}

/// Decodes the next group, or what is wanted of it.
template <class T>
[[gnu::noinline]] Cursor<T> read_checked(const GroupTable<T>& table, const Segment<T>& segment,
                                         Cursor<T> now) {
  const Bytes left = segment.bytes.subspan(std::min<std::size_t>(segment.bytes.size(), now.at >> 3));
  const auto loaded = static_cast<unsigned>(std::min<std::size_t>(8, left.size()));
  const std::uint64_t word = load_word(left.data(), loaded) >> (now.at & 7);
  const GroupEntry entry = table.entries[word & ((1u << table.index_bits) - 1)];
  const auto wanted = static_cast<std::size_t>(segment.end - now.to);
  const std::size_t run = std::min<std::size_t>(entry.run, wanted);
  now.to = std::fill_n(now.to, run, table.values[0]);
  T value = table.values[entry.value];
  if (entry.value == literal_mark) value = read_literal(table, segment, now.at + entry.code_bits);
  now.at += entry.bits;
  segment.check_end(now.at);
  if (run < wanted) *now.to++ = value;
  return now;
}

/// How groups are decoded: `groups` from one load of 8 bytes, each of which writes `stride` values. Literals
/// are either part of these bytes, which takes a few instructions for every group, or end the step.
struct Step {
  unsigned stride, groups;
  bool has_literals;
};

/// Whether this many groups stay within the segment.
template <Step step, class T>
bool has_step(const Segment<T>& segment, Cursor<T> now) {
  return segment.end - now.to >= std::ptrdiff_t{step.groups * (step.stride + 1)} && segment.can_peek(now.at);
}

/// Decodes some groups. *Requires* has_step().
template <Step step, class T>
inline Cursor<T> read_step(const GroupTable<T>& table, const Segment<T>& segment, Cursor<T> now) {
  std::uint64_t word = segment.peek(now.at);
  const T first = table.values[0];
  const std::uint64_t mask = (std::uint64_t{1} << table.index_bits) - 1;
  for (unsigned i = 0; i < step.groups; ++i) {
    const GroupEntry entry = table.entries[word & mask];
    T value = table.values[entry.value];
    if constexpr (step.has_literals) {
      // These are no bits if the group does not end in a literal.
      const std::uint64_t used = word & ~(~std::uint64_t{0} << entry.bits);
      value = static_cast<T>(value + (used >> entry.code_bits));
    } else if (entry.value == literal_mark) [[unlikely]] {
      return read_checked(table, segment, now);
    }
    std::fill_n(now.to, step.stride, first);
    now.to[entry.run] = value;
    now.to += entry.run + 1;
    now.at += entry.bits;
    word >>= entry.bits;
  }
  return now;
}

template <Step step, class T>
void read_rest(const GroupTable<T>& table, const Segment<T>& segment, Cursor<T> now) {
  constexpr Step single{step.stride, 1, step.has_literals};
  while (has_step<step>(segment, now)) now = read_step<step>(table, segment, now);
  while (has_step<single>(segment, now)) now = read_step<single>(table, segment, now);
  while (now.to != segment.end) now = read_checked(table, segment, now);
  segment.check_end(now.at);
}

/// Decodes four segments, interleaved.
template <Step step, class T>
void read_four(const GroupTable<T>& table, std::span<const Segment<T>, 4> segments) {
  const Segment<T>&a = segments[0], &b = segments[1], &c = segments[2], &d = segments[3];
  Cursor<T> in_a = a.start(), in_b = b.start(), in_c = c.start(), in_d = d.start();
  while (has_step<step>(a, in_a) && has_step<step>(b, in_b) && has_step<step>(c, in_c) &&
         has_step<step>(d, in_d)) {
    in_a = read_step<step>(table, a, in_a);
    in_b = read_step<step>(table, b, in_b);
    in_c = read_step<step>(table, c, in_c);
    in_d = read_step<step>(table, d, in_d);
  }
  read_rest<step>(table, a, in_a);
  read_rest<step>(table, b, in_b);
  read_rest<step>(table, c, in_c);
  read_rest<step>(table, d, in_d);
}

template <Step step, class T>
inline void read_all(const GroupTable<T>& table, std::span<const Segment<T>> segments) {
  for (; segments.size() >= 4; segments = segments.subspan(4))
    read_four<step, T>(table, segments.template first<4>());
  for (const Segment<T>& segment : segments) read_rest<step>(table, segment, segment.start());
}

// Sanitizers make the code of one large function too slow to compile.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define FILIGREE_GROUPS_AVX2
#endif

#ifdef FILIGREE_GROUPS_AVX2
/// The same with wider stores, and with shifts that need no fixed register.
template <Step step, class T>
[[gnu::flatten, gnu::target("avx2,bmi2")]] void read_all_avx2(const GroupTable<T>& table,
                                                              std::span<const Segment<T>> segments) {
  read_all<step, T>(table, segments);
}
#endif

template <Step step, class T>
void read_streams(const GroupTable<T>& table, std::span<const Segment<T>> segments) {
#ifdef FILIGREE_GROUPS_AVX2
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"))
    return read_all_avx2<step, T>(table, segments);
#endif
  read_all<step, T>(table, segments);
}

/// The high bits of an exception, shifted as they are added.
std::uint64_t shifted_high(std::uint64_t high, unsigned bits) { return bits < 64 ? high << bits : 0; }

/// Chooses how many groups fit into the bits of one load.
template <unsigned stride, class T>
void read_strides(const GroupTable<T>& table, std::span<const Segment<T>> segments) {
  constexpr unsigned loaded = 57;
  static_assert(4 * longest_code <= loaded);
  const unsigned bits = table.index_bits + table.shape.literal_bits;
  if (table.shape.literal_bits == 0 || 2 * bits > loaded)
    return read_streams<Step{stride, 4, false}, T>(table, segments);
  if (3 * bits > loaded) return read_streams<Step{stride, 2, true}, T>(table, segments);
  read_streams<Step{stride, 3, true}, T>(table, segments);
}

}  // namespace

template <class T>
void read_groups(Bytes stored, std::span<T> to) {
  VarintReader in(stored);
  unsigned segments = 1;
  GroupTable<T> table;
  read_table(in, table, segments);
  std::vector<Exception> exceptions;
  const std::uint64_t count = in.varint();
  for_each_exception(in, count, to.size(), [&](const Exception& one) { exceptions.push_back(one); });
  const std::vector<Segment<T>> list = read_segments(in, segments, to);
  if (table.shape.run == 1) {
    read_strides<1, T>(table, list);
  } else if (table.shape.run <= 8) {
    read_strides<8, T>(table, list);
  } else if (table.shape.run <= 16) {
    read_strides<16, T>(table, list);
  } else {
    read_strides<GroupShape::longest_run, T>(table, list);
  }
  for (const Exception& one : exceptions) {
    T& value = to[static_cast<std::size_t>(one.index)];
    value = static_cast<T>(value + shifted_high(one.high, table.shape.literal_bits));
  }
}

template void read_groups(Bytes, std::span<std::uint8_t>);
template void read_groups(Bytes, std::span<std::uint16_t>);
template void read_groups(Bytes, std::span<std::uint32_t>);
template void read_groups(Bytes, std::span<std::uint64_t>);

}  // namespace filigree::filter
