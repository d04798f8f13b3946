// SPDX-License-Identifier: Apache-2.0
//
// Bit-by-bit conversion of numbers of any layout. Rounding, and the results for values that do not fit, equal
// those of the software conversions of HDF5 (docs/conversion.md).
#pragma once

#include "type/bits.hpp"
#include "type/conversion.hpp"

namespace filigree::type {

/// The element that is being converted, for the fault handler.
struct FaultSink {
  const FaultHandler* handler;
  const DatatypeMessage& from;
  const DatatypeMessage& to;
  const std::byte* value;
  std::byte* result;

  /// Calls the handler, if any. Returns whether it has written the result. *Throws* Error(conversion) if it
  /// aborts.
  bool raise(ConversionFault fault) const { return handler != nullptr && ask(fault); }

 private:
  bool ask(ConversionFault fault) const;
};

/// Loads every element as little-endian words, converts it, and stores the result.
class GeneralConversion : public Conversion {
 public:
  GeneralConversion(const DatatypeMessage& from, const DatatypeMessage& to);

 protected:
  const DatatypeMessage from_;
  const DatatypeMessage to_;

 private:
  void do_apply(const Tile& tile, const Context& context) const final;
  /// Stores the bits of the value in `out`, which is zero there. May change `in`. Returns false if the fault
  /// handler has written the result.
  virtual bool convert(bits::Word* in, bits::Word* out, const FaultSink& faults) const = 0;
  void set_padding(bits::Word* out) const;
  void clear(bits::Word* out, std::size_t words) const;
};

/// The conversion for any two types that prepare_number() accepts. It follows the rules of the software
/// conversions even if a faster conversion exists. Returns null if the pair is not convertible.
ConversionPointer prepare_general(const DatatypeMessage& from, const DatatypeMessage& to);

}  // namespace filigree::type
