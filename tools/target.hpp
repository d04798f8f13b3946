// SPDX-License-Identifier: Apache-2.0
//
// Arguments of the form FILE[/path].
#pragma once

#include <string>

namespace filigree::tools {

struct Target {
  std::string file;
  std::string path;  ///< of an object in it, beginning with '/'
};

/// The longest leading part of `argument` that is a file, and the rest. All of it when there is none.
Target split_target(const std::string& argument);

}  // namespace filigree::tools
