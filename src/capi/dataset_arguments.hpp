// SPDX-License-Identifier: Apache-2.0
//
// Dataset ids as arguments.
#pragma once

#include "capi/open_file.hpp"

namespace filigree::capi {

/// Throws bad_type().
std::shared_ptr<DatasetHandle> get_dataset(hid_t id, const char* what = "a dataset");

}  // namespace filigree::capi
