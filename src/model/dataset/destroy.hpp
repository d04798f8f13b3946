// SPDX-License-Identifier: Apache-2.0
//
// Deletion of datasets.
#pragma once

#include "base/address.hpp"

namespace filigree::model {

class File;

/// Frees everything that the messages of a dataset refer to: elements, variable-length data, names of
/// external files. Damaged structures stay allocated, because the object must be deleted in any case.
/// Requires: the exclusive file lock, within a Change. Throws: only failures of the device.
void destroy_dataset_storage(File& file, Address header);

}  // namespace filigree::model
