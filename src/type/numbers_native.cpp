// SPDX-License-Identifier: Apache-2.0
#include "type/numbers_native.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

namespace filigree::type {

namespace {

using Types = std::tuple<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
                         std::int64_t, std::uint64_t, float, double, long double>;
template <std::size_t i>
using TypeAt = std::tuple_element_t<i, Types>;

template <class T>
inline constexpr bool is_extended = std::is_same_v<T, long double>;

template <class T>
inline T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <class T>
inline void store(std::byte* to, T value) {
  if constexpr (is_extended<T>) {
    // The type has padding bytes.
    std::memset(to, 0, sizeof value);
    std::memcpy(to, &value, std::min<std::size_t>(10, sizeof value));
  } else {
    std::memcpy(to, &value, sizeof value);
  }
}

enum class Manner : std::uint8_t { hard, soft };

/// The common range of D and S.
template <class S, class D>
inline constexpr S top_of = std::cmp_less(std::numeric_limits<D>::max(), std::numeric_limits<S>::max())
                                ? static_cast<S>(std::numeric_limits<D>::max())
                                : std::numeric_limits<S>::max();
template <class S, class D>
inline constexpr S bottom_of = std::cmp_greater(std::numeric_limits<D>::min(), std::numeric_limits<S>::min())
                                   ? static_cast<S>(std::numeric_limits<D>::min())
                                   : std::numeric_limits<S>::min();

/// The limits of the integer type D in the floating-point type S.
template <class S, class D>
struct Limits {
  /// The greatest D, rounded to S, which may be one above it.
  static constexpr S high = static_cast<S>(std::numeric_limits<D>::max());
  static constexpr S low = static_cast<S>(std::numeric_limits<D>::min());
  static constexpr bool rounded = std::numeric_limits<D>::digits > std::numeric_limits<S>::digits;
  /// The greatest S that fits in D.
  static constexpr S top =
      rounded ? static_cast<S>(
                    std::numeric_limits<D>::max() -
                    ((std::uint64_t{1}
                      << (rounded ? std::numeric_limits<D>::digits - std::numeric_limits<S>::digits : 0)) -
                     1))
              : high;
  /// The result of the x86 instructions for a NaN.
  static constexpr D not_a_number = [] {
    if (std::is_same_v<D, std::uint64_t>) return static_cast<D>(std::uint64_t{1} << 63);
    if (std::is_signed_v<D> && (sizeof(D) >= 4 || (sizeof(D) == 2 && is_extended<S>))) {
      return std::numeric_limits<D>::min();
    }
    return D{0};
  }();
};

/// Uses conditional moves instead of branches, so that the compiler vectorises loops.
template <Manner manner, class S, class D>
inline D to_integer(S x) {
  using L = Limits<S, D>;
  S inside = x >= L::low ? x : L::low;  // a NaN becomes the lowest value
  inside = inside <= L::top ? inside : L::top;
  D result = static_cast<D>(inside);
  if constexpr (manner == Manner::hard && L::rounded) {
    result = x > L::high ? std::numeric_limits<D>::max() : result;
    result = x == L::high ? std::numeric_limits<D>::min() : result;
  } else if constexpr (L::rounded) {
    result = x >= L::high ? std::numeric_limits<D>::max() : result;
  }
  constexpr D nan_result = manner == Manner::hard ? L::not_a_number : D{0};
  if constexpr (nan_result != std::numeric_limits<D>::min()) result = x == x ? result : nan_result;
  return result;
}

template <class S, class D>
inline D to_narrower_float(S x) {
  constexpr S high = std::numeric_limits<D>::max();
  constexpr D infinity = std::numeric_limits<D>::infinity();
  D result = static_cast<D>(x);
  result = x > high ? infinity : result;
  return x < -high ? -infinity : result;
}

/// Software conversions set every mantissa bit of a NaN.
inline double to_double_soft(float x) {
  const double wide = x;
  const auto sign =
      static_cast<std::uint64_t>(load<std::uint32_t>(reinterpret_cast<const std::byte*>(&x)) >> 31);
  std::uint64_t word = load<std::uint64_t>(reinterpret_cast<const std::byte*>(&wide));
  word = x == x ? word : sign << 63 | 0x7fffffffffffffff;
  return load<double>(reinterpret_cast<const std::byte*>(&word));
}

template <Manner manner, class S, class D>
inline D clip(S x) {
  if constexpr (std::is_integral_v<S> && std::is_integral_v<D>) {
    x = x > top_of<S, D> ? top_of<S, D> : x;
    x = x < bottom_of<S, D> ? bottom_of<S, D> : x;
    return static_cast<D>(x);
  } else if constexpr (std::is_integral_v<D>) {
    return to_integer<manner, S, D>(x);
  } else if constexpr (std::is_integral_v<S> || sizeof(D) >= sizeof(S)) {
    if constexpr (manner == Manner::soft && !std::is_integral_v<S>) return to_double_soft(x);
    return static_cast<D>(x);
  } else {
    return to_narrower_float<S, D>(x);
  }
}

template <Manner manner, class S, class D>
[[gnu::always_inline]] inline void loop(const std::byte* __restrict from, std::byte* __restrict to,
                                        std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    store(to + i * sizeof(D), clip<manner, S, D>(load<S>(from + i * sizeof(S))));
  }
}

template <Manner manner, class S, class D>
void plain_kernel(const std::byte* from, std::byte* to, std::size_t count) {
  loop<manner, S, D>(from, to, count);
}

#ifdef __x86_64__
template <Manner manner, class S, class D>
[[gnu::target("avx2")]] void avx2_kernel(const std::byte* from, std::byte* to, std::size_t count) {
  loop<manner, S, D>(from, to, count);
}
bool has_avx2() { return __builtin_cpu_supports("avx2"); }
#else
template <Manner manner, class S, class D>
constexpr NativeKernel avx2_kernel = plain_kernel<manner, S, D>;
bool has_avx2() { return false; }
#endif

/// Whether the span between the highest and the lowest bit set, in two's complement, exceeds D's digits.
template <class S, class D>
bool loses_bits(S x) {
  const auto word = static_cast<std::uint64_t>(static_cast<std::make_unsigned_t<S>>(x));
  return word != 0 && std::bit_width(word) - 1 - std::countr_zero(word) >= std::numeric_limits<D>::digits;
}

template <class S, class D>
bool is_too_high(S x) {
  if constexpr (std::is_integral_v<S>) {
    return x > top_of<S, D>;
  } else if constexpr (std::is_integral_v<D>) {
    return x > Limits<S, D>::high || (Limits<S, D>::rounded && x == Limits<S, D>::high);
  } else {
    return x > static_cast<S>(std::numeric_limits<D>::max());
  }
}

template <class S, class D>
bool is_too_low(S x) {
  if constexpr (std::is_integral_v<S>) {
    return x < bottom_of<S, D>;
  } else if constexpr (std::is_integral_v<D>) {
    return x < Limits<S, D>::low;
  } else {
    return x < static_cast<S>(std::numeric_limits<D>::lowest());
  }
}

template <class S, class D>
void careful(const FaultSink& faults) {
  const S x = load<S>(faults.value);
  D result = clip<Manner::hard, S, D>(x);
  constexpr bool from_integer = std::is_integral_v<S>;
  constexpr bool to_integer_type = std::is_integral_v<D>;
  if (faults.handler != nullptr) {
    if constexpr (from_integer && !to_integer_type) {
      if (loses_bits<S, D>(x) && faults.raise(ConversionFault::precision)) return;
    } else if constexpr (from_integer == to_integer_type || to_integer_type) {
      constexpr bool narrows = to_integer_type || sizeof(D) < sizeof(S);
      if (narrows && is_too_high<S, D>(x)) {
        if (faults.raise(ConversionFault::range_high)) return;
        if constexpr (to_integer_type) result = std::numeric_limits<D>::max();
      } else if (narrows && is_too_low<S, D>(x)) {
        if (faults.raise(ConversionFault::range_low)) return;
      } else if constexpr (!from_integer && to_integer_type) {
        if (!(x == static_cast<S>(result)) && faults.raise(ConversionFault::truncated)) return;
      }
    }
  }
  store(faults.result, result);
}

template <class F>
struct Table {
  std::array<std::array<F, natives>, natives> at{};
};

template <class F, class Make, std::size_t... pair>
constexpr Table<F> make_table(Make make, std::index_sequence<pair...>) {
  Table<F> table;
  ((table.at[pair / natives][pair % natives] =
        make.template operator()<TypeAt<pair / natives>, TypeAt<pair % natives>>()),
   ...);
  return table;
}

template <class F, class Make>
constexpr Table<F> make_table(Make make) {
  return make_table<F>(make, std::make_index_sequence<natives * natives>());
}

constexpr auto plain_table = make_table<NativeKernel>(
    []<class S, class D>() -> NativeKernel { return plain_kernel<Manner::hard, S, D>; });
constexpr auto avx2_table = make_table<NativeKernel>([]<class S, class D>() -> NativeKernel {
  if (is_extended<S> || is_extended<D>) return plain_kernel<Manner::hard, S, D>;
  return avx2_kernel<Manner::hard, S, D>;
});
constexpr auto careful_table =
    make_table<CarefulKernel>([]<class S, class D>() -> CarefulKernel { return careful<S, D>; });

/// Only for pairs whose hardware and software conversions differ. Conversions to narrower floats round
/// differently.
constexpr auto soft_table = make_table<NativeKernel>([]<class S, class D>() -> NativeKernel {
  if constexpr (is_extended<S> || is_extended<D>) return nullptr;
  if constexpr (std::is_integral_v<S>) return nullptr;
  if constexpr (!std::is_integral_v<D> && sizeof(D) <= sizeof(S)) return nullptr;
  if constexpr (!is_extended<S> && !is_extended<D> && !std::is_integral_v<S> &&
                (std::is_integral_v<D> || sizeof(D) > sizeof(S))) {
    return plain_kernel<Manner::soft, S, D>;
  }
  return nullptr;
});

bool same_but_order(const DatatypeMessage& type, DatatypeMessage native, bool any_order) {
  if (any_order && type.order == format::ByteOrder::big) native.order = type.order;
  return format::same_type(type, native);
}

}  // namespace

NativeKernel hard_kernel(Native from, Native to) {
  const auto& table = has_avx2() ? avx2_table : plain_table;
  return table.at[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
}

NativeKernel soft_kernel(Native from, Native to) {
  if (from == Native::f80 || to == Native::f80) return nullptr;
  if (from < Native::f32) return hard_kernel(from, to);
  return soft_table.at[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
}

CarefulKernel careful_kernel(Native from, Native to) {
  return careful_table.at[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
}

std::optional<Native> find_native(const DatatypeMessage& type, bool any_order) {
  if (type.type_class == format::TypeClass::fixed_point) {
    if (!std::has_single_bit(type.size) || type.size > 8) return std::nullopt;
    if (!same_but_order(type, format::fixed_point(type.size, type.is_signed), any_order)) return std::nullopt;
    return static_cast<Native>(std::countr_zero(type.size) * 2 + (type.is_signed ? 0 : 1));
  }
  if (type.type_class != format::TypeClass::floating_point) return std::nullopt;
  if (type.size == 4 || type.size == 8) {
    if (!same_but_order(type, format::ieee_float(type.size), any_order)) return std::nullopt;
    return type.size == 4 ? Native::f32 : Native::f64;
  }
  if (std::numeric_limits<long double>::digits != 64 || type.size != sizeof(long double)) return std::nullopt;
  DatatypeMessage extended = format::ieee_float(8);
  extended.size = sizeof(long double);
  extended.precision = 80;
  extended.floating = {79, 64, 15, 0, 64, 16383, format::Normalisation::none};
  if (!format::same_type(type, extended)) return std::nullopt;
  return Native::f80;
}

}  // namespace filigree::type
