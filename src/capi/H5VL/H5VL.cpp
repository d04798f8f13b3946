// SPDX-License-Identifier: Apache-2.0
//
// VOL connectors. There is one, the native connector.
#include "capi/H5F/file_ids.hpp"
#include "capi/core/strings.hpp"

using namespace filigree::capi;

ssize_t H5VLget_connector_name(hid_t id, char* name, size_t size) {
  return api_call({__func__, {&H5E_VOL_g, &H5E_CANTGET_g}, "can't get connector name"}, [&] {
    if (IdTable::type_of(id) != H5I_FILE) file_of(id);
    if (ids().find(id) == nullptr) bad_type("not an id of a file, or of something in one");
    return copy_string("native", name, size);
  });
}
