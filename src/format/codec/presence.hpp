// SPDX-License-Identifier: Apache-2.0
//
// Optional members of described structures.
#pragma once

namespace filigree::format {

/// When reading, creates or resets `field` according to a flag that was read before. When writing, the flag
/// was derived from the field.
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
