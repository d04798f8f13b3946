// SPDX-License-Identifier: Apache-2.0
//
// The functions of the S3 driver, which programs of HDF5 1.10 are linked with whether they use them or not.
#include <hdf5.h>

#include "capi/abi110/fail.hpp"

namespace {

herr_t unavailable(const char* function) {
  return filigree::abi110::fail(function, H5E_VFL, H5E_UNSUPPORTED,
                                "files in object stores cannot be opened: open a local copy");
}

}  // namespace

extern "C" {

H5_DLL hid_t H5FD_ros3_init() { return unavailable(__func__); }

H5_DLL herr_t H5Pget_fapl_ros3(hid_t, H5FD_ros3_fapl_t*) { return unavailable(__func__); }

H5_DLL herr_t H5Pset_fapl_ros3(hid_t, H5FD_ros3_fapl_t*) { return unavailable(__func__); }

}  // extern "C"
