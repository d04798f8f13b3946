// SPDX-License-Identifier: Apache-2.0
//
// Validation of dataset creation options, by the rules of H5Dcreate.
#pragma once

#include "model/dataset/dataset.hpp"

namespace filigree::model {

/// Checks the creation options of a dataset before anything is modified.
/// Throws: Error(invalid_argument, limit, unsupported or wrong_type) for a dataset that cannot be created.
void check_new_dataset(File& file, const NewDataset& made);

}  // namespace filigree::model
