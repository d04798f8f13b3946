// SPDX-License-Identifier: Apache-2.0
//
// Copies of datasets, without their attributes and comments.
#pragma once

#include "base/address.hpp"
#include "format/messages/datatype.hpp"

namespace filigree::model {

class Dataset;
class File;

/// Copies a dataset into `to` and returns the header of the copy, to which nothing links yet. Values in the
/// heap are copied; external files are named again, not copied. The mappings of a virtual dataset are copied
/// as they are stored. `type` is the type as `to` stores it. `committed` is the header of a committed
/// datatype there that the copy is to use, or undefined; its link has been counted. Requires: the exclusive
/// lock of `to`, within a Change.
Address copy_dataset(const Dataset& source, File& to, const format::DatatypeMessage& type, Address committed);

}  // namespace filigree::model
