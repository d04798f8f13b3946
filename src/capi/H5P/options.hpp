// SPDX-License-Identifier: Apache-2.0
//
// Conversion between the settings of property lists and the options of the C++ API.
#pragma once

#include <memory>

#include <filigree/dataset.hpp>
#include <filigree/file.hpp>
#include <filigree/group.hpp>
#include <filigree/options.hpp>

#include "capi/H5P/settings.hpp"

namespace filigree::capi {

/// Returns the options of File::create() for a file creation property list.
CreateOptions create_options(const FileCreationSettings& settings);
/// *Throws* Error(unsupported) for drivers that the C++ API does not have.
/// The caller handles FileAccessSettings::image (image_driver()).
AccessOptions access_options(const FileAccessSettings& settings);
/// Return the options of the C++ API for new groups and links.
GroupOptions group_options(const GroupCreationSettings& settings);
LinkOptions link_options(const LinkCreationSettings& settings);
/// Returns the options for a new dataset. `variable_parts` says whether its type has any; without them, the
/// filters of the heap section are left out.
/// *Requires* a checked layout: the caller refuses filters without chunks, and extensible extents without
/// chunks or external files, because the C++ API would choose chunks for them.
DatasetOptions dataset_options(const DatasetCreationSettings& settings, bool variable_parts = true);
/// Returns options that set the chunk cache only where one of the lists differs from the defaults.
DatasetAccess dataset_access(const DatasetAccessSettings& settings, const FileAccessSettings& of_file);
/// Returns options with HDF5's conversion rules. The caller sets the allocator of variable-length data
/// (ConversionOptions::c_memory).
TransferOptions transfer_options(const TransferSettings& settings);
/// Returns the options of the C++ API for H5Ocopy.
CopyOptions copy_options(const ObjectCopySettings& settings, const LinkCreationSettings& link);

/// Return the settings of H5Fget_create_plist and related functions, from what the file stores.
std::unique_ptr<FileCreationSettings> creation_settings(const File& file);
std::unique_ptr<GroupCreationSettings> creation_settings(const Group& group);
std::unique_ptr<DatasetCreationSettings> creation_settings(const Dataset& dataset);
std::unique_ptr<TypeCreationSettings> creation_settings(const CommittedDatatype& type);

/// The chunk cache of a dataset, with the defaults filled in.
struct ChunkCacheValues {
  std::size_t slots;
  std::size_t bytes;
  double w0;
};
/// Returns the chunk cache of a dataset: the values of its access list, or else those of the file.
ChunkCacheValues chunk_cache(const DatasetAccessSettings& settings, const FileAccessSettings& of_file);

/// Convert between the version bounds of the C API and of the C++ API.
Version to_version(H5F_libver_t version);
H5F_libver_t from_version(Version version);

}  // namespace filigree::capi
