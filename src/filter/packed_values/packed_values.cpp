// SPDX-License-Identifier: Apache-2.0
#include "filter/packed_values/packed_values.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <type_traits>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/immortal.hpp"
#include "filter/builtin.hpp"
#include "filter/limits.hpp"
#include "filter/packed_selection/rice.hpp"
#include "filter/packed_values/value_codes.hpp"

namespace filigree::filter {
namespace {

using Words = std::vector<std::uint64_t>;

constexpr unsigned converted_bit = 0x80;  ///< of the first byte: integers were floating-point numbers

template <class T>
using FloatOf = std::conditional_t<sizeof(T) == 4, float, double>;
template <class T>
using SignedOf = std::make_signed_t<T>;

template <class T>
T byte_swapped(T value) {
  T result = 0;
  for (unsigned i = 0; i < sizeof(T); ++i)
    result = static_cast<T>(result | static_cast<T>(value >> 8 * i & 0xff) << 8 * (sizeof(T) - 1 - i));
  return result;
}

bool has_foreign_order(const NumberKind& kind) {
  return kind.bytes > 1 && kind.is_big_endian != (std::endian::native == std::endian::big);
}

template <class T>
Words load_words(Bytes bytes, bool swap) {
  Words words(bytes.size() / sizeof(T));
  for (std::size_t i = 0; i < words.size(); ++i) {
    T value;
    std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
    words[i] = swap ? byte_swapped(value) : value;
  }
  return words;
}

/// Replaces floating-point numbers by their integers. Returns nothing if they are not all integers.
template <class T>
std::optional<Words> integers_of(const Words& words) {
  using Float = FloatOf<T>;
  constexpr auto largest = static_cast<Float>(std::uint64_t{1} << (sizeof(T) == 4 ? 24 : 53));
  Words integers(words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto bits = static_cast<T>(words[i]);
    const auto number = std::bit_cast<Float>(bits);
    if (!(std::abs(number) <= largest)) return std::nullopt;
    const auto integer = static_cast<SignedOf<T>>(number);
    // Compared as bits: a negative zero is no integer.
    if (std::bit_cast<T>(static_cast<Float>(integer)) != bits) return std::nullopt;
    integers[i] = static_cast<T>(integer);
  }
  return integers;
}

/// Returns how many bytes a result has at most. Floating-point numbers that are no integers are packed only
/// if that saves a quarter: the filters that follow make most of them smaller than their table would be, but
/// not both.
std::size_t largest_result(std::size_t unfiltered_bytes, bool is_fraction) {
  return is_fraction ? unfiltered_bytes - unfiltered_bytes / 4 : unfiltered_bytes;
}

template <class T>
Buffer pack(Bytes unfiltered, const NumberKind& kind) {
  const std::size_t tail = unfiltered.size() % sizeof(T);
  Words words = load_words<T>(unfiltered, has_foreign_order(kind));
  bool is_converted = false;
  if constexpr (sizeof(T) >= 4) {
    if (kind.is_float) {
      if (auto integers = integers_of<T>(words)) words = *std::move(integers), is_converted = true;
    }
  }
  Buffer head(1);
  put_varint(head, unfiltered.size());
  const std::size_t limit = largest_result(unfiltered.size(), kind.is_float && !is_converted);
  if (words.empty() || head.size() + tail >= limit) return {};
  const auto encoded = encode_values(words, sizeof(T), limit - tail - head.size());
  if (!encoded) return {};
  head[0] = static_cast<std::byte>(static_cast<unsigned>(encoded->form) | (is_converted ? converted_bit : 0));
  const Bytes rest = unfiltered.last(tail);
  head.insert(head.end(), rest.begin(), rest.end());
  head.insert(head.end(), encoded->bytes.begin(), encoded->bytes.end());
  return head;
}

template <class T>
void finish_values(std::span<T> values, const NumberKind& kind, bool is_converted) {
  if constexpr (sizeof(T) >= 4) {
    if (is_converted) {
      for (T& value : values)
        value = std::bit_cast<T>(static_cast<FloatOf<T>>(static_cast<SignedOf<T>>(value)));
    }
  }
  if (has_foreign_order(kind))
    for (T& value : values) value = byte_swapped(value);
}

template <class T>
void unpack(ValueForm form, bool is_converted, Bytes body, const NumberKind& kind, MutableBytes to) {
  const std::size_t count = to.size() / sizeof(T), tail = to.size() % sizeof(T);
  check_holds(body.size(), tail, "packed values");
  if (is_converted && (!kind.is_float || sizeof(T) < 4))
    throw Error(ErrorKind::corrupt, "packed values are floating-point numbers, but their type is not");
  std::copy_n(body.begin(), tail, to.end() - static_cast<std::ptrdiff_t>(tail));
  if (reinterpret_cast<std::uintptr_t>(to.data()) % alignof(T) != 0) {
    std::vector<T> aligned(count);
    decode_values<T>(form, body.subspan(tail), aligned);
    finish_values<T>(aligned, kind, is_converted);
    if (count != 0) std::memcpy(to.data(), aligned.data(), count * sizeof(T));
    return;
  }
  const std::span<T> values(reinterpret_cast<T*>(to.data()), count);
  decode_values<T>(form, body.subspan(tail), values);
  finish_values<T>(values, kind, is_converted);
}

/// Calls `use(T())` with the unsigned integer of this size.
template <class Use>
auto with_number(unsigned bytes, Use use) {
  switch (bytes) {
    case 1:
      return use(std::uint8_t());
    case 2:
      return use(std::uint16_t());
    case 4:
      return use(std::uint32_t());
    default:
      return use(std::uint64_t());
  }
}

}  // namespace

Buffer pack_values(Bytes unfiltered, NumberKind kind) {
  Buffer stored =
      with_number(kind.bytes, [&](auto number) { return pack<decltype(number)>(unfiltered, kind); });
  if (!stored.empty() && stored.size() <= unfiltered.size()) return stored;
  stored.assign(1, std::byte{0});
  stored.insert(stored.end(), unfiltered.begin(), unfiltered.end());
  return stored;
}

std::uint64_t unpacked_bytes(Bytes stored) {
  VarintReader in(stored);
  return in.byte() == 0 ? in.rest().size() : in.varint();
}

void unpack_values(Bytes stored, NumberKind kind, MutableBytes to) {
  VarintReader in(stored);
  const unsigned first = in.byte();
  if (first == 0) {
    std::copy_n(in.rest().begin(), to.size(), to.begin());
    return;
  }
  in.varint();
  with_number(kind.bytes, [&](auto number) {
    unpack<decltype(number)>(static_cast<ValueForm>(first & ~converted_bit), (first & converted_bit) != 0,
                             in.rest(), kind, to);
  });
}

namespace {

enum Parameter : std::size_t { number_bytes, number_flags, parameter_count };
constexpr std::uint32_t big_endian_flag = 1, float_flag = 2;

class BoundPackedValues : public BoundFilter {
 public:
  explicit BoundPackedValues(NumberKind kind) : kind_(kind) {}

  Buffer encode(Bytes unfiltered) const override { return pack_values(unfiltered, kind_); }
  Buffer decode(Bytes stored, std::size_t max_bytes) const override {
    Buffer unfiltered(size_of(stored, max_bytes));
    unpack_values(stored, kind_, unfiltered);
    return unfiltered;
  }
  Bytes decode_in(Workspace& workspace, Bytes stored, std::size_t max_bytes) const override {
    const MutableBytes unfiltered = workspace.allocate(size_of(stored, max_bytes));
    unpack_values(stored, kind_, unfiltered);
    return unfiltered;
  }
  bool skips_growth() const override { return true; }

 private:
  static std::size_t size_of(Bytes stored, std::size_t max_bytes) {
    const std::uint64_t bytes = unpacked_bytes(stored);
    check_fits(bytes, max_bytes);
    return static_cast<std::size_t>(bytes);
  }

  const NumberKind kind_;
};

/// The numbers that elements consist of. Elements of other types are treated as integers that divide them.
TypeFacts number_of(const TypeFacts& type) {
  if (type.kind == TypeFacts::Kind::array && !type.parts.empty()) return number_of(type.parts[0]);
  TypeFacts number = type;
  while (number.bytes > 8 || !std::has_single_bit(number.bytes)) {
    number.kind = TypeFacts::Kind::other;
    number.bytes = std::min(8u, number.bytes & -number.bytes);
  }
  return number;
}

class PackedValues : public Filter {
 public:
  std::uint16_t id() const override { return packed_values_id; }
  std::string_view name() const override { return "filigree packed values"; }

  std::unique_ptr<const BoundFilter> bind(std::span<const std::uint32_t> params,
                                          const ElementLayout&) const override {
    const bool fits = params.size() == parameter_count && std::has_single_bit(params[number_bytes]) &&
                      params[number_bytes] <= 8 && params[number_flags] <= (big_endian_flag | float_flag);
    if (!fits) {
      throw Error(
          ErrorKind::corrupt,
          fmt::format("packed values have {} parameters, need 2: bytes of a number (1, 2, 4 or 8), flags",
                      params.size()));
    }
    return std::make_unique<BoundPackedValues>(NumberKind{params[number_bytes],
                                                          (params[number_flags] & big_endian_flag) != 0,
                                                          (params[number_flags] & float_flag) != 0});
  }

  std::vector<std::uint32_t> prepare(std::span<const std::uint32_t>, const ChunkFacts& chunk) const override {
    const TypeFacts number = number_of(chunk.type);
    std::uint32_t flags = number.order == TypeFacts::Order::big ? big_endian_flag : 0;
    if (number.kind == TypeFacts::Kind::floating && number.bytes >= 4) flags |= float_flag;
    return {std::max(number.bytes, 1u), flags};
  }
};

}  // namespace

const Filter& packed_values_filter() {
  static const Immortal<PackedValues> filter;
  return *filter;
}

}  // namespace filigree::filter
