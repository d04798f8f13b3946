// SPDX-License-Identifier: Apache-2.0
//
// One type in its several forms: in a file, in the memory of a C or C++ program, native, packed.
#pragma once

#include <cstddef>
#include <cstdint>

#include <filigree/conversion.hpp>

#include "format/messages/datatype.hpp"

namespace filigree::type {

using format::DatatypeMessage;

/// The C forms of variable-length values: {std::size_t length; void* elements;} and char*.
extern const Container c_sequence;
extern const Container c_string;
// Container::resize of the C forms takes a CMemory as `memory`; null means malloc.

/// Whether the type holds anything of variable length, at any depth.
bool has_variable_parts(const DatatypeMessage& type);
/// Whether it holds a reference, at any depth.
bool has_references(const DatatypeMessage& type);

/// The type as a file with offsets of that width stores it. Compounds whose members change size are laid out
/// anew: each member moves by what the ones before it have gained or lost.
DatatypeMessage file_type(const DatatypeMessage& type, std::uint8_t offset_bytes);
/// The type as a C program holds it, laid out by the same rule. `references` says how it holds those of HDF5
/// 1.12; null: as files do.
DatatypeMessage c_type(const DatatypeMessage& type, const Container* references = nullptr);
/// Without holes between members or at the end, at any depth, in order of the members' offsets.
DatatypeMessage packed(const DatatypeMessage& type);

enum class NativeSearch : std::uint8_t { ascending, descending };
/// The type of a C program that holds these values, as H5Tget_native_type finds it: always in c_form.
/// Throws Error(unsupported) for the time class.
DatatypeMessage native_type(const DatatypeMessage& type, NativeSearch search = NativeSearch::ascending);

/// Gives containers (compound, enumeration, array, variable-length) the version that stock writes when the
/// file's lower bound asks for at least `least` (1, 3 or 4; see stock-behaviour §2.1), at any depth.
void set_versions(DatatypeMessage& type, std::uint8_t least);

/// Throws Error(invalid_argument) for a type that no file could hold: zero sizes, members that overlap or
/// reach beyond the end, duplicate names, bits beyond the size, too deep.
void check_type(const DatatypeMessage& type);

/// Frees what C forms (c_sequence, c_string) in packed elements point to, what is within first, and makes
/// them missing values. Other containers are left alone: they own what they hold. Null `memory` means free.
void reclaim(const DatatypeMessage& type, std::byte* elements, std::size_t count, const CMemory* memory);

}  // namespace filigree::type
