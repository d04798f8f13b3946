// SPDX-License-Identifier: Apache-2.0
//
// References of the same kind whose addresses have different widths.
#include <cstring>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "type/conversion_parts.hpp"

namespace filigree::type {

using format::ReferenceKind;

namespace {

/// Zero and "undefined" keep their meaning.
void move_address(const std::byte* from, unsigned from_width, std::byte* to, unsigned to_width) {
  std::uint64_t address = load_word(from, from_width);
  if (address == widest_word(from_width)) {
    address = widest_word(to_width);
  } else if (address > widest_word(to_width)) {
    throw Error(ErrorKind::limit,
                fmt::format("a reference to {:#x} does not fit {} bytes", address, to_width));
  }
  store_word(to, address, to_width);
}

/// An address, then `tail` bytes.
class AddressConversion final : public Conversion {
 public:
  AddressConversion(const DatatypeMessage& from, const DatatypeMessage& to, std::uint32_t tail)
      : Conversion({.from_bytes = from.size, .to_bytes = to.size}), tail_(tail) {}

 private:
  void do_apply(const Tile& tile, const Context&) const override {
    const std::uint32_t from_width = traits().from_bytes - tail_;
    const std::uint32_t to_width = traits().to_bytes - tail_;
    for (std::size_t i = 0; i < tile.count; ++i) {
      const std::byte* from = tile.from + i * tile.from_stride;
      std::byte* to = tile.to + i * tile.to_stride;
      move_address(from, from_width, to, to_width);
      std::memcpy(to + to_width, from + from_width, tail_);
    }
  }

  std::uint32_t tail_;
};

/// kind, flags, then bytes of the token and the token; or length, address and index of a heap object.
class RevisedConversion final : public Conversion {
 public:
  RevisedConversion(const DatatypeMessage& from, const DatatypeMessage& to)
      : Conversion({.from_bytes = from.size, .to_bytes = to.size}) {}

 private:
  static constexpr std::uint32_t around_address = 10;

  void do_apply(const Tile& tile, const Context&) const override {
    for (std::size_t i = 0; i < tile.count; ++i) {
      convert(tile.from + i * tile.from_stride, tile.to + i * tile.to_stride);
    }
  }

  void convert(const std::byte* from, std::byte* to) const {
    const unsigned from_width = traits().from_bytes - around_address;
    const unsigned to_width = traits().to_bytes - around_address;
    std::memset(to, 0, traits().to_bytes);
    if (from[0] == std::byte{0}) return;
    std::memcpy(to, from, 2);
    const bool inlined = from[0] == std::byte{2} && from[1] == std::byte{0};
    if (!inlined) {
      std::memcpy(to + 2, from + 2, 4);
      move_address(from + 6, from_width, to + 6, to_width);
      std::memcpy(to + 6 + to_width, from + 6 + from_width, 4);
      return;
    }
    const unsigned token = std::to_integer<unsigned>(from[2]);
    if (token > from_width) {
      throw Error(
          ErrorKind::corrupt,
          fmt::format("a reference has a token of {} bytes in a file of {}-byte offsets", token, from_width));
    }
    to[2] = static_cast<std::byte>(to_width);
    move_address(from + 3, token, to + 3, to_width);
  }
};

bool is_revised(const DatatypeMessage& type) { return type.reference > ReferenceKind::region; }

bool has_width(const DatatypeMessage& type, std::uint32_t around) {
  return type.size > around && type.size <= around + 8;
}

}  // namespace

ConversionPointer prepare_reference(const DatatypeMessage& from, const DatatypeMessage& to) {
  if (is_revised(from) != is_revised(to)) return nullptr;
  if (is_revised(from)) {
    if (from.size == to.size) return make_copy(to.size);
    if (!has_width(from, 10) || !has_width(to, 10)) return nullptr;
    return std::make_shared<RevisedConversion>(from, to);
  }
  if (from.reference != to.reference) return nullptr;
  if (from.size == to.size) return make_copy(to.size);
  const std::uint32_t tail = from.reference == ReferenceKind::region ? 4 : 0;
  if (!has_width(from, tail) || !has_width(to, tail)) return nullptr;
  return std::make_shared<AddressConversion>(from, to, tail);
}

}  // namespace filigree::type
