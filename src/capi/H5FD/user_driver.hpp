// SPDX-License-Identifier: Apache-2.0
//
// Driver classes that programs register (H5FDregister) as user-defined drivers of the C++ API.
#pragma once

#include <memory>
#include <optional>

#include <filigree/driver.hpp>

#include "capi/H5FD/driver_files.hpp"

namespace filigree::capi {

/// The user-defined driver that the settings name; nothing for drivers of the library.
std::optional<UserDriver> user_driver(const FileAccessSettings& settings);

/// The open file of the driver class that keeps the bytes of `file`; null for other drivers.
std::shared_ptr<DriverFile> class_driver_file(const File& file);

/// Deletes a file by the `del` function of its driver class. *Throws*: Failure.
void delete_by_driver(const char* name, hid_t fapl);

}  // namespace filigree::capi
