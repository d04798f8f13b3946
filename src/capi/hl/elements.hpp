// SPDX-License-Identifier: Apache-2.0
//
// Elements in memory that may own variable-length data.
#pragma once

#include <cstddef>
#include <vector>

#include "capi/hl/high_level.hpp"

namespace filigree::capi {

/// Frees the variable-length data of packed elements, and sets them to null. This is no API call, so the
/// error stack stays as it is.
void reclaim_elements(hid_t type, void* elements, std::size_t count) noexcept;

/// Packed elements of a type. They own the variable-length data that is read into them.
class Elements {
 public:
  /// All bytes are zero at first. *Requires* that the id outlives the object.
  Elements(hid_t type, std::size_t count);
  ~Elements() { clear(); }
  Elements(const Elements&) = delete;
  Elements& operator=(const Elements&) = delete;

  std::byte* data() { return bytes_.data(); }
  std::size_t count() const { return count_; }
  /// Frees the variable-length data.
  void clear() noexcept {
    if (owns_) reclaim_elements(type_, bytes_.data(), count_);
  }

 private:
  hid_t type_;
  std::size_t count_;
  std::vector<std::byte> bytes_;
  bool owns_;  ///< whether the type has variable-length parts
};

}  // namespace filigree::capi
