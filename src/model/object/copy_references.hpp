// SPDX-License-Identifier: Apache-2.0
//
// References in copies of objects that are to lead to copies themselves.
#pragma once

#include <string_view>

#include "base/address.hpp"
#include "base/function_ref.hpp"

namespace filigree::model {

class File;

/// Gives the copy of an object, or undefined when nothing stands at that address.
using CopyOf = FunctionRef<Address(Address)>;

/// Gives the copied dataset the references of its source, each leading to the copy of what it led to. Does
/// nothing for datasets of other types.
void translate_dataset_references(File& from, Address source, File& to, Address made, CopyOf copy_of);
/// The same for all attributes of a copied object.
void translate_attribute_references(File& from, Address source, File& to, Address made, CopyOf copy_of);

}  // namespace filigree::model
