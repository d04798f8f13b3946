// SPDX-License-Identifier: Apache-2.0
//
// An id of the C API that a scope owns.
#pragma once

#include <hdf5.h>

namespace filigree::abi110 {

class OwnedId {
 public:
  explicit OwnedId(hid_t id) : id_(id) {}
  ~OwnedId() {
    if (id_ >= 0) H5Idec_ref(id_);
  }
  OwnedId(const OwnedId&) = delete;
  OwnedId& operator=(const OwnedId&) = delete;
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
};

}  // namespace filigree::abi110
