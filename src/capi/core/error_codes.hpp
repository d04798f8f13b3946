// SPDX-License-Identifier: Apache-2.0
//
// The error codes that the library itself puts on error stacks.
#pragma once

#include <vector>

#include <hdf5.h>

extern "C" {

// Names of codes up to HDF5 1.10, which binaries of that time read. They hold the ids of H5E_ID, H5E_BADID
// and H5E_LOGGING.
H5_DLLVAR hid_t H5E_ATOM_g;
H5_DLLVAR hid_t H5E_BADATOM_g;
H5_DLLVAR hid_t H5E_LOGFAIL_g;

}  // extern "C"

namespace filigree::capi {

/// An error code of the library, with its text.
struct ErrorCode {
  hid_t* id;  ///< set when the library is set up
  const char* text;
};

/// Return all major and all minor codes, in the order in which their ids are created.
const std::vector<ErrorCode>& major_codes();
const std::vector<ErrorCode>& minor_codes();

}  // namespace filigree::capi
