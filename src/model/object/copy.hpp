// SPDX-License-Identifier: Apache-2.0
//
// Copying of objects, within a file and between files (H5Ocopy).
#pragma once

#include <filigree/options.hpp>

#include "base/address.hpp"
#include "model/link/path.hpp"

namespace filigree::model {

class File;

/// Copies an object to the file `to` and returns the header of the copy, which has no links yet. Objects with
/// several hard links in the copied tree are copied once.
/// Requires: the exclusive lock of `to`, within a Change, and a lock of the source file.
Address copy_object(const ObjectLocation& source, File& to, const CopyOptions& options);

}  // namespace filigree::model
