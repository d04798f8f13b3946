// SPDX-License-Identifier: Apache-2.0
//
// What a new dataset may be (stock-behaviour §4.1).
#pragma once

#include "model/dataset/dataset.hpp"

namespace filigree::model {

/// Throws Error(invalid_argument, limit, unsupported or wrong_type) for a dataset that cannot be made, before
/// anything has changed.
void check_new_dataset(File& file, const NewDataset& made);

}  // namespace filigree::model
