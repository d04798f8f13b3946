// SPDX-License-Identifier: Apache-2.0
//
// Filter 6, scale-offset: stores the differences to the smallest value in as few bits as possible.
//
// Stored data have the bits of a code (4 bytes), the number 8 (1), the smallest value (8), 8 zeros, then the
// codes. Floats are multiplied by a power of ten first. The highest code is the fill value. Codes that are as
// wide as the elements are the elements themselves.
//
// Parameters in the file: 20, of which prepare() derives all but the first two. A request has ScaleKind and
// the factor: decimal digits to keep of floats, or bits of an integer (0: as many as needed).
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <type_traits>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "base/immortal.hpp"
#include "filter/bit_stream.hpp"
#include "filter/builtin.hpp"
#include "filter/limits.hpp"
#include "filter/scale_offset_setup.hpp"

namespace filigree::filter {
namespace {

constexpr std::size_t header_bytes = 21;
constexpr unsigned minimum_bytes = 8;
/// The most elements if the parameters do not declare a number: codes of 0 bits could encode any number.
constexpr std::uint64_t most_uncounted_bytes = std::uint64_t{1} << 30;

/// The encoding of one chunk.
struct Scale {
  unsigned code_bits = 0;
  std::uint64_t minimum = 0;  ///< as bits; integers are sign-extended
};

std::uint64_t low_bits(unsigned bits) {
  return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

/// The number of bits that distinguish `values` values.
unsigned bits_to_count(std::uint64_t values) { return static_cast<unsigned>(std::bit_width(values - 1)); }

/// The smallest and largest value other than the fill value; zero if there is none.
template <class T, class IsFill>
std::pair<T, T> range_of(std::span<const T> values, const IsFill& is_fill) {
  T low = 0, high = 0;
  bool found = false;
  for (const T value : values) {
    if (is_fill(value)) continue;
    low = found ? std::min(low, value) : value;
    high = found ? std::max(high, value) : value;
    found = true;
  }
  return {low, high};
}

template <class T>
class Integers {
 public:
  using Word = std::make_unsigned_t<T>;
  explicit Integers(const ScalePlan& plan) : plan_(plan) {}

  Scale choose(std::span<const T> values) const {
    const auto [low, high] = range_of(values, [&](T value) { return is_fill(value); });
    const auto minimum = static_cast<std::uint64_t>(static_cast<std::int64_t>(low));
    if (plan_.factor != 0) return {static_cast<unsigned>(plan_.factor), minimum};
    const Word span = static_cast<Word>(static_cast<Word>(high) - static_cast<Word>(low));
    // The codes need two more values: the span itself and the fill value.
    if (span > static_cast<Word>(~Word{0} - 2)) return {plan_.bits(), 0};
    return {bits_to_count(std::uint64_t{span} + 1 + (plan_.has_fill ? 1 : 0)), minimum};
  }

  std::uint64_t code(T value, const Scale& scale) const {
    return is_fill(value) ? ~std::uint64_t{0} : static_cast<Word>(value) - scale.minimum;
  }

  T value(std::uint64_t code, const Scale& scale) const {
    if (plan_.has_fill && code == low_bits(scale.code_bits) && scale.code_bits != 0) {
      return static_cast<T>(plan_.fill);
    }
    return static_cast<T>(code + scale.minimum);
  }

 private:
  bool is_fill(T value) const { return plan_.has_fill && static_cast<Word>(value) == plan_.fill; }

  const ScalePlan& plan_;
};

template <class T>
class Floats {
 public:
  using Word = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  using Code = std::make_signed_t<Word>;

  explicit Floats(const ScalePlan& plan)
      : plan_(plan),
        fill_(std::bit_cast<T>(static_cast<Word>(plan.fill))),
        power_(static_cast<T>(std::pow(10.0, plan.factor))),
        nearly_(static_cast<T>(std::pow(10.0, -plan.factor))) {}

  Scale choose(std::span<const T> values) const {
    // Codes cannot represent infinities and NaN, and HDF5 stores other values for them. Such chunks keep all
    // bits.
    const auto tellable = [&](T value) { return std::isfinite(value) || is_fill(value); };
    const Scale everything{plan_.bits(), 0};
    if (!std::all_of(values.begin(), values.end(), tellable)) return everything;
    const auto [low, high] = range_of(values, [&](T value) { return is_fill(value); });
    const T range = high * power_ - low * power_;
    if (!(range <= static_cast<T>(std::ldexp(1.0, static_cast<int>(plan_.bits()) - 1)))) return everything;
    const auto span = static_cast<std::uint64_t>(std::llround(range)) + 1;
    return {std::min(bits_to_count(span + (plan_.has_fill ? 1 : 0)), plan_.bits()), std::bit_cast<Word>(low)};
  }

  std::uint64_t code(T value, const Scale& scale) const {
    if (is_fill(value)) return ~std::uint64_t{0};
    return static_cast<std::uint64_t>(std::llround(value * power_ - minimum(scale) * power_));
  }

  T value(std::uint64_t code, const Scale& scale) const {
    if (plan_.has_fill && code == low_bits(scale.code_bits) && scale.code_bits != 0) return fill_;
    return static_cast<T>(static_cast<Code>(code)) / power_ + minimum(scale);
  }

 private:
  bool is_fill(T value) const {
    if (!plan_.has_fill) return false;
    return std::fabs(value - fill_) < nearly_ || (std::isnan(value) && std::isnan(fill_));
  }
  static T minimum(const Scale& scale) { return std::bit_cast<T>(static_cast<Word>(scale.minimum)); }

  const ScalePlan& plan_;
  const T fill_, power_, nearly_;
};

/// Converts between the byte order of the elements and that of the machine.
template <class T>
std::vector<T> load_values(Bytes bytes, bool big_endian) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  if (big_endian) {
    for (T& value : values) {
      auto* at = reinterpret_cast<std::byte*>(&value);
      std::reverse(at, at + sizeof(T));
    }
  }
  return values;
}

template <class T>
Buffer store_values(std::vector<T>&& values, bool big_endian) {
  const Bytes bytes(reinterpret_cast<const std::byte*>(values.data()), values.size() * sizeof(T));
  Buffer stored(bytes.begin(), bytes.end());
  if (big_endian) {
    for (std::size_t at = 0; at < stored.size(); at += sizeof(T)) {
      std::reverse(stored.data() + at, stored.data() + at + sizeof(T));
    }
  }
  return stored;
}

template <class T>
using Coding = std::conditional_t<std::is_floating_point_v<T>, Floats<T>, Integers<T>>;

template <class T>
Buffer encode_as(const ScalePlan& plan, Bytes unfiltered) {
  const std::vector<T> values = load_values<T>(unfiltered, plan.big_endian);
  const Coding<T> coding(plan);
  const Scale scale = coding.choose(values);
  // HDF5 stores one byte more than needed if the codes end at a byte boundary, but none after uncoded
  // elements.
  const bool whole = scale.code_bits == plan.bits();
  Buffer stored(header_bytes + values.size() * scale.code_bits / 8 + (whole ? 0 : 1));
  store_word(stored.data(), scale.code_bits, 4);
  stored[4] = static_cast<std::byte>(minimum_bytes);
  store_word(stored.data() + 5, scale.minimum, minimum_bytes);
  if (whole) {
    if (!unfiltered.empty()) std::memcpy(stored.data() + header_bytes, values.data(), unfiltered.size());
  } else if (scale.code_bits != 0) {
    BitWriter bits(stored.data() + header_bytes);
    for (const T value : values) bits.put(coding.code(value, scale), scale.code_bits);
    bits.finish();
  }
  return stored;
}

template <class T>
Buffer decode_as(const ScalePlan& plan, std::uint64_t elements, const Scale& scale, const std::byte* codes) {
  std::vector<T> values(elements);
  const Coding<T> coding(plan);
  if (scale.code_bits == plan.bits()) {
    if (!values.empty()) std::memcpy(values.data(), codes, values.size() * sizeof(T));
  } else if (scale.code_bits == 0) {
    std::fill(values.begin(), values.end(), coding.value(0, scale));
  } else {
    BitReader bits(codes);
    for (T& value : values) value = coding.value(bits.get(scale.code_bits), scale);
  }
  return store_values(std::move(values), plan.big_endian);
}

/// Calls `work.template operator()<T>()` with the C++ type of the elements.
template <class Work>
Buffer with_type(const ScalePlan& plan, const Work& work) {
  if (plan.floating)
    return plan.size == 4 ? work.template operator()<float>() : work.template operator()<double>();
  switch (plan.size) {
    case 1:
      return plan.is_signed ? work.template operator()<std::int8_t>()
                            : work.template operator()<std::uint8_t>();
    case 2:
      return plan.is_signed ? work.template operator()<std::int16_t>()
                            : work.template operator()<std::uint16_t>();
    case 4:
      return plan.is_signed ? work.template operator()<std::int32_t>()
                            : work.template operator()<std::uint32_t>();
    default:
      return plan.is_signed ? work.template operator()<std::int64_t>()
                            : work.template operator()<std::uint64_t>();
  }
}

class BoundScaleOffset : public BoundFilter {
 public:
  explicit BoundScaleOffset(const ScalePlan& plan) : plan_(plan) {}

  Buffer encode(Bytes unfiltered) const override {
    if (!plan_.packs()) return {unfiltered.begin(), unfiltered.end()};
    const bool fits = plan_.elements == 0
                          ? unfiltered.size() % plan_.size == 0 && unfiltered.size() <= most_uncounted_bytes
                          : unfiltered.size() == plan_.elements * plan_.size;
    if (!fits ||
        (!plan_.floating && (plan_.factor < 0 || plan_.factor > static_cast<std::int32_t>(plan_.bits())))) {
      throw Error(
          ErrorKind::invalid_argument,
          fmt::format("scale-offset was set up for {} elements of {} bytes with factor {}, not for {} bytes",
                      plan_.elements, plan_.size, plan_.factor, unfiltered.size()));
    }
    return with_type(plan_, [&]<class T>() { return encode_as<T>(plan_, unfiltered); });
  }

  Buffer decode(Bytes stored, std::size_t max_bytes) const override {
    if (!plan_.packs()) {
      check_fits(stored.size(), max_bytes);
      return {stored.begin(), stored.end()};
    }
    const std::uint64_t elements = plan_.elements != 0 ? plan_.elements : max_bytes / plan_.size;
    check_fits(elements * plan_.size, std::min(max_bytes, SIZE_MAX / 8));
    check_holds(stored.size(), header_bytes, "scale-offset header");
    Scale scale;
    scale.code_bits = static_cast<unsigned>(load_word(stored.data(), 4));
    if (scale.code_bits > plan_.bits()) {
      throw Error(ErrorKind::corrupt, fmt::format("scale-offset codes of {} bits for elements of {} bits",
                                                  scale.code_bits, plan_.bits()));
    }
    // The size of the writer's widest integer.
    const auto width = std::min(std::to_integer<unsigned>(stored[4]), minimum_bytes);
    scale.minimum = load_word(stored.data() + 5, width);
    if (plan_.elements == 0) check_fits(elements * plan_.size, most_uncounted_bytes);
    check_holds(stored.size() - header_bytes, (elements * scale.code_bits + 7) / 8, "scale-offset codes");
    return with_type(
        plan_, [&]<class T>() { return decode_as<T>(plan_, elements, scale, stored.data() + header_bytes); });
  }

 private:
  const ScalePlan plan_;
};

class ScaleOffset : public Filter {
 public:
  std::uint16_t id() const override { return 6; }
  std::string_view name() const override { return "scaleoffset"; }

  std::unique_ptr<const BoundFilter> bind(std::span<const std::uint32_t> params,
                                          const ElementLayout&) const override {
    return std::make_unique<BoundScaleOffset>(parse_scale_offset(params));
  }

  std::vector<std::uint32_t> prepare(std::span<const std::uint32_t> requested,
                                     const ChunkFacts& chunk) const override {
    return scale_offset_params(requested, chunk);
  }
};

}  // namespace

const Filter& scale_offset_filter() {
  static const Immortal<ScaleOffset> filter;
  return *filter;
}

}  // namespace filigree::filter
