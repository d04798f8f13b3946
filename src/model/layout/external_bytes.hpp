// SPDX-License-Identifier: Apache-2.0
//
// Elements in external files.
#pragma once

#include <memory>
#include <vector>

#include "model/layout/data_bytes.hpp"

namespace filigree::model {

/// Opens the elements of a dataset in external files. Each file is opened at its first use. A missing file is
/// created for writing. Bytes beyond the end of a file read as zero.
/// Throws: reading a missing file throws Error(not_found).
std::unique_ptr<DataBytes> open_external(File& file, Address dataset,
                                         const std::vector<ExternalSegment>& segments, bool write);

/// Returns the path of an external file. Relative names start at the folder of the dataset's access options,
/// HDF5_EXTFILE_PREFIX or AccessOptions::external_data_prefix, or at the current directory.
std::string external_path(const File& file, Address dataset, const std::string& name);

}  // namespace filigree::model
