// SPDX-License-Identifier: Apache-2.0
//
// What an HDF5 file and its driver tell each other: driver information, allocation, linked files.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <filigree/driver_types.hpp>
#include <filigree/options.hpp>

#include "store/file_part.hpp"

namespace filigree::io {
class VirtualFile;
}
namespace filigree::store {
class DriverAllocator;
}

namespace filigree::model {

class File;

/// The driver information that `file` must store, with `parts` in use; nothing for drivers of one file.
std::optional<DriverInfo> driver_info(const io::VirtualFile& file, const std::vector<store::FilePart>& parts);

/// Checks the stored driver information against the driver of `file`, which learns where each of its members
/// ends. *Throws*: Error(unsupported) that names the driver the file needs, and what
/// io::VirtualFile::accept_driver_info() throws.
void apply_driver_info(io::VirtualFile& file, const DriverInfo& stored);
/// *Throws*: Error(unsupported) if files of this driver always store driver information.
void require_no_driver_info(const io::VirtualFile& file);

/// Where the driver allocates new space, relative to `base`; null if it leaves that to the library.
/// *Requires*: `file` outlives the result.
std::shared_ptr<store::DriverAllocator> driver_allocator(io::VirtualFile& file, std::uint64_t base);

/// Opens the file that an external link or a virtual dataset in `of` names, through the same driver where
/// that is possible.
std::shared_ptr<File> open_linked(const File& of, const std::string& path, OpenMode mode);
/// Whether paths of linked files are the driver's own names, so that the file system knows nothing of them.
bool has_driver_paths(const File& of);

}  // namespace filigree::model
