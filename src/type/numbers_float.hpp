// SPDX-License-Identifier: Apache-2.0
//
// Bit-by-bit conversions from or to floating-point numbers.
#pragma once

#include <cstdint>

#include "type/numbers_general.hpp"

namespace filigree::type {

/// A decoded floating-point number: +-1.fraction * 2^exponent.
struct DecodedFloat {
  enum class Kind : std::uint8_t { zero, finite, infinite, not_a_number };
  Kind kind = Kind::zero;
  bool negative = false;
  bool subnormal = false;  ///< whether the exponent field was zero
  std::int64_t exponent = 0;
  unsigned fraction_bits = 0;  ///< size of the fraction, at the low end of the mantissa field
};

/// Between floating-point types.
class FloatToFloat final : public GeneralConversion {
 public:
  FloatToFloat(const DatatypeMessage& from, const DatatypeMessage& to);

 private:
  bool convert(bits::Word* in, bits::Word* out, const FaultSink& faults) const override;
  bool convert_finite(const DecodedFloat& parts, bits::Word* in, bits::Word* out,
                      const FaultSink& faults) const;
};

/// From floating-point types to integers.
class FloatToInteger final : public GeneralConversion {
 public:
  FloatToInteger(const DatatypeMessage& from, const DatatypeMessage& to);

 private:
  bool convert(bits::Word* in, bits::Word* out, const FaultSink& faults) const override;
  bool convert_finite(const DecodedFloat& parts, bits::Word* in, bits::Word* out,
                      const FaultSink& faults) const;
};

/// From integers to floating-point types.
class IntegerToFloat final : public GeneralConversion {
 public:
  IntegerToFloat(const DatatypeMessage& from, const DatatypeMessage& to);

 private:
  bool convert(bits::Word* in, bits::Word* out, const FaultSink& faults) const override;
};

/// Stores the greatest or lowest value of an integer type.
void set_limit(bits::Word* out, const DatatypeMessage& type, bool lowest);

}  // namespace filigree::type
