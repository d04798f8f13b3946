// SPDX-License-Identifier: Apache-2.0
//
// The conversions bit by bit that have a floating-point number on one side or both.
#pragma once

#include <cstdint>

#include "type/numbers_general.hpp"

namespace filigree::type {

/// A floating-point number taken apart: +-1.fraction * 2^exponent.
struct DecodedFloat {
  enum class Kind : std::uint8_t { zero, finite, infinite, not_a_number };
  Kind kind = Kind::zero;
  bool negative = false;
  bool subnormal = false;  ///< its exponent field was zero
  std::int64_t exponent = 0;
  unsigned fraction_bits = 0;  ///< these stand at the low end of the mantissa's field
};

class FloatToFloat final : public GeneralConversion {
 public:
  FloatToFloat(const DatatypeMessage& from, const DatatypeMessage& to);

 private:
  bool convert(bits::Word* in, bits::Word* out, const FaultSink& faults) const override;
  bool convert_finite(const DecodedFloat& parts, bits::Word* in, bits::Word* out,
                      const FaultSink& faults) const;
};

class FloatToInteger final : public GeneralConversion {
 public:
  FloatToInteger(const DatatypeMessage& from, const DatatypeMessage& to);

 private:
  bool convert(bits::Word* in, bits::Word* out, const FaultSink& faults) const override;
  bool convert_finite(const DecodedFloat& parts, bits::Word* in, bits::Word* out,
                      const FaultSink& faults) const;
};

class IntegerToFloat final : public GeneralConversion {
 public:
  IntegerToFloat(const DatatypeMessage& from, const DatatypeMessage& to);

 private:
  bool convert(bits::Word* in, bits::Word* out, const FaultSink& faults) const override;
};

/// The greatest or lowest value of an integer type.
void set_limit(bits::Word* out, const DatatypeMessage& type, bool lowest);

}  // namespace filigree::type
