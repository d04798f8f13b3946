// SPDX-License-Identifier: Apache-2.0
//
// The dump of one file: all of it, or what the user chose.
#pragma once

#include <string>

#include "../command.hpp"
#include "ddl_output.hpp"
#include "options.hpp"

namespace filigree::tools {

/// Dumps a file, an object of it (FILE/path) or a slice of a dataset (FILE/path[slice]).
/// Throws: SliceError, Error if the target cannot be opened.
Exit dump_file(const DumpOptions& options, const std::string& argument, TextStream& ddl, TextStream& data);

}  // namespace filigree::tools
