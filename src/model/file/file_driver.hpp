// SPDX-License-Identifier: Apache-2.0
//
// Which driver keeps a file's bytes, and what the file says about that.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <filigree/options.hpp>

#include "base/bytes.hpp"
#include "io/posix/posix_file.hpp"
#include "store/file_part.hpp"

namespace filigree::model {

/// The file at `path` through the driver that `access` asks for.
std::unique_ptr<io::VirtualFile> open_driver(const std::string& path, io::OpenMode mode,
                                             const AccessOptions& access);
/// The system's number for an open file of one part.
std::optional<int> descriptor(const io::VirtualFile& file);
/// The path of the file that holds the superblock: it tells whether two paths are the same HDF5 file.
std::string superblock_path(const std::string& path, const AccessOptions& access);
/// All files that a new, empty HDF5 file consists of.
std::vector<std::string> new_paths(const std::string& path, const AccessOptions& access);
/// For the files that external links lead to.
AccessOptions linked_access(const AccessOptions& access);

/// What a file says about the driver that wrote it.
struct DriverInfo {
  std::string id;
  Buffer info;
};

/// What `file` must say, with `parts` in use; nothing for drivers of one file.
std::optional<DriverInfo> driver_info(const io::VirtualFile& file, const std::vector<store::FilePart>& parts);

/// Throws Error(unsupported) naming the driver that is needed when it is another one, Error(invalid_argument)
/// when the driver cuts the file differently, Error(truncated) when a member has lost bytes. The driver knows
/// from then on where each of its files ends.
void apply_driver_info(io::VirtualFile& file, const DriverInfo& stored);
/// Throws Error(unsupported) for a driver that cannot do without such information.
void require_no_driver_info(const io::VirtualFile& file);

}  // namespace filigree::model
