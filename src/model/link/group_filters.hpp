// SPDX-License-Identifier: Apache-2.0
//
// The filters of a group. They are applied to the heap of its dense links.
#pragma once

#include <vector>

#include <filigree/filters.hpp>

#include "base/address.hpp"
#include "base/bytes.hpp"

namespace filigree::model {

class File;

/// Returns the body of the filter pipeline message of a new group; empty without filters. As in HDF5, the
/// filters may be missing until links are stored densely.
Buffer encode_group_filters(const File& file, const std::vector<FilterChoice>& filters);
/// Returns the body of the filter pipeline message of the group at `header`; empty if it has none.
Buffer stored_group_filters(File& file, Address header);
/// Decodes such a body.
std::vector<FilterChoice> decode_group_filters(const Buffer& body, Address header);

}  // namespace filigree::model
