// SPDX-License-Identifier: Apache-2.0
//
// The shorthand for arrays of equal entries: an invalid entry at index 1.
#pragma once

#include <cstdint>

#include <fmt/format.h>

#include "capi/core/api_call.hpp"

namespace filigree::capi {

/// An array whose first entry is valid. An invalid entry at index 1 ends it: all entries equal the first one.
template <class T>
class Repeated {
 public:
  Repeated(const T* entries, std::uint64_t count, T invalid)
      : entries_(entries), count_(count), invalid_(invalid), ended_(count > 1 && entries[1] == invalid) {}

  T operator[](std::uint64_t i) const { return entries_[ended_ ? 0 : i]; }

  /// Throws bad_value() for an invalid entry after index 1, where it is no shorthand.
  const Repeated& checked(const char* name) const {
    for (std::uint64_t i = 2; !ended_ && i < count_; ++i) {
      if (entries_[i] == invalid_)
        bad_value(fmt::format("{0}[{1}] is invalid; only {0}[1] may be, as a shorthand", name, i));
    }
    return *this;
  }

 private:
  const T* entries_;
  std::uint64_t count_;
  T invalid_;
  bool ended_;
};

}  // namespace filigree::capi
