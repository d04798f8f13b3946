// SPDX-License-Identifier: Apache-2.0
//
// The readers of the simple encodings.
#include "filter/packed_values/value_codes.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "filter/limits.hpp"
#include "filter/packed_selection/rice.hpp"
#include "filter/packed_values/bit_pack.hpp"
#include "filter/packed_values/exceptions.hpp"

namespace filigree::filter {
namespace {

template <class T>
T read_value(VarintReader& in) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < sizeof(T); ++i) value |= std::uint64_t{in.byte()} << 8 * i;
  return static_cast<T>(value);
}

/// Reads the width of packed numbers.
unsigned read_width(VarintReader& in, unsigned most) {
  const unsigned bits = in.byte();
  if (bits > std::min(most, most_packed_bits))
    throw Error(ErrorKind::corrupt, fmt::format("packed values have numbers of {} bits", bits));
  return bits;
}

/// Splits packed numbers off the front of `rest`.
Bytes take_packed(Bytes& rest, std::uint64_t count, unsigned bits) {
  const std::uint64_t bytes = packed_bytes(count, bits);
  check_holds(rest.size(), bytes, "packed values");
  const Bytes front = rest.first(static_cast<std::size_t>(bytes));
  rest = rest.subspan(front.size());
  return front;
}

template <class T>
void read_packed(Bytes stored, std::span<T> to) {
  VarintReader in(stored);
  const T base = read_value<T>(in);
  const unsigned bits = read_width(in, 8 * sizeof(T));
  const std::uint64_t exceptions = in.varint();
  Bytes rest = in.rest();
  unpack(take_packed(rest, to.size(), bits), to.size(), bits, base, to.data());
  VarintReader list(rest);
  for_each_exception(list, exceptions, to.size(), [&](const Exception& one) {
    to[static_cast<std::size_t>(one.index)] += static_cast<T>(one.high << bits);
  });
}

/// The numbers that are unpacked at a time, into memory of the stack.
constexpr std::size_t block = 512;

template <class T>
void read_indexed(Bytes stored, std::span<T> to) {
  VarintReader in(stored);
  const std::uint64_t values = in.varint();
  if (values == 0 || values > most_table_values)
    throw Error(ErrorKind::corrupt, fmt::format("packed values have a table of {} values", values));
  const auto bits = static_cast<unsigned>(std::bit_width(values - 1));
  std::vector<T> table(std::size_t{1} << bits);
  for (std::size_t i = 0; i < values; ++i) table[i] = read_value<T>(in);
  Bytes rest = in.rest();
  Bytes codes = take_packed(rest, to.size(), bits);
  std::array<std::uint16_t, block> indexes;
  unsigned largest = 0;
  while (!to.empty()) {
    const std::size_t count = std::min(block, to.size());
    unpack<std::uint16_t>(codes, count, bits, 0, indexes.data());
    for (std::size_t i = 0; i < count; ++i) {
      largest = std::max<unsigned>(largest, indexes[i]);
      to[i] = table[indexes[i]];
    }
    codes = codes.subspan(static_cast<std::size_t>(packed_bytes(count, bits)));
    to = to.subspan(count);
  }
  if (largest >= values)
    throw Error(ErrorKind::corrupt, fmt::format("packed values have index {} of {} values", largest, values));
}

[[noreturn]] void bad_runs() { throw Error(ErrorKind::corrupt, "packed values have runs of another length"); }

template <class T>
void read_runs(Bytes stored, std::span<T> to) {
  VarintReader in(stored);
  std::uint64_t runs = in.varint();
  if (runs > to.size()) bad_runs();
  const unsigned length_bits = read_width(in, most_packed_bits);
  const T base = read_value<T>(in);
  const unsigned value_bits = read_width(in, 8 * sizeof(T));
  Bytes rest = in.rest();
  Bytes lengths = take_packed(rest, runs, length_bits), values = take_packed(rest, runs, value_bits);
  std::array<std::uint64_t, block> longer;
  std::array<T, block> value;
  for (; runs > 0; runs -= std::min<std::uint64_t>(runs, block)) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(runs, block));
    unpack<std::uint64_t>(lengths, count, length_bits, 0, longer.data());
    unpack<T>(values, count, value_bits, base, value.data());
    for (std::size_t i = 0; i < count; ++i) {
      if (longer[i] >= to.size()) bad_runs();
      const auto length = static_cast<std::size_t>(longer[i] + 1);
      std::fill_n(to.begin(), length, value[i]);
      to = to.subspan(length);
    }
    lengths = lengths.subspan(static_cast<std::size_t>(packed_bytes(count, length_bits)));
    values = values.subspan(static_cast<std::size_t>(packed_bytes(count, value_bits)));
  }
  if (!to.empty()) bad_runs();
}

}  // namespace

template <class T>
void decode_values(ValueForm form, Bytes stored, std::span<T> to) {
  VarintReader in(stored);
  switch (form) {
    case ValueForm::stored:
      break;
    case ValueForm::equal:
      std::ranges::fill(to, read_value<T>(in));
      return;
    case ValueForm::packed:
      return read_packed(stored, to);
    case ValueForm::table:
      return read_indexed(stored, to);
    case ValueForm::runs:
      return read_runs(stored, to);
    case ValueForm::groups:
      return read_groups(stored, to);
  }
  throw Error(ErrorKind::corrupt, fmt::format("packed values have form {}, which this release does not know",
                                              static_cast<unsigned>(form)));
}

template void decode_values(ValueForm, Bytes, std::span<std::uint8_t>);
template void decode_values(ValueForm, Bytes, std::span<std::uint16_t>);
template void decode_values(ValueForm, Bytes, std::span<std::uint32_t>);
template void decode_values(ValueForm, Bytes, std::span<std::uint64_t>);

}  // namespace filigree::filter
