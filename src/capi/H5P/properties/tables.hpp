// SPDX-License-Identifier: Apache-2.0
//
// The tables of properties, one for each class of HDF5 that has properties of its own.
#pragma once

#include <span>

#include "capi/H5P/library_property.hpp"

namespace filigree::capi {

/// Codes the number of filters and each filter.
void encode_pipeline(PlistCoder& coder, std::vector<FilterSetting>& filters);

std::span<const LibraryProperty> object_create_properties();
std::span<const LibraryProperty> group_create_properties();
std::span<const LibraryProperty> object_copy_properties();
std::span<const LibraryProperty> string_create_properties();
std::span<const LibraryProperty> link_create_properties();
std::span<const LibraryProperty> link_access_properties();
std::span<const LibraryProperty> file_create_properties();
std::span<const LibraryProperty> file_mount_properties();
std::span<const LibraryProperty> file_access_properties();
std::span<const LibraryProperty> dataset_create_properties();
std::span<const LibraryProperty> dataset_access_properties();
std::span<const LibraryProperty> dataset_transfer_properties();

}  // namespace filigree::capi
