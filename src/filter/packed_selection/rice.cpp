// SPDX-License-Identifier: Apache-2.0
#include "filter/packed_selection/rice.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "filter/limits.hpp"

namespace filigree::filter {
namespace {

std::uint64_t rice_bits(std::span<const std::uint64_t> values, unsigned parameter) {
  std::uint64_t bits = 0;
  for (const std::uint64_t value : values) {
    const std::uint64_t quotient = value >> parameter;
    bits += quotient < RiceCode::escape ? quotient + 1 + parameter : RiceCode::escape + 64;
  }
  return bits;
}

}  // namespace

RiceChoice best_rice(std::span<const std::uint64_t> values) {
  if (values.empty()) return {};
  constexpr std::uint64_t far = std::uint64_t{1} << 40;
  std::uint64_t differ = 0, total = 0, all = 0;
  for (const std::uint64_t value : values) {
    differ |= value ^ values.front();
    all |= value;
    total += value;
  }
  if (differ == 0) return {{RiceCode::is_constant, values.front()}, 0};
  if (all >= far) {
    total = 0;
    for (const std::uint64_t value : values) total += std::min(value, far);
  }
  // Half the mean, rounded to a power of two, is the best parameter for geometric distributions. Outliers
  // raise it.
  const std::uint64_t mean = total / values.size();
  const unsigned most = mean == 0 ? 0 : static_cast<unsigned>(std::bit_width(mean)) - 1;
  const unsigned least = most < 2 ? 0 : most - 1;
  const auto choice = [](unsigned k, std::uint64_t bits) {
    return RiceChoice{{static_cast<std::uint8_t>(k), 0}, bits};
  };
  if (all >> least < RiceCode::escape) {
    std::uint64_t of_least = 0, of_most = 0;
    for (const std::uint64_t value : values) {
      of_least += value >> least;
      of_most += value >> most;
    }
    of_least += values.size() * (least + 1);
    of_most += values.size() * (most + 1);
    return of_most < of_least ? choice(most, of_most) : choice(least, of_least);
  }
  const std::uint64_t of_least = rice_bits(values, least), of_most = rice_bits(values, most);
  return of_most < of_least ? choice(most, of_most) : choice(least, of_least);
}

std::uint64_t RiceReader::last_bits() const {
  const std::uint64_t byte = at_ >> 3;
  return load_word(bytes_.data() + byte, static_cast<unsigned>(bytes_.size() - byte)) >> (at_ & 7);
}

std::uint64_t RiceReader::get_long(unsigned parameter, unsigned quotient) {
  if (quotient < RiceCode::escape) {
    skip(quotient + 1);
    return std::uint64_t{quotient} << parameter | bits(parameter);
  }
  skip(RiceCode::escape);
  const std::uint64_t low = bits(32);
  return bits(32) << 32 | low;
}

void RiceReader::fail() {
  throw Error(ErrorKind::truncated, "packed selection ends in the middle of its numbers");
}

void put_varint(Buffer& to, std::uint64_t value) {
  for (; value >= 128; value >>= 7) to.push_back(static_cast<std::byte>(value | 128));
  to.push_back(static_cast<std::byte>(value));
}

void put_code(Buffer& to, RiceCode code) {
  to.push_back(static_cast<std::byte>(code.parameter));
  if (!code.coded()) put_varint(to, code.constant);
}

std::uint8_t VarintReader::byte() {
  check_holds(bytes_.size(), 1, "packed selection");
  const auto value = std::to_integer<std::uint8_t>(bytes_[0]);
  bytes_ = bytes_.subspan(1);
  return value;
}

std::uint64_t VarintReader::varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const std::uint64_t next = byte();
    value |= (next & 127) << shift;
    if (next < 128) return value;
  }
  throw Error(ErrorKind::corrupt, "packed selection has a number of more than 64 bits");
}

RiceCode VarintReader::code() {
  const std::uint8_t parameter = byte();
  if (parameter == RiceCode::is_constant) return {parameter, varint()};
  if (parameter > RiceCode::most_bits) {
    throw Error(ErrorKind::corrupt, fmt::format("packed selection has a Rice parameter of {}", parameter));
  }
  return {parameter, 0};
}

}  // namespace filigree::filter
