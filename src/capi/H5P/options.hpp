// SPDX-License-Identifier: Apache-2.0
//
// From the settings of property lists to the options of the core, and back.
#pragma once

#include <memory>

#include <filigree/dataset.hpp>
#include <filigree/file.hpp>
#include <filigree/group.hpp>
#include <filigree/options.hpp>

#include "capi/H5P/settings.hpp"

namespace filigree::capi {

CreateOptions create_options(const FileCreationSettings& settings);
/// Throws Error(unsupported) for drivers that the core has not. What FileAccessSettings::image holds is up to
/// the caller (File::open_image()).
AccessOptions access_options(const FileAccessSettings& settings);
GroupOptions group_options(const GroupCreationSettings& settings);
LinkOptions link_options(const LinkCreationSettings& settings);
/// The layout is that of the list: refuse filters without chunks, and extents that may grow without chunks or
/// external files, before the core finds chunks for them. `variable_parts`: of the dataset's type; without
/// them, filters of values of variable length are left out.
DatasetOptions dataset_options(const DatasetCreationSettings& settings, bool variable_parts = true);
/// Nothing of a cache unless one of the lists asks for other than the defaults.
DatasetAccess dataset_access(const DatasetAccessSettings& settings, const FileAccessSettings& of_file);
/// Stock's rules. The memory of variable-length values (ConversionOptions::c_memory) is up to the caller.
TransferOptions transfer_options(const TransferSettings& settings);
CopyOptions copy_options(const ObjectCopySettings& settings, const LinkCreationSettings& link);

std::unique_ptr<FileCreationSettings> creation_settings(const File& file);
std::unique_ptr<GroupCreationSettings> creation_settings(const Group& group);
std::unique_ptr<DatasetCreationSettings> creation_settings(const Dataset& dataset);
std::unique_ptr<TypeCreationSettings> creation_settings(const CommittedDatatype& type);

/// The cache that a dataset has by these lists, with the defaults in place.
struct ChunkCacheValues {
  std::size_t slots;
  std::size_t bytes;
  double w0;
};
ChunkCacheValues chunk_cache(const DatasetAccessSettings& settings, const FileAccessSettings& of_file);

Version to_version(H5F_libver_t version);
H5F_libver_t from_version(Version version);

}  // namespace filigree::capi
