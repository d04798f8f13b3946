// SPDX-License-Identifier: Apache-2.0
//
// Datatypes derived from others: in a file, in the memory of a C program, native, packed; and checks of
// datatypes.
#pragma once

#include <cstddef>
#include <cstdint>

#include <filigree/conversion.hpp>

#include "format/messages/datatype.hpp"

namespace filigree::type {

using format::DatatypeMessage;

/// Variable-length values in C programs: {std::size_t length; void* elements;} (hvl_t) and char*.
extern const Container c_sequence;
extern const Container c_string;
// Their Container::resize expects a CMemory as `memory`; null means malloc.

/// Whether the type contains a variable-length type at any depth.
bool has_variable_parts(const DatatypeMessage& type);
/// Whether the type contains a reference at any depth.
bool has_references(const DatatypeMessage& type);

/// The datatype in a file with addresses of `offset_bytes`. Members of a compound move by the amount that the
/// members before them grow or shrink.
DatatypeMessage file_type(const DatatypeMessage& type, std::uint8_t offset_bytes);
/// The datatype in the memory of a C program, with members moved by the same rule. `references` is the
/// container of references of HDF5 1.12; null means that they are stored as in files.
DatatypeMessage c_type(const DatatypeMessage& type, const Container* references = nullptr);
/// The datatype without padding at any depth (H5Tpack). Members keep the order of their offsets.
DatatypeMessage packed(const DatatypeMessage& type);

/// The direction in which H5Tget_native_type searches.
enum class NativeSearch : std::uint8_t { ascending, descending };
/// The native datatype for these values, as H5Tget_native_type returns it; always a c_type(). *Throws*
/// Error(unsupported) for the time class.
DatatypeMessage native_type(const DatatypeMessage& type, NativeSearch search = NativeSearch::ascending);

/// Sets the message versions of containers (compound, enumeration, array, variable-length) at any depth, as
/// HDF5 does for the lower library version bound of the file. `least` is 1, 3 or 4: the versions of
/// HDF5 1.0, 1.8 and 1.12.
void set_versions(DatatypeMessage& type, std::uint8_t least);

/// *Throws* Error(invalid_argument) for a datatype that cannot be stored: zero sizes, members that overlap or
/// exceed the size, duplicate names, bits outside of the size, nesting that is too deep.
void check_type(const DatatypeMessage& type);

/// Frees the memory of variable-length C values (c_sequence, c_string) in packed elements, inner values
/// first, and sets them to null. Other containers own their values and are not changed. Null `memory` means
/// free().
void reclaim(const DatatypeMessage& type, std::byte* elements, std::size_t count, const CMemory* memory);

}  // namespace filigree::type
