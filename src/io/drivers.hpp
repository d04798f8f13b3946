// SPDX-License-Identifier: Apache-2.0
//
// The table of drivers: built-in ones, and those that programs register. *Thread safety*: all functions may
// be called at any time; a kind that was found stays usable after its removal.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <filigree/driver.hpp>
#include <filigree/options.hpp>

#include "io/driver_kind.hpp"

namespace filigree::io {

/// The driver for `path` that `choice` names: by name, else by the URL scheme of the path, else POSIX.
/// *Throws*: Error(not_found) for an unknown name, Error(invalid_argument) for a configuration text that the
/// driver does not take.
std::shared_ptr<const DriverKind> driver_kind(const DriverChoice& choice, const std::string& path);

/// Opens `path` through the chosen driver, with the log that `access` demands.
std::unique_ptr<VirtualFile> open_driver(const std::string& path, DriverOpenMode mode,
                                         const AccessOptions& access);

/// Tells whether two paths are the same HDF5 file; nothing if there is no file, or it cannot be another's.
std::optional<FileIdentity> driver_file_identity(const std::string& path, const AccessOptions& access);
/// Deletes a file that was created and never became an HDF5 file.
void remove_driver_files(const std::string& path, const AccessOptions& access);
/// The access options for files that external links and virtual datasets in the file at `path` name.
AccessOptions linked_access(const std::string& path, const AccessOptions& access);
/// Names the driver that a file with this driver information needs, to complete "it needs ...".
std::string needed_driver(const DriverInfo& stored);

// drivers::add() and related functions (driver.hpp).
void add_driver(UserDriver driver);
bool remove_driver(std::string_view name);
std::vector<DriverDescription> list_drivers();

}  // namespace filigree::io
