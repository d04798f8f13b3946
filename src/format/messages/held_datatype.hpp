// SPDX-License-Identifier: Apache-2.0
//
// Datatypes as H5Tencode writes them: the datatype message with variable-length values in the size that they
// have in C programs on 64-bit machines, which is that of a pointer, or of a length and a pointer.
#pragma once

#include "format/messages/datatype.hpp"

namespace filigree::format {

struct HeldDatatype {
  static constexpr std::string_view structure = "datatype in memory";
  DatatypeMessage type;
};

}  // namespace filigree::format
