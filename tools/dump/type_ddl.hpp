// SPDX-License-Identifier: Apache-2.0
//
// Datatypes in DDL.
#pragma once

#include <string>

#include <filigree/datatype.hpp>

namespace filigree::tools {

/// Describes a datatype. Compounds, enumerations, strings and opaque types take several lines; the first one
/// is not indented, and the last one has no line feed. `level` is that of the object with the type.
std::string type_ddl(const Datatype& type, std::size_t level);

}  // namespace filigree::tools
