// SPDX-License-Identifier: Apache-2.0
//
// Numbers of any layout, converted bit by bit. What comes out where a value does not fit, and how values are
// rounded, is what the stock library's software conversions do (docs/conversion.md).
#pragma once

#include "type/bits.hpp"
#include "type/conversion.hpp"

namespace filigree::type {

/// One element under conversion, as the fault handler shall see it.
struct FaultSink {
  const FaultHandler* handler;
  const DatatypeMessage& from;
  const DatatypeMessage& to;
  const std::byte* value;
  std::byte* result;

  /// Asks the handler, if any. True when it has written the result; throws Error(conversion) when it aborts.
  bool raise(ConversionFault fault) const { return handler != nullptr && ask(fault); }

 private:
  bool ask(ConversionFault fault) const;
};

/// Loads elements as words in little-endian order, has them converted one by one, and stores the results.
class GeneralConversion : public Conversion {
 public:
  GeneralConversion(const DatatypeMessage& from, const DatatypeMessage& to);

 protected:
  const DatatypeMessage from_;
  const DatatypeMessage to_;

 private:
  void do_apply(const Tile& tile, const Context& context) const final;
  /// Sets the bits of the value in `out`, which holds zero there. May change `in`. False when the fault
  /// handler has written the result.
  virtual bool convert(bits::Word* in, bits::Word* out, const FaultSink& faults) const = 0;
  void set_padding(bits::Word* out) const;
  void clear(bits::Word* out, std::size_t words) const;
};

/// For any two types of the classes that prepare_number takes, and by the rules of the software conversions
/// also where a faster way exists; null when the pair is not convertible.
ConversionPointer prepare_general(const DatatypeMessage& from, const DatatypeMessage& to);

}  // namespace filigree::type
