// SPDX-License-Identifier: Apache-2.0
//
// Fixed-length strings: their end and their padding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "format/messages/datatype.hpp"

namespace filigree::type {

/// A fixed-length string type.
struct FixedText {
  std::uint32_t bytes = 1;
  format::StringPadding padding = format::StringPadding::nul_terminated;
  bool cuts = false;  ///< whether a text that is too long is truncated; otherwise it is Error(limit)

  /// Returns the text of an element without its padding.
  std::string_view get(const std::byte* element) const;
  /// Stores a text with its padding. *Throws* Error(limit) if it does not fit, unless `cuts`.
  void put(std::byte* element, std::string_view text) const;
};

}  // namespace filigree::type
