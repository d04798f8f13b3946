// SPDX-License-Identifier: Apache-2.0
//
// An id that a scope owns.
#pragma once

#include <utility>

#include "capi/core/ids.hpp"

namespace filigree::capi {

/// An id for the time of a scope, for callbacks of the program for instance. It is released when the scope
/// ends. The release is no API call, so the error stack stays as it is.
class ScopedId {
 public:
  explicit ScopedId(hid_t id) : id_(id) {}
  ScopedId(ScopedId&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)) {}
  ScopedId& operator=(ScopedId&&) = delete;
  ~ScopedId() {
    if (id_ < 0) return;
    try {
      ids().release(id_);
    } catch (...) {  // A callback has closed the id.
    }
  }
  hid_t get() const { return id_; }

 private:
  hid_t id_;
};

}  // namespace filigree::capi
