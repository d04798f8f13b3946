// SPDX-License-Identifier: Apache-2.0
//
// Arguments of the form FILE[/path].
#pragma once

#include <string>

namespace filigree::tools {

struct Target {
  std::string file;
  std::string path;  ///< of an object in the file; begins with '/'
};

/// Splits `argument` after its longest prefix that names a file. Without such a prefix, all of it is the
/// file.
Target split_target(const std::string& argument);

}  // namespace filigree::tools
