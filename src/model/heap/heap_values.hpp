// SPDX-License-Identifier: Apache-2.0
//
// Variable-length strings and sequences, whose data is in the global heap.
#pragma once

#include <cstdint>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "base/function_ref.hpp"
#include "format/messages/datatype.hpp"

namespace filigree::type {
class FileValues;
}

namespace filigree::model {

class File;

/// The stored element of a variable-length type: a length and a global heap ID.
struct HeapValue {
  std::uint32_t length = 0;  ///< the number of elements of the base type
  Address collection = Address::undefined;
  std::uint32_t index = 0;

  /// Returns whether there is an object in the heap. HDF5 stores one even for an empty string.
  bool stored() const { return is_valid(collection) && to_number(collection) != 0; }
  bool empty() const { return length == 0 || !stored(); }
};

HeapValue load_heap_value(const std::byte* from, std::uint8_t offset_bytes);
void store_heap_value(std::byte* to, const HeapValue& value, std::uint8_t offset_bytes);

/// Returns whether elements of the type have data in the global heap.
bool has_heap_values(const format::DatatypeMessage& type);
/// Returns whether the type is or contains a reference type.
bool has_references(const format::DatatypeMessage& type);

/// Calls `see` for each variable-length value and each reference in `elements`, with its type. Those within
/// values of variable length are not visited.
void visit_indirect_values(const format::DatatypeMessage& type, Bytes elements,
                           FunctionRef<void(const format::DatatypeMessage&, Bytes)> see);

/// Frees the heap objects of `elements`, including nested ones. An object with several references is freed
/// once. Throws: Error(corrupt) for an invalid reference; nothing is changed then.
void release_heap_values(File& file, const format::DatatypeMessage& type, Bytes elements);

/// Frees the heap objects of the elements `old` that the elements `now`, which replace them, no longer refer
/// to. Compound members that were not written keep theirs.
void release_replaced_values(File& file, const format::DatatypeMessage& type, Bytes old, Bytes now);

/// Clears the references that any of `elements` shares with `element`, so that they are not freed with it.
void spare_heap_values(const format::DatatypeMessage& type, MutableBytes elements, Bytes element);

/// Copies the heap objects that any of `elements` shares with `element`, so that nothing is shared.
void separate_heap_values(File& file, const format::DatatypeMessage& type, MutableBytes elements,
                          Bytes element);

/// Copies the heap objects of `elements` from `from` to `to` and updates the elements. Object and region
/// references are cleared, because they are not valid in another file.
void copy_heap_values(File& from, File& to, const format::DatatypeMessage& type, MutableBytes elements);

/// Clears the references of elements whose variable-length values are not in the global heap.
/// Throws: Error(unsupported) if such values contain references.
void clear_references(const format::DatatypeMessage& type, MutableBytes elements);

/// Changes a reference of the given type in place, so that it is valid in the other file.
using TranslateReference = FunctionRef<void(const format::DatatypeMessage&, MutableBytes)>;
/// As copy_heap_values() between files, but translates references instead of clearing them.
void copy_heap_values(File& from, File& to, const format::DatatypeMessage& type, MutableBytes elements,
                      TranslateReference translate);

/// Copies the heap objects of `elements` to a destination that is not a file's heap.
void fetch_heap_values(File& from, type::FileValues& to, const format::DatatypeMessage& type,
                       MutableBytes elements);

}  // namespace filigree::model
