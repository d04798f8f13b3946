// SPDX-License-Identifier: Apache-2.0
#include "capi/H5D/dataset_ids.hpp"

#include "capi/H5P/property_list.hpp"
#include "capi/H5S/dataspace.hpp"

namespace filigree::capi {

std::shared_ptr<DatasetHandle> get_dataset(hid_t id, const char* what) {
  return ids().get<DatasetHandle>(id, what);
}

void check_transfer_plist(hid_t id) {
  get_settings<TransferSettings>(id, "a dataset transfer property list ID");
}

Selection file_selection(hid_t space_id) {
  return space_id == H5S_ALL ? Selection::all() : public_selection(*get_space(space_id), "file");
}

}  // namespace filigree::capi
