// SPDX-License-Identifier: Apache-2.0
//
// Ids that functions on datasets take: the dataset, the transfer property list and the file dataspace.
#pragma once

#include "capi/H5F/file_ids.hpp"

namespace filigree::capi {

/// Returns the dataset of an id. `what` completes "not ..." in the error message.
/// *Throws* bad_type() for ids of other types.
std::shared_ptr<DatasetHandle> get_dataset(hid_t id, const char* what = "a dataset");
/// Checks the id of a dataset transfer property list. Most functions on chunks use nothing of the list.
/// *Throws* bad_type() for other ids.
void check_transfer_plist(hid_t id);
/// Returns the selection of a file dataspace, or everything for H5S_ALL.
/// *Throws* bad_type() for other ids, and Failure for selections outside of the extent.
Selection file_selection(hid_t space_id);

}  // namespace filigree::capi
