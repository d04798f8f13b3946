// SPDX-License-Identifier: Apache-2.0
//
// Copies of objects, within a file and between files.
#pragma once

#include <filigree/options.hpp>

#include "base/address.hpp"
#include "model/link/path.hpp"

namespace filigree::model {

class File;

/// Copies what `source` names into `to` and returns the header of the copy, to which nothing links yet.
/// Hard links inside the copied tree stay shared.
Address copy_object(const Place& source, File& to, const CopyOptions& options);

}  // namespace filigree::model
