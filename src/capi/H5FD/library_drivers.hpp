// SPDX-License-Identifier: Apache-2.0
//
// The drivers of the library in the form of classes, for H5FDopen and for drivers that stand on them.
#pragma once

#include <array>

#include <hdf5.h>

namespace filigree::capi {

inline constexpr std::array<H5FD_class_value_t, 6> library_driver_values{
    H5_VFD_SEC2, H5_VFD_CORE, H5_VFD_LOG, H5_VFD_FAMILY, H5_VFD_MULTI, H5_VFD_STDIO};

/// The class of a driver of that list.
const H5FD_class_t& library_driver(H5FD_class_value_t value);

}  // namespace filigree::capi
