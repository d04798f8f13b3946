// SPDX-License-Identifier: Apache-2.0
//
// Conversions among integers, floating-point numbers and bitfields of any layout.
#pragma once

#include "type/conversion.hpp"

namespace filigree::type {

/// For two types that are each fixed-point, floating-point or bitfield; null when the pair is not
/// convertible (a bitfield goes to bitfields only).
ConversionPointer prepare_number(const DatatypeMessage& from, const DatatypeMessage& to);

}  // namespace filigree::type
