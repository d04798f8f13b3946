// SPDX-License-Identifier: Apache-2.0
//
// Datatypes in one or a few words: "uint16", "float64be", "string", "{x: int32, y: float32}".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <filigree/datatype.hpp>

namespace filigree::tools {

/// Names a datatype. The result has no line feeds and is not longer than about 60 characters.
std::string type_text(const Datatype& type);

/// Returns the type that numpy calls so: "u2", "<f4", ">i8", "c16", "?", "S10", "V12"; also "uint16" and
/// other names of type_text(). Empty for other names.
std::optional<Datatype> parse_type(std::string_view name);

}  // namespace filigree::tools
