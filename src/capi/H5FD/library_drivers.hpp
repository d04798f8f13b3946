// SPDX-License-Identifier: Apache-2.0
//
// The drivers of the library as driver classes (H5FD_class_t), for H5FDopen and for drivers that wrap others.
#pragma once

#include <cstddef>
#include <span>

#include <hdf5.h>

namespace filigree::capi {

/// The drivers that HDF5 has itself, with their names and values there. All other drivers of the library, and
/// those of drivers::add(), get a class by table_driver() when they are first asked for.
inline constexpr std::size_t hdf5_driver_count = 7;
std::span<const H5FD_class_t, hdf5_driver_count> hdf5_drivers();

/// The driver of HDF5's parallel builds, which is there when a library for an MPI is (mpio.hpp).
H5FD_class_t mpio_driver_class();

/// A class for the driver of that name in the table of drivers (filigree/driver.hpp). Its value is
/// H5_VFD_INVALID. *Requires*: `name` outlives the class.
H5FD_class_t table_driver(const char* name);

}  // namespace filigree::capi
