// SPDX-License-Identifier: Apache-2.0
//
// Numbers of a file as numbers of C++, and back.
#pragma once

#include <cstddef>

#include <filigree/datatype.hpp>

#include "base/bytes.hpp"
#include "format/datatype.hpp"

namespace filigree::model {

/// Converts `count` elements. Values out of range are clipped, fractions cut. Throws Error(wrong_type) when
/// the type is not an integer, an enumeration of integers or an IEEE float, Error(unsupported) for integers
/// wider than 8 bytes.
void read_numbers(const format::DatatypeMessage& type, Bytes elements, NumberKind kind, void* out,
                  std::size_t count);
void write_numbers(const format::DatatypeMessage& type, MutableBytes elements, NumberKind kind,
                   const void* in, std::size_t count);

}  // namespace filigree::model
