// SPDX-License-Identifier: Apache-2.0
//
// What the functions on datatypes share.
#pragma once

#include "capi/H5T/datatype.hpp"

namespace filigree::capi {

using format::DatatypeMessage;

bool is_variable_string(const DatatypeMessage& type);
/// As the C API sees it: strings of variable length are strings.
H5T_class_t class_of(const DatatypeMessage& type);
/// Not made of other types, and not opaque: what stock calls atomic.
bool is_atomic(const DatatypeMessage& type);

/// The innermost base type: properties of enumerations, arrays and sequences are those of what they are of.
const DatatypeMessage& innermost(const DatatypeMessage& type);
DatatypeMessage& innermost(DatatypeMessage& type);
/// The string on the way there; null when there is none.
DatatypeMessage* find_string(DatatypeMessage& type);
inline const DatatypeMessage* find_string(const DatatypeMessage& type) {
  return find_string(const_cast<DatatypeMessage&>(type));
}

/// Gives arrays and enumerations the size that follows from their base.
void settle_sizes(DatatypeMessage& type);

/// Throws Failure(code) for types that cannot be changed.
void require_changeable(const TypeHandle& type, Code code);
/// `outer` for an enumeration that has members already.
void require_no_enumerators(const DatatypeMessage& type, Code code);

std::uint32_t element_size(std::size_t bytes);  ///< throws bad_value() beyond 32 bits

// Codes of this module.
inline Code args_cant_init() { return {&H5E_ARGS_g, &H5E_CANTINIT_g}; }
inline Code args_cant_set() { return {&H5E_ARGS_g, &H5E_CANTSET_g}; }
inline Code type_cant_init() { return {&H5E_DATATYPE_g, &H5E_CANTINIT_g}; }
inline Code type_cant_set() { return {&H5E_DATATYPE_g, &H5E_CANTSET_g}; }
inline Code type_unsupported() { return {&H5E_DATATYPE_g, &H5E_UNSUPPORTED_g}; }
inline Code type_bad_type() { return {&H5E_DATATYPE_g, &H5E_BADTYPE_g}; }
inline Code type_bad_value() { return {&H5E_DATATYPE_g, &H5E_BADVALUE_g}; }

/// As H5Tencode writes it, and back. Throws Failure and Error.
std::vector<std::byte> encode_type(const DatatypeMessage& type);
DatatypeMessage decode_type(const std::byte* bytes, std::size_t count);

}  // namespace filigree::capi
