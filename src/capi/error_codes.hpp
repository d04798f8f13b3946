// SPDX-License-Identifier: Apache-2.0
//
// The codes that the library itself puts on error stacks.
#pragma once

#include <vector>

#include <hdf5.h>

namespace filigree::capi {

struct ErrorCode {
  hid_t* id;  ///< gets the code's id when the library is set up
  const char* text;
};

const std::vector<ErrorCode>& major_codes();
const std::vector<ErrorCode>& minor_codes();

}  // namespace filigree::capi
