// SPDX-License-Identifier: Apache-2.0
#include "model/numbers.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <variant>

#include <filigree/error.hpp>

namespace filigree::model {

using format::DatatypeMessage;
using format::TypeClass;

namespace {

// One value on its way. Integers keep all 64 bits; only floats pass through double.
using Value = std::variant<std::int64_t, std::uint64_t, double>;

template <class To>
To clip(const Value& value) {
  return std::visit(
      [](auto v) -> To {
        using From = decltype(v);
        if constexpr (std::is_floating_point_v<To>) {
          return static_cast<To>(v);
        } else if constexpr (std::is_floating_point_v<From>) {
          if (std::isnan(v)) return 0;
          // 2^digits is exact as a double, the largest value itself may not be.
          if (v >= std::ldexp(1.0, std::numeric_limits<To>::digits)) return std::numeric_limits<To>::max();
          if (v <= static_cast<double>(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
          return static_cast<To>(v);
        } else {
          if (std::cmp_greater(v, std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
          if (std::cmp_less(v, std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
          return static_cast<To>(v);
        }
      },
      value);
}

template <class Use>
decltype(auto) with_number(NumberKind kind, Use&& use) {
  switch (kind) {
    case NumberKind::i8:
      return use(std::int8_t{});
    case NumberKind::u8:
      return use(std::uint8_t{});
    case NumberKind::i16:
      return use(std::int16_t{});
    case NumberKind::u16:
      return use(std::uint16_t{});
    case NumberKind::i32:
      return use(std::int32_t{});
    case NumberKind::u32:
      return use(std::uint32_t{});
    case NumberKind::i64:
      return use(std::int64_t{});
    case NumberKind::u64:
      return use(std::uint64_t{});
    case NumberKind::f32:
      return use(float{});
    case NumberKind::f64:
      return use(double{});
  }
  throw Error(ErrorKind::invalid_argument, "unknown kind of number");
}

double half_to_double(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int mantissa = bits & 1023;
  double magnitude = 0;
  if (exponent == 31) {
    magnitude =
        mantissa == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  } else {
    magnitude = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

std::uint16_t double_to_half(double v) {
  const std::uint16_t sign = std::signbit(v) ? 0x8000 : 0;
  if (std::isnan(v)) return sign | 0x7e00;
  const double magnitude = std::fabs(v);
  if (magnitude == 0) return sign;
  if (magnitude >= 65520.0) return sign | 0x7c00;
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  const int scale = std::max(exponent - 11, -24);  // the unit of the last kept bit
  const auto units = static_cast<unsigned>(std::nearbyint(std::ldexp(magnitude, -scale)));
  // A carry out of the mantissa moves into the exponent by itself.
  return static_cast<std::uint16_t>(sign |
                                    (units < 1024 && scale == -24 ? units : ((scale + 24) << 10) + units));
}

enum class Form { integer, f16, f32, f64 };

struct Plan {
  Form form;
  unsigned bytes;
  bool big_endian;
  bool is_signed;
  unsigned bit_offset;
  unsigned precision;
};

Plan plan_for(const DatatypeMessage& type) {
  const DatatypeMessage& number = type.type_class == TypeClass::enumeration ? type.base.at(0) : type;
  Plan plan{Form::integer,    number.size,       number.order == format::ByteOrder::big,
            number.is_signed, number.bit_offset, number.precision};
  if (number.type_class == TypeClass::fixed_point) {
    if (number.size > 8)
      throw Error(ErrorKind::unsupported,
                  "integers of more than 8 bytes are not converted: " + format::describe_type(type));
    return plan;
  }
  if (number.type_class == TypeClass::floating_point) {
    for (const auto& [form, bytes] : {std::pair{Form::f16, 2u}, {Form::f32, 4u}, {Form::f64, 8u}}) {
      if (number.size != bytes || !format::same_type(number, format::ieee_float(bytes, plan.big_endian)))
        continue;
      plan.form = form;
      return plan;
    }
    throw Error(ErrorKind::unsupported,
                "this layout of floating-point numbers is not converted: " + format::describe_type(type));
  }
  throw Error(ErrorKind::wrong_type, "not a number: " + format::describe_type(type));
}

std::uint64_t load(const std::byte* from, const Plan& plan) {
  if (!plan.big_endian) return load_word(from, plan.bytes);
  std::uint64_t word = 0;
  for (unsigned i = 0; i < plan.bytes; ++i) word = word << 8 | std::to_integer<std::uint64_t>(from[i]);
  return word;
}

void save(std::byte* to, std::uint64_t word, const Plan& plan) {
  store_word(to, word, plan.bytes);
  if (plan.big_endian) std::reverse(to, to + plan.bytes);
}

Value decode_number(const std::byte* from, const Plan& plan) {
  const std::uint64_t word = load(from, plan);
  switch (plan.form) {
    case Form::f16:
      return half_to_double(static_cast<std::uint16_t>(word));
    case Form::f32:
      return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(word)));
    case Form::f64:
      return std::bit_cast<double>(word);
    case Form::integer:
      break;
  }
  const unsigned unused = 64 - plan.precision;
  const std::uint64_t value = (word >> plan.bit_offset) << unused;
  if (plan.is_signed) return static_cast<std::int64_t>(value) >> unused;
  return value >> unused;
}

void encode_number(std::byte* to, const Value& value, const Plan& plan) {
  switch (plan.form) {
    case Form::f16:
      return save(to, double_to_half(clip<double>(value)), plan);
    case Form::f32:
      return save(to, std::bit_cast<std::uint32_t>(clip<float>(value)), plan);
    case Form::f64:
      return save(to, std::bit_cast<std::uint64_t>(clip<double>(value)), plan);
    case Form::integer:
      break;
  }
  const std::uint64_t mask =
      plan.precision >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << plan.precision) - 1;
  std::uint64_t word = 0;
  if (plan.is_signed) {
    const auto most = static_cast<std::int64_t>(mask >> 1);
    word = static_cast<std::uint64_t>(std::clamp(clip<std::int64_t>(value), -most - 1, most)) & mask;
  } else {
    word = std::min(clip<std::uint64_t>(value), mask);
  }
  save(to, word << plan.bit_offset, plan);
}

}  // namespace

void read_numbers(const DatatypeMessage& type, Bytes elements, NumberKind kind, void* out,
                  std::size_t count) {
  const Plan plan = plan_for(type);
  with_number(kind, [&](auto example) {
    using To = decltype(example);
    for (std::size_t i = 0; i < count; ++i) {
      const To value = clip<To>(decode_number(elements.data() + i * plan.bytes, plan));
      std::memcpy(static_cast<std::byte*>(out) + i * sizeof(To), &value, sizeof(To));
    }
  });
}

void write_numbers(const DatatypeMessage& type, MutableBytes elements, NumberKind kind, const void* in,
                   std::size_t count) {
  const Plan plan = plan_for(type);
  with_number(kind, [&](auto example) {
    using From = decltype(example);
    for (std::size_t i = 0; i < count; ++i) {
      From number;
      std::memcpy(&number, static_cast<const std::byte*>(in) + i * sizeof(From), sizeof(From));
      Value value;
      if constexpr (std::is_floating_point_v<From>) {
        value = static_cast<double>(number);
      } else if constexpr (std::is_signed_v<From>) {
        value = std::int64_t{number};
      } else {
        value = std::uint64_t{number};
      }
      encode_number(elements.data() + i * plan.bytes, value, plan);
    }
  });
}

}  // namespace filigree::model
