// SPDX-License-Identifier: Apache-2.0
#include "type/numbers_float.hpp"

#include <fmt/format.h>

#include <filigree/error.hpp>

namespace filigree::type {

using bits::Word;
using format::ByteOrder;
using format::FloatFields;
using format::Normalisation;
using format::TypeClass;
using Kind = DecodedFloat::Kind;

namespace {

bool has_explicit_lead(const FloatFields& fields) {
  return fields.normalisation != Normalisation::msb_implied;
}

/// The exponent field of infinities: all bits set.
std::int64_t exponent_limit(const FloatFields& fields) {
  return static_cast<std::int64_t>(bits::low_mask(fields.exponent_bits));
}

DecodedFloat decode_float(const Word* in, const FloatFields& f) {
  DecodedFloat parts;
  parts.negative = bits::test(in, f.sign_position);
  const auto field = static_cast<std::int64_t>(bits::get(in, f.exponent_position, f.exponent_bits));
  const std::ptrdiff_t top = bits::highest(in, f.mantissa_position, f.mantissa_bits, true);
  if (field == exponent_limit(f)) {
    const bool only_lead = has_explicit_lead(f) && top == f.mantissa_bits - 1 &&
                           bits::all(in, f.mantissa_position, f.mantissa_bits - 1u, false);
    parts.kind = top < 0 || only_lead ? Kind::infinite : Kind::not_a_number;
    return parts;
  }
  parts.subnormal = field == 0;
  if (parts.subnormal || has_explicit_lead(f)) {
    if (top < 0) return parts;
    parts.exponent = field - f.exponent_bias + 1 - (f.mantissa_bits - top);
    parts.fraction_bits = static_cast<unsigned>(top);
  } else {
    parts.exponent = field - f.exponent_bias;
    parts.fraction_bits = f.mantissa_bits;
  }
  parts.kind = Kind::finite;
  return parts;
}

void put_infinity(Word* out, const FloatFields& f) {
  bits::fill(out, f.exponent_position, f.exponent_bits, true);
  bits::fill(out, f.mantissa_position, f.mantissa_bits, false);
  if (has_explicit_lead(f)) bits::fill(out, f.mantissa_position + f.mantissa_bits - 1u, 1, true);
}

/// Copies a fraction of `count` bits at `from_at` to `requested` bits at `to_at`, truncated or extended at
/// its low end.
void copy_fraction(Word* out, std::size_t to_at, std::size_t requested, const Word* in, std::size_t from_at,
                   std::size_t count) {
  if (count >= requested) {
    bits::copy(out, to_at, in, from_at + count - requested, requested);
  } else {
    bits::copy(out, to_at + requested - count, in, from_at, count);
  }
}

void check_float(const DatatypeMessage& type) {
  if (type.type_class != TypeClass::floating_point) return;
  if (type.floating.exponent_bits > 62) {
    throw Error(ErrorKind::unsupported, fmt::format("a floating-point type with an exponent of {} bits",
                                                    type.floating.exponent_bits));
  }
  if (type.order == ByteOrder::vax && type.size % 2 != 0) {
    throw Error(ErrorKind::unsupported, fmt::format("a VAX floating-point type of {} bytes", type.size));
  }
}

/// Returns whether the infinite value was handled; see FaultSink::raise().
bool raise_infinity(const DecodedFloat& parts, const FaultSink& faults) {
  return faults.raise(parts.negative ? ConversionFault::negative_infinity
                                     : ConversionFault::positive_infinity);
}

}  // namespace

FloatToFloat::FloatToFloat(const DatatypeMessage& from, const DatatypeMessage& to)
    : GeneralConversion(from, to) {
  check_float(from);
  check_float(to);
}

bool FloatToFloat::convert(Word* in, Word* out, const FaultSink& faults) const {
  const FloatFields& f = to_.floating;
  const DecodedFloat parts = decode_float(in, from_.floating);
  bits::put(out, f.sign_position, 1, parts.negative);
  switch (parts.kind) {
    case Kind::zero:
      return true;
    case Kind::finite:
      return convert_finite(parts, in, out, faults);
    case Kind::infinite:
      if (raise_infinity(parts, faults)) return false;
      put_infinity(out, f);
      return true;
    case Kind::not_a_number:
      if (faults.raise(ConversionFault::not_a_number)) return false;
      bits::fill(out, f.exponent_position, f.exponent_bits, true);
      bits::fill(out, f.mantissa_position, f.mantissa_bits, true);
      return true;
  }
  return true;
}

bool FloatToFloat::convert_finite(const DecodedFloat& parts, Word* in, Word* out,
                                  const FaultSink& faults) const {
  const FloatFields& f = to_.floating;
  const std::size_t from_at = from_.floating.mantissa_position;
  const std::int64_t limit = exponent_limit(f);
  std::int64_t exponent = parts.exponent + f.exponent_bias;
  // The bit of the leading one in the mantissa field; just above the field if it is implied.
  std::int64_t lead = f.mantissa_bits - (has_explicit_lead(f) ? 1 : 0);
  if (exponent <= 0) {
    lead -= 1 - exponent;
    exponent = 0;
  }
  if (exponent < limit && lead >= 0) {
    const auto requested = static_cast<unsigned>(lead);
    const std::size_t dropped = parts.fraction_bits > requested ? parts.fraction_bits - requested : 0;
    // Halves are rounded away from zero, but never to infinity.
    bool up = dropped > 0 && bits::test(in, from_at + dropped - 1);
    if (up && exponent == limit - 1) up = !bits::all(in, from_at + dropped, requested, true);
    const bool carry = up && bits::increment(in, from_at + dropped, requested);
    copy_fraction(out, f.mantissa_position, requested, in, from_at, parts.fraction_bits);
    if (!carry) {
      if (requested < f.mantissa_bits) bits::put(out, f.mantissa_position + requested, 1, 1);
    } else if (exponent == 0 && requested + 1 < f.mantissa_bits) {
      bits::put(out, f.mantissa_position + requested + 1, 1, 1);
    } else {
      ++exponent;
      if (has_explicit_lead(f)) bits::put(out, f.mantissa_position + f.mantissa_bits - 1u, 1, 1);
    }
  } else if (exponent < limit && lead == -1) {
    bits::put(out, f.mantissa_position, 1, 1);
  }
  if (exponent >= limit) {
    if (faults.raise(ConversionFault::range_high)) return false;
    put_infinity(out, f);
    return true;
  }
  bits::put(out, f.exponent_position, f.exponent_bits, static_cast<Word>(exponent));
  return true;
}

FloatToInteger::FloatToInteger(const DatatypeMessage& from, const DatatypeMessage& to)
    : GeneralConversion(from, to) {
  check_float(from);
}

bool FloatToInteger::convert(Word* in, Word* out, const FaultSink& faults) const {
  const DecodedFloat parts = decode_float(in, from_.floating);
  switch (parts.kind) {
    case Kind::zero:
      return true;
    case Kind::finite:
      return convert_finite(parts, in, out, faults);
    case Kind::infinite:
      if (raise_infinity(parts, faults)) return false;
      set_limit(out, to_, parts.negative);
      return true;
    case Kind::not_a_number:
      return !faults.raise(ConversionFault::not_a_number);
  }
  return true;
}

bool FloatToInteger::convert_finite(const DecodedFloat& parts, Word* in, Word* out,
                                    const FaultSink& faults) const {
  if (parts.exponent < 0) return true;
  const std::size_t from_at = from_.floating.mantissa_position;
  const std::int64_t capacity = to_.precision - (to_.is_signed ? 1 : 0);
  const std::int64_t whole = std::min<std::int64_t>(parts.exponent, parts.fraction_bits);
  const std::size_t below = parts.fraction_bits - static_cast<std::size_t>(whole);
  // The lowest value is a fault as well, although it fits.
  const bool fits = parts.exponent < capacity && (!parts.negative || to_.is_signed);
  if (!fits) {
    if (faults.raise(parts.negative ? ConversionFault::range_low : ConversionFault::range_high)) return false;
    set_limit(out, to_, parts.negative);
    return true;
  }
  if (below > 0 && faults.raise(ConversionFault::truncated)) return false;
  const auto exponent = static_cast<std::size_t>(parts.exponent);
  copy_fraction(out, to_.bit_offset, exponent, in, from_at, parts.fraction_bits);
  bits::put(out, to_.bit_offset + exponent, 1, 1);
  if (parts.negative) bits::negate(out, to_.bit_offset, to_.precision);
  return true;
}

IntegerToFloat::IntegerToFloat(const DatatypeMessage& from, const DatatypeMessage& to)
    : GeneralConversion(from, to) {
  check_float(to);
}

bool IntegerToFloat::convert(Word* in, Word* out, const FaultSink& faults) const {
  const FloatFields& f = to_.floating;
  const std::size_t from_at = from_.bit_offset;
  const bool negative = from_.is_signed && bits::test(in, from_at + from_.precision - 1u);
  if (negative) bits::negate(in, from_at, from_.precision);
  const std::ptrdiff_t top = bits::highest(in, from_at, from_.precision, true);
  if (top < 0) return true;
  const auto fraction = static_cast<std::size_t>(top);
  const std::size_t requested = f.mantissa_bits - (has_explicit_lead(f) ? 1u : 0u);
  std::int64_t exponent = static_cast<std::int64_t>(top) + f.exponent_bias;
  bits::put(out, f.sign_position, 1, negative);
  if (fraction > requested) {
    const std::size_t drop = fraction - requested;
    if (faults.raise(ConversionFault::precision)) return false;
    const bool half = bits::test(in, from_at + drop - 1);
    const bool above_half = half && !bits::all(in, from_at, drop - 1, false);
    const bool odd = bits::test(in, from_at + drop);
    if (above_half || (half && odd)) exponent += bits::increment(in, from_at + drop, requested);
  }
  if (exponent >= exponent_limit(f)) {
    if (faults.raise(ConversionFault::range_high)) return false;
    put_infinity(out, f);
    return true;
  }
  copy_fraction(out, f.mantissa_position, requested, in, from_at, fraction);
  if (requested < f.mantissa_bits) bits::put(out, f.mantissa_position + requested, 1, 1);
  bits::put(out, f.exponent_position, f.exponent_bits, static_cast<Word>(exponent));
  return true;
}

}  // namespace filigree::type
