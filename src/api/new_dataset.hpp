// SPDX-License-Identifier: Apache-2.0
//
// Creation options of datasets in the terms of the file format.
#pragma once

#include <filigree/dataset.hpp>

#include "model/dataset/create.hpp"

namespace filigree::api {

/// Converts the options of a new dataset of `file`.
/// Requires: the exclusive file lock, within a Change, because a fill value may be stored in a heap.
/// Throws: Error(invalid_argument) for options that contradict each other.
model::NewDataset to_new_dataset(model::File& file, const Datatype& type, const Dataspace& space,
                                 const DatasetOptions& options);

}  // namespace filigree::api
