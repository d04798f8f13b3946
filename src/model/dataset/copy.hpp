// SPDX-License-Identifier: Apache-2.0
//
// Copies of datasets, without their attributes and comments.
#pragma once

#include "base/address.hpp"
#include "format/messages/datatype.hpp"

namespace filigree::model {

class File;

/// Copies the dataset at `header` into `to` and returns the header of the copy, to which nothing links yet.
/// Values in the heap are copied; external files are named again, not copied. `type` is the type as `to`
/// stores it, and `committed` the header of a type there that the copy is to refer to, or undefined; its link
/// has been counted. The mappings of a virtual dataset are copied as they are stored.
Address copy_dataset(File& from, Address header, File& to, const format::DatatypeMessage& type,
                     Address committed);

}  // namespace filigree::model
