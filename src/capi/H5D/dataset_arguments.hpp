// SPDX-License-Identifier: Apache-2.0
//
// What functions about datasets are given.
#pragma once

#include "capi/H5F/open_file.hpp"

namespace filigree::capi {

/// Throws bad_type().
std::shared_ptr<DatasetHandle> get_dataset(hid_t id, const char* what = "a dataset");
/// Throws bad_type() unless it is a list for transfers; most functions about chunks only look at that.
void check_transfer(hid_t id);
/// What a file dataspace selects; everything for H5S_ALL.
Selection chosen_elements(hid_t space_id);

}  // namespace filigree::capi
