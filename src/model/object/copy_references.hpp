// SPDX-License-Identifier: Apache-2.0
//
// Translation of references in copied objects to the copies of their targets.
#pragma once

#include <string_view>

#include "base/address.hpp"
#include "base/bytes.hpp"
#include "base/function_ref.hpp"
#include "format/messages/datatype.hpp"

namespace filigree::model {

class File;

/// Returns the copy of an object, or Address::undefined if there is no object at that address.
using CopyOf = FunctionRef<Address(Address)>;

/// Writes the references of the dataset `source` to its copy `made`, each translated to the copy of its
/// target. Has no effect on datasets of other types.
void translate_dataset_references(File& from, Address source, File& to, Address made, CopyOf copy_of);
/// Translates the references in all attributes of a copied object.
void translate_attribute_references(File& from, Address source, File& to, Address made, CopyOf copy_of);

/// Copies the heap objects of `elements` to the file `to`, and translates the references in the elements and
/// in those heap objects, whatever types contain them.
void copy_with_references(File& from, File& to, const format::DatatypeMessage& type, MutableBytes elements,
                          CopyOf copy_of);
/// As translate_dataset_references(), but for types that contain references, too.
/// Throws: Error(unsupported) for references within elements of variable length.
void translate_contained_references(File& from, Address source, File& to, Address made, CopyOf copy_of);

}  // namespace filigree::model
