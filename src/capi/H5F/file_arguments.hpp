// SPDX-License-Identifier: Apache-2.0
//
// File ids as arguments.
#pragma once

#include "capi/H5F/open_file.hpp"

namespace filigree::capi {

/// Throws Failure with that code: functions of H5F differ in it.
std::shared_ptr<OpenFile> get_file(hid_t id, Code code);
/// Throws bad_type().
std::shared_ptr<OpenFile> get_file(hid_t id);

}  // namespace filigree::capi
