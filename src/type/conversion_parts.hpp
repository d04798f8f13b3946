// SPDX-License-Identifier: Apache-2.0
//
// The conversions that prepare() chooses from. Each function accepts a pair of datatypes of certain classes
// and returns null if there is no conversion between the two.
#pragma once

#include "type/conversion.hpp"

namespace filigree::type {

/// Copies elements of `bytes` bytes.
ConversionPointer make_copy(std::uint32_t bytes);

/// Between fixed-length strings.
ConversionPointer prepare_string(const DatatypeMessage& from, const DatatypeMessage& to, Rules rules);
/// From or to an enumeration. The other side is an enumeration or a number.
ConversionPointer prepare_enumeration(const DatatypeMessage& from, const DatatypeMessage& to, Rules rules);
/// Between compounds, by the names of their members.
ConversionPointer prepare_compound(const DatatypeMessage& from, const DatatypeMessage& to, Rules rules);
/// Between arrays of equal dimensions.
ConversionPointer prepare_array(const DatatypeMessage& from, const DatatypeMessage& to, Rules rules);
/// From or to a complex number. The other side is complex, a number, or a pair of parts.
ConversionPointer prepare_complex(const DatatypeMessage& from, const DatatypeMessage& to, Rules rules);
/// Between sequences, or between sequences and strings. prepare_text() handles two strings.
ConversionPointer prepare_sequence(const DatatypeMessage& from, const DatatypeMessage& to, Rules rules);
/// Between strings, at least one of which has variable length.
ConversionPointer prepare_text(const DatatypeMessage& from, const DatatypeMessage& to, Rules rules);
/// Between references of the same kind.
ConversionPointer prepare_reference(const DatatypeMessage& from, const DatatypeMessage& to);

/// Applies `part` to the `count` contiguous parts of every element, such as the elements of an array.
ConversionPointer make_repeated(ConversionPointer part, std::uint32_t count);

/// Calls the fault handler, if there is one. Returns false if the conversion should proceed as without a
/// handler. *Throws* Error(conversion) if the handler aborts.
bool handled(const Context& context, const FaultyValue& faulty);

}  // namespace filigree::type
