// SPDX-License-Identifier: Apache-2.0
//
// What `filigree repack` does to datasets of the copy after it was made: masks, and comparison.
#pragma once

#include <string>

#include <filigree/filigree.hpp>

#include "repack_plan.hpp"
#include "value_diff.hpp"

namespace filigree::tools {

/// Stores a dataset beside the dense copy of a sparse one, with 1 for each element that `source` defines, and
/// an attribute of the copy with its name, which is returned.
std::string store_mask(const DatasetPlan& plan, const Dataset& source, const File& made);

/// Compares a dataset with its copy: values, and which elements are defined. Sets DatasetPlan::compared.
/// Throws: Error(internal) if they differ.
void verify(DatasetPlan& plan, const Dataset& before, const Dataset& after,
            const ElementComparison& elements);

}  // namespace filigree::tools
