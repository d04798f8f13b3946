// SPDX-License-Identifier: Apache-2.0
//
// The library's own properties as H5Pencode writes them.
#pragma once

#include <vector>

#include "capi/H5P/plist_coder.hpp"
#include "capi/H5P/property_list.hpp"

namespace filigree::capi {

struct EncodedProperty {
  const char* name;
  /// Writes the value from the settings, or reads it into them.
  void (*code)(PlistCoder& coder, Settings& settings);
};

/// Those of a class, without its parents'; some of the library's are not encoded.
const std::vector<EncodedProperty>& encoded_properties(PlistType kind);

/// The bytes of a list: a version, the number of its class, names and values, and a NUL.
std::vector<std::byte> encode_plist(const PropertyListHandle& plist);
/// A new list. Throws Failure. `used` gets how many bytes it took.
hid_t decode_plist(const std::byte* bytes, std::size_t* used = nullptr);

}  // namespace filigree::capi
