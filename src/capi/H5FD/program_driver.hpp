// SPDX-License-Identifier: Apache-2.0
//
// Drivers that programs register, as those of the C++ API.
#pragma once

#include <memory>
#include <optional>

#include <filigree/driver.hpp>

#include "capi/H5FD/driver_files.hpp"

namespace filigree::capi {

/// What files are opened through when the settings ask for a driver of the program; nothing for drivers of
/// the library.
std::optional<CustomDriver> program_driver(const FileAccessSettings& settings);

/// What keeps the bytes of an open file, when that is a driver of the program; else null.
std::shared_ptr<DriverFile> program_file(const File& file);

/// Takes a file away by the `del` of the driver. Throws Failure.
void delete_by_driver(const char* name, hid_t fapl);

}  // namespace filigree::capi
