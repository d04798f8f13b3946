// SPDX-License-Identifier: Apache-2.0
//
// Conversions among integers, floating-point numbers and bitfields of any layout.
#pragma once

#include "type/conversion.hpp"

namespace filigree::type {

/// The conversion between two types that are fixed-point, floating-point or bitfield. Returns null if the
/// pair is not convertible: a bitfield converts only to bitfields.
ConversionPointer prepare_number(const DatatypeMessage& from, const DatatypeMessage& to);

}  // namespace filigree::type
