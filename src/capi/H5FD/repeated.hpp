// SPDX-License-Identifier: Apache-2.0
//
// Arrays of requests that end early: from the first invalid entry on, the one before it counts.
#pragma once

#include <cstdint>

namespace filigree::capi {

/// Entries in ascending order of their positions; the first one is valid.
template <class T>
class Repeated {
 public:
  Repeated(const T* entries, T invalid) : entries_(entries), invalid_(invalid) {}

  T operator[](std::uint64_t i) {
    if (!ended_ && i > 0 && entries_[i] == invalid_) ended_ = true;
    if (!ended_) last_ = entries_[i];
    return last_;
  }

 private:
  const T* entries_;
  T invalid_;
  T last_{};
  bool ended_ = false;
};

}  // namespace filigree::capi
