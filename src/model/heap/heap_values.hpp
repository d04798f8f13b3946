// SPDX-License-Identifier: Apache-2.0
//
// Values whose bytes live in the global heap: variable-length strings and sequences.
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

/// What an element stores in place of a variable-length value.
struct HeapValue {
  std::uint32_t length = 0;  ///< in elements of the base type
  Address collection = Address::undefined;
  std::uint32_t index = 0;

  /// Whether there is an object in the heap. Stock stores one even for an empty string.
  bool stored() const { return is_valid(collection) && to_number(collection) != 0; }
  bool empty() const { return length == 0 || !stored(); }
};

HeapValue load_heap_value(const std::byte* from, std::uint8_t offset_bytes);
void store_heap_value(std::byte* to, const HeapValue& value, std::uint8_t offset_bytes);

/// Whether elements of the type keep anything in the global heap.
bool has_heap_values(const format::DatatypeMessage& type);
/// Whether elements of the type are references or have some in them.
bool has_references(const format::DatatypeMessage& type);

/// Frees what `elements` refer to, nested values too; an object that several refer to goes once. Throws
/// Error(corrupt), changing nothing, when a reference leads nowhere.
void release_heap_values(File& file, const format::DatatypeMessage& type, Bytes elements);

/// Frees what `old` refers to, save what the elements that have taken their places, `now`, still refer to:
/// the members of compounds that were not written.
void release_replaced_values(File& file, const format::DatatypeMessage& type, Bytes old, Bytes now);

/// Clears what `elements` have in common with `element`, each of them, so that it is not released with them.
void spare_heap_values(const format::DatatypeMessage& type, MutableBytes elements, Bytes element);

/// Makes copies of what `elements` have in common with `element`: nothing of it is shared then.
void separate_heap_values(File& file, const format::DatatypeMessage& type, MutableBytes elements,
                          Bytes element);

/// Makes copies in `to` of everything that `elements`, copied from `from`, refer to. References to
/// objects and regions are cleared, since they mean nothing in another file.
void copy_heap_values(File& from, File& to, const format::DatatypeMessage& type, MutableBytes elements);

/// Likewise, to somewhere else than the heap of a file.
void fetch_heap_values(File& from, type::FileValues& to, const format::DatatypeMessage& type,
                       MutableBytes elements);

}  // namespace filigree::model
