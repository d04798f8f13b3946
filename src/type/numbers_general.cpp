// SPDX-License-Identifier: Apache-2.0
#include "type/numbers_general.hpp"

#include <array>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include <filigree/error.hpp>

#include "type/numbers_float.hpp"

namespace filigree::type {

static_assert(std::endian::native == std::endian::little, "words are loaded as a little-endian machine does");

using bits::Word;
using format::ByteOrder;
using format::FloatFields;
using format::TypeClass;

bool FaultSink::ask(ConversionFault fault) const {
  switch ((*handler)(FaultyValue{fault, from, to, value, result})) {
    case FaultHandling::handled:
      return true;
    case FaultHandling::unhandled:
      return false;
    case FaultHandling::abort:
      break;
  }
  throw Error(ErrorKind::conversion,
              fmt::format("the fault handler aborted the conversion of a value from {} to {}",
                          format::describe_type(from), format::describe_type(to)));
}

namespace {

/// Converts between the byte order of the element and little-endian; each is its own inverse.
void reorder(std::byte* bytes, std::size_t count, ByteOrder order) {
  if (order == ByteOrder::little) return;
  std::reverse(bytes, bytes + count);
  if (order == ByteOrder::big) return;
  for (std::size_t i = 0; i + 1 < count; i += 2) std::swap(bytes[i], bytes[i + 1]);
}

Word swap_pairs(Word word) { return (word & 0x00ff00ff00ff00ff) << 8 | (word >> 8 & 0x00ff00ff00ff00ff); }

Word reorder_word(Word word, std::size_t bytes, ByteOrder order) {
  if (order == ByteOrder::little) return word;
  word = __builtin_bswap64(word) >> (64 - 8 * bytes);
  return order == ByteOrder::big ? word : swap_pairs(word);
}

/// memcpy with compile-time constants for common sizes.
void copy_bytes(void* to, const void* from, std::size_t count) {
  switch (count) {
    case 1:
      std::memcpy(to, from, 1);
      return;
    case 2:
      std::memcpy(to, from, 2);
      return;
    case 4:
      std::memcpy(to, from, 4);
      return;
    case 8:
      std::memcpy(to, from, 8);
      return;
    default:
      std::memcpy(to, from, count);
  }
}

void load(Word* words, std::size_t count, const std::byte* bytes, const DatatypeMessage& type) {
  for (std::size_t i = 0; i < count; ++i) words[i] = 0;
  copy_bytes(words, bytes, type.size);
  if (type.size <= sizeof(Word)) {
    *words = reorder_word(*words, type.size, type.order);
  } else {
    reorder(reinterpret_cast<std::byte*>(words), type.size, type.order);
  }
}

void store(std::byte* bytes, Word* words, const DatatypeMessage& type) {
  if (type.size <= sizeof(Word)) {
    *words = reorder_word(*words, type.size, type.order);
  } else {
    reorder(reinterpret_cast<std::byte*>(words), type.size, type.order);
  }
  copy_bytes(bytes, words, type.size);
}

/// The words of one element of each side plus one word; on the stack unless the types are very wide.
class Scratch {
 public:
  Scratch(std::size_t in_words, std::size_t out_words) : in_words_(in_words + 1), out_words_(out_words + 1) {
    if (in_words_ + out_words_ > small_.size()) large_.resize(in_words_ + out_words_);
  }
  Word* in() { return large_.empty() ? small_.data() : large_.data(); }
  Word* out() { return in() + in_words_; }
  std::size_t in_words() const { return in_words_; }
  std::size_t out_words() const { return out_words_; }

 private:
  std::size_t in_words_;
  std::size_t out_words_;
  std::array<Word, 16> small_;
  std::vector<Word> large_;
};

/// The largest size that offsets and precisions of 16 bits can use. Larger numbers indicate corruption.
constexpr std::uint32_t most_number_bytes = 2 * 65535 / 8 + 1;

void check_size(const DatatypeMessage& type) {
  if (type.size <= most_number_bytes) return;
  throw Error(ErrorKind::unsupported,
              fmt::format("a number of {} bytes, of which at most {} can be significant", type.size,
                          most_number_bytes));
}

class IntegerConversion final : public GeneralConversion {
 public:
  using GeneralConversion::GeneralConversion;

 private:
  bool convert(Word* in, Word* out, const FaultSink& faults) const override {
    const bool negative = from_.is_signed && bits::test(in, from_.bit_offset + from_.precision - 1u);
    const std::ptrdiff_t top = bits::highest(in, from_.bit_offset, from_.precision, !negative);
    const unsigned capacity = to_.precision - (to_.is_signed ? 1u : 0u);
    const bool fits = negative && !to_.is_signed ? false : top < static_cast<std::ptrdiff_t>(capacity);
    if (!fits) {
      if (faults.raise(negative ? ConversionFault::range_low : ConversionFault::range_high)) return false;
      set_limit(out, to_, negative);
      return true;
    }
    const unsigned common = std::min(from_.precision, to_.precision);
    bits::copy(out, to_.bit_offset, in, from_.bit_offset, common);
    bits::fill(out, to_.bit_offset + common, to_.precision - common, negative);
    return true;
  }
};

class BitfieldConversion final : public GeneralConversion {
 public:
  using GeneralConversion::GeneralConversion;

 private:
  bool convert(Word* in, Word* out, const FaultSink& faults) const override {
    if (from_.precision > to_.precision && faults.raise(ConversionFault::range_high)) return false;
    bits::copy(out, to_.bit_offset, in, from_.bit_offset, std::min(from_.precision, to_.precision));
    return true;
  }
};

}  // namespace

GeneralConversion::GeneralConversion(const DatatypeMessage& from, const DatatypeMessage& to)
    : Conversion({.from_bytes = from.size, .to_bytes = to.size}), from_(from), to_(to) {}

void GeneralConversion::do_apply(const Tile& tile, const Context& context) const {
  Scratch scratch(bits::words_for(from_.size * std::size_t{8}), bits::words_for(to_.size * std::size_t{8}));
  FaultSink faults{context.on_fault, from_, to_, tile.from, tile.to};
  const bool keeps_handled = from_.type_class == TypeClass::floating_point;
  for (std::size_t i = 0; i < tile.count; ++i) {
    faults.value = tile.from + i * tile.from_stride;
    faults.result = tile.to + i * tile.to_stride;
    load(scratch.in(), scratch.in_words(), faults.value, from_);
    clear(scratch.out(), scratch.out_words());
    if (!convert(scratch.in(), scratch.out(), faults)) {
      // The fault handler for integers sets the value, but not the padding around it.
      if (keeps_handled) continue;
      load(scratch.out(), scratch.out_words(), faults.result, to_);
    }
    set_padding(scratch.out());
    store(faults.result, scratch.out(), to_);
  }
}

void GeneralConversion::clear(Word* out, std::size_t words) const {
  std::fill_n(out, words, to_.internal_padding ? ~Word{0} : Word{0});
  if (!to_.internal_padding) return;
  const FloatFields& f = to_.floating;
  bits::fill(out, f.sign_position, 1, false);
  bits::fill(out, f.exponent_position, f.exponent_bits, false);
  bits::fill(out, f.mantissa_position, f.mantissa_bits, false);
}

void GeneralConversion::set_padding(Word* out) const {
  const std::size_t top = to_.bit_offset + std::size_t{to_.precision};
  bits::fill(out, 0, to_.bit_offset, to_.low_padding);
  bits::fill(out, top, to_.size * std::size_t{8} - top, to_.high_padding);
}

void set_limit(Word* out, const DatatypeMessage& type, bool lowest) {
  const unsigned magnitude = type.precision - (type.is_signed ? 1u : 0u);
  bits::fill(out, type.bit_offset, magnitude, !lowest);
  if (type.is_signed) bits::fill(out, type.bit_offset + magnitude, 1, lowest);
}

ConversionPointer prepare_general(const DatatypeMessage& from, const DatatypeMessage& to) {
  check_size(from);
  check_size(to);
  const bool from_float = from.type_class == TypeClass::floating_point;
  const bool to_float = to.type_class == TypeClass::floating_point;
  if (from.type_class == TypeClass::bitfield || to.type_class == TypeClass::bitfield) {
    if (from.type_class != to.type_class) return nullptr;
    return std::make_shared<BitfieldConversion>(from, to);
  }
  if (from_float && to_float) return std::make_shared<FloatToFloat>(from, to);
  if (from_float) return std::make_shared<FloatToInteger>(from, to);
  if (to_float) return std::make_shared<IntegerToFloat>(from, to);
  return std::make_shared<IntegerConversion>(from, to);
}

}  // namespace filigree::type
