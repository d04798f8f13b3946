// SPDX-License-Identifier: Apache-2.0
//
// What the library knows of one kind of driver: a row of the table in drivers.cpp.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <filigree/options.hpp>

#include "io/posix/posix_file.hpp"
#include "io/virtual_file.hpp"

namespace filigree::io {

/// The file to open, and how. *Invalidates*: lives as long as the call.
struct DriverRequest {
  const std::string& path;
  DriverOpenMode mode;
  const AccessOptions& access;
};

/// One kind of driver. Only `name` and `open` are needed; an empty function means what its comment says.
/// *Thread safety*: the functions are called by any number of threads at once.
struct DriverKind {
  /// DriverChoice::name(), and the name that H5Pset_driver_by_name takes.
  std::string name;
  /// Paths that begin with "url_scheme://" are opened through the driver; empty: none.
  std::string url_scheme = {};
  /// Opens the bytes at a path. The options are in `access.driver`.
  std::function<std::unique_ptr<VirtualFile>(const DriverRequest&)> open;
  /// The path of the file that holds the superblock. Empty: the path itself.
  std::function<std::string(const std::string& path, const DriverChoice&)> superblock_path = nullptr;
  /// All files that a new, empty HDF5 file consists of. Empty: superblock_path() alone.
  std::function<std::vector<std::string>(const std::string& path, const DriverChoice&)> member_paths =
      nullptr;
  /// Tells files apart, whatever their paths; nothing for a file that is never the same as another one.
  /// Empty: device and inode of superblock_path().
  std::function<std::optional<FileIdentity>(const std::string& path, const DriverChoice&)> identity = nullptr;
  /// Deletes a file that was created and never became an HDF5 file. Empty: deletes member_paths().
  std::function<void(const std::string& path, const DriverChoice&)> remove = nullptr;
  /// Whether files of external links and virtual sources are opened through the same driver; otherwise
  /// through the POSIX driver.
  bool opens_linked_files = true;
  /// Whether DriverChoice::configuration() means something to it.
  bool takes_configuration = false;
  /// Names this driver if the stored driver information belongs to it: "the family driver, with members of 10
  /// bytes". Empty: its files store none.
  std::function<std::optional<std::string>(const DriverInfo&)> describe_info = nullptr;
};

}  // namespace filigree::io
