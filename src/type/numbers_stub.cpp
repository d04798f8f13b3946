// SPDX-License-Identifier: Apache-2.0
//
// Stands in for the conversions of numbers until they land.
#include "type/conversion_parts.hpp"
#include "type/numbers.hpp"

namespace filigree::type {

ConversionPointer prepare_number(const DatatypeMessage& from, const DatatypeMessage& to) {
  return format::same_type(from, to) ? make_copy(from.size) : nullptr;
}

}  // namespace filigree::type
