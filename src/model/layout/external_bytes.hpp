// SPDX-License-Identifier: Apache-2.0
//
// Elements that stand in other files, one stretch after the other.
#pragma once

#include <memory>
#include <vector>

#include "model/layout/data_bytes.hpp"

namespace filigree::model {

/// The files are opened when their bytes are first needed. A missing one is Error(not_found) when it is read,
/// and made when it is written; bytes beyond the end of one read as zero.
std::unique_ptr<DataBytes> open_external(File& file, Address dataset,
                                         const std::vector<ExternalSegment>& segments, bool write);

/// Where a segment's file is: names are relative to the current directory, or to what HDF5_EXTFILE_PREFIX or
/// AccessOptions::external_data_prefix says, or what the dataset's user says.
std::string external_path(const File& file, Address dataset, const std::string& name);

}  // namespace filigree::model
