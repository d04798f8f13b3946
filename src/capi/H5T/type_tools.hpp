// SPDX-License-Identifier: Apache-2.0
//
// What the functions on datatypes share.
#pragma once

#include "capi/H5T/datatype.hpp"

namespace filigree::capi {

using format::DatatypeMessage;

/// Returns whether the type is a variable-length string.
bool is_variable_string(const DatatypeMessage& type);
/// Returns the class in the C API, where variable-length strings are strings.
H5T_class_t class_of(const DatatypeMessage& type);
/// Returns whether HDF5 calls the type atomic: neither composed of other types nor opaque.
bool is_atomic(const DatatypeMessage& type);

/// Returns the innermost base type, whose properties enumerations, arrays and sequences report.
const DatatypeMessage& innermost(const DatatypeMessage& type);
DatatypeMessage& innermost(DatatypeMessage& type);
/// Returns the string among the base types, or null.
DatatypeMessage* find_string(DatatypeMessage& type);
inline const DatatypeMessage* find_string(const DatatypeMessage& type) {
  return find_string(const_cast<DatatypeMessage&>(type));
}

/// Sets the sizes of arrays and enumerations to those that follow from their base types.
void settle_sizes(DatatypeMessage& type);

/// *Throws* Failure with `code` for types that cannot be changed.
void require_changeable(const TypeHandle& type, Code code);
/// *Throws* Failure with `code` for an enumeration with members.
void require_no_enumerators(const DatatypeMessage& type, Code code);

std::uint32_t element_size(std::size_t bytes);  ///< *Throws* bad_value() beyond 32 bits

// Error codes of this module.
inline Code args_cant_init() { return {&H5E_ARGS_g, &H5E_CANTINIT_g}; }
inline Code args_cant_set() { return {&H5E_ARGS_g, &H5E_CANTSET_g}; }
inline Code type_cant_init() { return {&H5E_DATATYPE_g, &H5E_CANTINIT_g}; }
inline Code type_cant_set() { return {&H5E_DATATYPE_g, &H5E_CANTSET_g}; }
inline Code type_unsupported() { return {&H5E_DATATYPE_g, &H5E_UNSUPPORTED_g}; }
inline Code type_bad_type() { return {&H5E_DATATYPE_g, &H5E_BADTYPE_g}; }
inline Code type_bad_value() { return {&H5E_DATATYPE_g, &H5E_BADVALUE_g}; }

/// Convert from and to the encoded form of H5Tencode. They *throw* Failure and Error.
std::vector<std::byte> encode_type(const DatatypeMessage& type);
DatatypeMessage decode_type(const std::byte* bytes, std::size_t count);

}  // namespace filigree::capi
