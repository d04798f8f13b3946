// SPDX-License-Identifier: Apache-2.0
//
// The contiguous layout: elements in one block of the file.
#pragma once

#include "format/messages/layout.hpp"

namespace filigree::model {

class Dataset;

/// Allocates the storage of a contiguous dataset and returns the new layout message. Fill values are written
/// unless `about_to_cover` says that every element will be written. Variable-length elements become zero
/// bytes even then, so that a failed write leaves no invalid references. Has no effect if the dataset has
/// storage or needs none.
/// Requires: a contiguous layout without external files, and the exclusive file lock, within a Change.
format::LayoutMessage allocate_contiguous(const Dataset& dataset, bool about_to_cover);

}  // namespace filigree::model
