// SPDX-License-Identifier: Apache-2.0
//
// An id that a scope owns.
#pragma once

#include "capi/core/ids.hpp"

namespace filigree::capi {

/// An id for the time of a scope, for callbacks of the program for instance. It is released when the scope
/// ends. The release is no API call, so the error stack stays as it is.
class ScopedId {
 public:
  explicit ScopedId(hid_t id) : id_(id) {}
  ~ScopedId() {
    try {
      ids().release(id_);
    } catch (...) {  // A callback has closed the id.
    }
  }
  ScopedId(const ScopedId&) = delete;
  ScopedId& operator=(const ScopedId&) = delete;
  hid_t get() const { return id_; }

 private:
  hid_t id_;
};

}  // namespace filigree::capi
