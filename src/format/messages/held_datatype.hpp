// SPDX-License-Identifier: Apache-2.0
//
// Datatypes as H5Tencode writes them: the message of files, with variable-length values in the size that they
// have in C programs on a machine of 64 bits, a pointer's or that of a length and a pointer.
#pragma once

#include "format/messages/datatype.hpp"

namespace filigree::format {

struct HeldDatatype {
  static constexpr std::string_view structure = "datatype in memory";
  DatatypeMessage type;
};

}  // namespace filigree::format
