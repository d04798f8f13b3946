// SPDX-License-Identifier: Apache-2.0
//
// Copies of elements between datasets that store them differently.
#pragma once

#include <filigree/file.hpp>

namespace filigree::api {

/// Writes the elements of `from` to `to`, which is new and has the same dimensions and type.
///
/// Sparse datasets keep what is defined. A sparse copy of another dataset defines what `change` chooses. A
/// copy that is not sparse gets the fill value where nothing is defined, and no chunks where the source
/// stores nothing. References are copied as they are stored.
/// Requires: the extent has less than 2^64 elements. Throws: Error(unsupported) for elements of variable
/// length that have no native type.
void copy_elements(const Dataset& from, Dataset& to, const StorageChange& change);

}  // namespace filigree::api
