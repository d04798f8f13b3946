// SPDX-License-Identifier: Apache-2.0
//
// Optional members of described structures.
#pragma once

namespace filigree::format {

/// Reading: makes `field` exist, or not, as a flag just read says. Writing: the flag came from the field.
template <class Io, class Optional>
void presence(Io&, Optional& field, bool present) {
  if constexpr (Io::decodes) {
    if (present) {
      field.emplace();
    } else {
      field.reset();
    }
  }
}

}  // namespace filigree::format
