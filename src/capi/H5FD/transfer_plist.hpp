// SPDX-License-Identifier: Apache-2.0
//
// The transfer property list of functions on driver files.
#pragma once

#include "capi/H5P/property_list.hpp"

namespace filigree::capi {

/// Returns the id to pass to a driver. *Throws* bad_type() for other ids.
inline hid_t transfer_plist(hid_t id) {
  if (id == H5P_DEFAULT) return H5P_LST_DATASET_XFER_ID_g;
  const auto plist = ids().find_as<PropertyListHandle>(id);
  if (plist == nullptr || dynamic_cast<const TransferSettings*>(plist->settings().get()) == nullptr)
    bad_type("not a data transfer property list");
  return id;
}

}  // namespace filigree::capi
