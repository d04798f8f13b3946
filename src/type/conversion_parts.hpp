// SPDX-License-Identifier: Apache-2.0
//
// The conversions that prepare() chooses from. Each function takes a pair of types whose classes it knows
// and returns null when there is no conversion between the two.
#pragma once

#include "type/conversion.hpp"

namespace filigree::type {

ConversionPointer make_copy(std::uint32_t bytes);

ConversionPointer prepare_string(const DatatypeMessage& from, const DatatypeMessage& to, Rules rules);
/// From or to an enumeration; the other side is an enumeration or a number.
ConversionPointer prepare_enumeration(const DatatypeMessage& from, const DatatypeMessage& to, Rules rules);
/// By the names of the members.
ConversionPointer prepare_compound(const DatatypeMessage& from, const DatatypeMessage& to, Rules rules);
ConversionPointer prepare_array(const DatatypeMessage& from, const DatatypeMessage& to, Rules rules);
/// From or to a complex type; the other side is complex or a compound of two floats.
ConversionPointer prepare_complex(const DatatypeMessage& from, const DatatypeMessage& to, Rules rules);
/// From and to sequences, or between sequences and strings; strings among each other are prepare_text's.
ConversionPointer prepare_sequence(const DatatypeMessage& from, const DatatypeMessage& to, Rules rules);
/// Strings of which at least one is of variable length.
ConversionPointer prepare_text(const DatatypeMessage& from, const DatatypeMessage& to, Rules rules);
ConversionPointer prepare_reference(const DatatypeMessage& from, const DatatypeMessage& to);

/// Elements one after the other on both sides, `count` for each of the tile's: parts of arrays.
ConversionPointer make_repeated(ConversionPointer part, std::uint32_t count);

/// Asks the handler, if there is one. False: do as without a handler. Throws Error(conversion) when the
/// handler wants to stop.
bool handled(const Context& context, const FaultyValue& faulty);

}  // namespace filigree::type
