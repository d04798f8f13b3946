// SPDX-License-Identifier: Apache-2.0
//
// File drivers as ids, and what file access property lists hold for those of the library.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>

#include "capi/H5P/settings.hpp"
#include "capi/core/ids.hpp"

namespace filigree::capi {

class DriverHandle final : public Handle {
 public:
  DriverHandle(const H5FD_class_t& driver_functions, bool library)
      : name(driver_functions.name), functions(driver_functions), of_library(library) {}
  H5I_type_t type() const override { return H5I_VFL; }
  bool permanent() const override { return of_library; }
  void close() override;  ///< the driver's `terminate`

  const std::string name;
  /// Its value is H5_VFD_INVALID for classes that were built for releases before 1.14, and for drivers of
  /// the library that HDF5 does not have.
  const H5FD_class_t functions;
  const bool of_library;
  std::recursive_mutex calls;  ///< serialises calls of classes that programs register
};

/// The file descriptor that H5Fget_vfd_handle points to. Some programs read eight bytes there.
struct alignas(8) DescriptorSlot {
  int number = -1;
  int zero = 0;
};

/// Keeps an id as long as the result lives.
std::shared_ptr<const void> retained(hid_t id);

// What DriverSetting::info is, by driver. H5_VFD_SEC2 and H5_VFD_STDIO have none.

struct CoreInfo {
  std::size_t increment = 8192;
  bool backing_store = true;
};

struct FamilyInfo {
  hsize_t member_bytes = 0;
  std::shared_ptr<const FileAccessSettings> member_access;  ///< null: the default
};

struct LogInfo {
  std::string path;  ///< empty: the standard error stream
  unsigned long long flags = 0;
  std::size_t buffer_bytes = 0;
};

struct MultiInfo {
  std::array<H5FD_mem_t, H5FD_MEM_NTYPES> map{};
  std::array<std::shared_ptr<const FileAccessSettings>, H5FD_MEM_NTYPES> access;
  std::array<std::string, H5FD_MEM_NTYPES> names;  ///< with %s for the name of the file
  std::array<haddr_t, H5FD_MEM_NTYPES> addresses{};
  bool relax = true;
};

struct SplitterInfo {
  std::shared_ptr<const FileAccessSettings> access, copy_access;  ///< null: the default
  std::string copy_path, log_path;
  bool ignore_copy_faults = false;
};

/// The driver's own copy of an info that a program gives for it, which keeps the driver as well. Throws
/// Failure.
std::shared_ptr<const void> copy_driver_info(hid_t driver, const void* info);
/// For files that are open: the driver's info and the file's first image belong to lists alone.
std::shared_ptr<const FileAccessSettings> without_driver_info(
    std::shared_ptr<const FileAccessSettings> settings);

/// The id of a driver of the library; H5I_INVALID_HID when it has none of that value.
hid_t driver_id(H5FD_class_value_t value);
/// The driver of lists that name none: "sec2", unless HDF5_DRIVER is "mpio" and there is such a driver.
hid_t default_driver_id();
/// Gives the driver "mpio" its id.
void add_mpio_driver();
/// The id of the driver of that name: one that a program registered, one of HDF5, or any driver of the table
/// of drivers, which gets its id now. H5I_INVALID_HID if there is none. *Thread safety*: yes.
hid_t find_driver_id(const std::string& name);
/// The driver that a list names. Throws bad_value() when its id was closed.
std::shared_ptr<DriverHandle> driver_of(const DriverSetting& setting);
/// The info of a list whose driver has that value, else null.
template <class Info>
std::shared_ptr<const Info> driver_info(const DriverSetting& setting, H5FD_class_value_t value) {
  if (driver_of(setting)->functions.value != value) return nullptr;
  return std::static_pointer_cast<const Info>(setting.info);
}

/// The communicator and the hints of settings whose driver is "mpio": MPI_COMM_WORLD if the environment chose
/// the driver. *Throws*: Error(invalid_argument) if there is none.
std::shared_ptr<const MpioParameters> mpio_parameters(const FileAccessSettings& settings);

/// Brings the driver that the settings name into the options, unless it is a class that a program registered.
/// *Throws*: Error(unsupported) for maps of memory types to files that the library does not know.
void choose_driver(const FileAccessSettings& settings, AccessOptions& options);

}  // namespace filigree::capi
